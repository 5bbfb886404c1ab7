import CropCore

// What the page asks the core beside its session. Each question takes what JavaScript wrote into the input
// list (Web/Element/questions.js) and is answered with a list that is empty for what can't be.

/// Where the input list lies, for as long as the module does.
@_expose(wasm, "ck_list") @_cdecl("ck_list")
public func list() -> UnsafeMutablePointer<Double> { Numbers.list }

/// Answers a question; Web/interface.json has the codes.
@_expose(wasm, "ck_ask") @_cdecl("ck_ask")
public func ask(code: Int32) -> UnsafePointer<Double> {
  var numbers = Numbers()
  output.start()
  switch Int(code) {
  case QuestionCode.target: answerTarget(&numbers)
  case QuestionCode.focusFrame: answerFocusFrame(&numbers)
  case QuestionCode.focusOf: answerFocus(&numbers)
  case QuestionCode.ratio: answerRatio(&numbers)
  default: break
  }
  return output.finish()
}

/// Image, laying, focus, ratio, size, minimum, and the rectangle that was made by hand: the crop's rectangle, whether it
/// cuts the focus, whether it has too few pixels, whether it is scaled to the size, and the map from upright pixels
/// to its own. A size and a minimum of 0 × 0 are none, and without a width the rectangle follows from the focus.
private func answerTarget(_ numbers: inout Numbers) {
  guard let image = numbers.image(), let laying = numbers.laying() else { return }
  let focus = numbers.focus()
  let ratio = AspectRatio(rounding: numbers.next(), numbers.next())
  let (size, minimum) = (numbers.size(), numbers.size())
  let made = numbers.rect()
  guard focus.isValid, let ratio,
    let crop = DerivedCrop(
      ratio, of: image, laying, focus: focus.box, made: made.width > 0 ? made : nil),
    let resolved = try? CropRecipe(
      rect: crop.rect, quarterTurns: laying.orientation.quarterTurns,
      isMirrored: laying.orientation.isMirrored, tilt: laying.tilt
    ).resolved(for: image)
  else { return }
  output.append(crop.rect)
  output.append(crop.cutsFocus)
  output.append((minimum ?? size).map { !crop.rect.holds($0) } ?? false)
  output.append(size.map { crop.rect.holds($0) } ?? false)
  output.append(resolved.drawing.map)
}

/// Image, laying and focus, on the picture without its tilt: the frame, the map from upright pixels to it, and where
/// the focus lies and is to be seen, which without a focus is all of it.
private func answerFocusFrame(_ numbers: inout Numbers) {
  guard let image = numbers.image(), let laying = numbers.laying() else { return }
  let (turns, mirrored) = (laying.orientation.quarterTurns, laying.orientation.isMirrored)
  let focus = numbers.focus()
  guard focus.isValid,
    let whole = try? CropRecipe(quarterTurns: turns, isMirrored: mirrored).resolved(for: image)
  else { return }
  output.append(whole.rect)
  output.append(whole.drawing.map)
  output.append(focus.box?.rect(of: image, laying.orientation) ?? whole.rect)
  output.append(focus.box?.visibleRect(of: image, laying.orientation) ?? whole.rect)
}

/// Image, laying and a rectangle of the frame without a tilt: the focus that it is.
private func answerFocus(_ numbers: inout Numbers) {
  guard let image = numbers.image(), let laying = numbers.laying(),
    let box = FocusBox(numbers.rect(), of: image, laying.orientation)
  else { return }
  output.append(box.x)
  output.append(box.y)
  output.append(box.width)
  output.append(box.height)
}

/// The bytes of a text: which kind of ratio it says, and its terms, 0 where there are none.
private func answerRatio(_ numbers: inout Numbers) {
  guard let choice = numbers.text().flatMap({ RatioChoice(utf8: $0) }) else { return }
  output.append(choice.code)
  if case .fixed(let ratio) = choice {
    output.append(ratio.width)
    output.append(ratio.height)
  } else {
    output.append(0)
    output.append(0)
  }
}
