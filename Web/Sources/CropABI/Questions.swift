import CropCore
import CropKernels

// Questions that do not involve the session. Each reads its input from the list that JavaScript
// wrote (Web/Element/questions.js), and returns a list that is empty for invalid input.

/// The address of the input list, which never changes.
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
  case QuestionCode.text: answerText(&numbers)
  case QuestionCode.recipeError: answerRecipeError(&numbers)
  case QuestionCode.sameFrame: answerSameFrame(&numbers)
  case QuestionCode.exported: answerExported(&numbers)
  case QuestionCode.canvas: answerCanvas(&numbers)
  case QuestionCode.quality: answerQuality(&numbers)
  default: break
  }
  return output.finish()
}

/// Input: image, transform, focus, ratio, size, minimum, the rectangle made by hand, and whether
/// the crop is the complete image. Output: the crop's rectangle, whether it cuts the focus, whether
/// it has too few pixels, whether it is scaled to the size, and the map from upright pixels to its
/// own. For the session's image, the crop is aligned to the grid of its JPEG. A size and a minimum
/// of 0 × 0 mean none; with zero width, the rectangle follows from the focus.
private func answerTarget(_ numbers: inout Numbers) {
  guard let image = numbers.image(), let transform = numbers.transform() else { return }
  let focus = numbers.focus()
  let ratio = AspectRatio(rounding: numbers.next(), numbers.next())
  let (size, minimum) = (numbers.size(), numbers.size())
  var made = numbers.rect()
  let fit = numbers.flag() ? PhotoTarget.Fit.contain : .cover
  if fit == .contain, made.width <= 0 {
    let frame = OrientationMap<ImageSpace, FrameSpace>(transform.orientation, of: image).target
    made = TiltedPicture(frame: frame, tilt: transform.tilt).largestCentered
  }
  guard focus.isValid, let ratio,
    let crop = DerivedCrop(
      ratio, of: image, transform, focus: focus.box,
      jpeg: session.image == image ? session.jpeg : nil,
      made: made.width > 0 ? made : nil),
    let resolved = try? CropRecipe(
      rect: crop.rect, quarterTurns: transform.orientation.quarterTurns,
      isMirrored: transform.orientation.isMirrored, tilt: transform.tilt
    ).resolved(for: image)
  else { return }
  output.append(crop.rect)
  output.append(crop.cutsFocus)
  output.append((minimum ?? size).map { !fit.isEnough(crop.rect, for: $0) } ?? false)
  output.append(fit == .cover && size.map { crop.rect.holds($0) } ?? false)
  output.append(resolved.drawing.map)
}

/// Input: image, transform and focus, for the image without its tilt. Output: the frame, the map
/// from upright pixels to it, and the rectangles of the focus, exact and for display; without a
/// focus, everything.
private func answerFocusFrame(_ numbers: inout Numbers) {
  guard let image = numbers.image(), let transform = numbers.transform() else { return }
  let (turns, mirrored) = (transform.orientation.quarterTurns, transform.orientation.isMirrored)
  let focus = numbers.focus()
  guard focus.isValid,
    let whole = try? CropRecipe(quarterTurns: turns, isMirrored: mirrored).resolved(for: image)
  else { return }
  output.append(whole.rect)
  output.append(whole.drawing.map)
  output.append(focus.box?.rect(of: image, transform.orientation) ?? whole.rect)
  output.append(focus.box?.visibleRect(of: image, transform.orientation) ?? whole.rect)
}

/// Input: image, transform and a rectangle of the frame without tilt. Output: the rectangle as a
/// focus.
private func answerFocus(_ numbers: inout Numbers) {
  guard let image = numbers.image(), let transform = numbers.transform(),
    let box = FocusBox(numbers.rect(), of: image, transform.orientation)
  else { return }
  output.append(box.x)
  output.append(box.y)
  output.append(box.width)
  output.append(box.height)
}

/// Input: an image, another one, whether the crop is relative to the size, and the recipe for the
/// first. Output: the rectangle of the same crop on the second.
private func answerSameFrame(_ numbers: inout Numbers) {
  guard let image = numbers.image(), let other = numbers.image() else { return }
  let isShare = numbers.flag()
  guard let recipe = numbers.recipe(),
    let rect = recipe.carried(from: image, to: other, isShare: isShare)?.rect
  else { return }
  output.append(rect)
}

/// Input: a canvas and the size of a crop. Output: the canvas's size and the crop's rectangle on
/// it; for a blurred fill, the part of the crop to use, the size to reduce it to, and the blur's
/// standard deviation at that size.
private func answerCanvas(_ numbers: inout Numbers) {
  guard let canvas = numbers.canvas(), let crop = numbers.size(),
    let layout = canvas.canvas.layout(of: crop)
  else { return }
  output.append(layout)
  let backdrop = CanvasBackdrop(of: layout.crop.size, on: layout.size)
  output.append(backdrop.part)
  output.append(backdrop.size.width)
  output.append(backdrop.size.height)
  output.append(backdrop.sigma)
}

/// Input: a grammar and the bytes of a text. Output: what the text stands for. Of a ratio, its kind
/// and its terms, 0 if it has none; of a size, its sides; of a shape, its code and radius; of a length,
/// whether it is a percentage, and the number; of a canvas's extent, its kind and two numbers.
private func answerText(_ numbers: inout Numbers) {
  let grammar = numbers.whole()
  guard let text = numbers.text() else { return }
  switch grammar {
  case GrammarCode.ratio:
    guard let choice = RatioChoice(utf8: text) else { return }
    output.append(choice)
  case GrammarCode.size:
    guard let size = FrameSize(utf8: text), !size.isEmpty else { return }
    output.append(size)
  case GrammarCode.shape:
    guard let shape = CropShape(utf8: text) else { return }
    output.append(shape)
  case GrammarCode.length:
    guard let length = CropLength(utf8: text) else { return }
    output.append(length)
  case GrammarCode.extent:
    guard let extent = Canvas.Extent(utf8: text) else { return }
    output.append(extent)
  default: break
  }
}

/// Input: the highest quality, whether the format has one, and for each file that was made, whether
/// it was small enough. Output: the next quality to try; empty at the end.
private func answerQuality(_ numbers: inout Numbers) {
  guard let best = numbers.whole() else { return }
  let hasQuality = numbers.flag()
  var search = QualitySearch(from: best)
  while !numbers.isAtEnd { search.note(isSmallEnough: numbers.flag(), hasQuality: hasQuality) }
  if let quality = search.next { output.append(quality) }
}

/// Input: the image and a recipe. Output: the numbers of the message that explains why the recipe
/// does not fit, then the kind of message; empty if it fits.
private func answerRecipeError(_ numbers: inout Numbers) {
  guard let image = numbers.image(), let recipe = numbers.recipe() else { return }
  do throws(RecipeError) {
    _ = try recipe.resolved(for: image)
  } catch {
    output.append(error.tell(of: image) { output.append($0) }.rawValue)
  }
}

/// Input: the image, the EXIF orientation of its file, and a recipe. Output: the properties of the crop that matter for
/// other programs, as bits, and its numbers.
private func answerExported(_ numbers: inout Numbers) {
  guard let image = numbers.image(),
    let stored = numbers.whole().flatMap(Orientation.init(rawValue:)),
    let crop = try? numbers.recipe()?.resolved(for: image)
  else { return }
  let exported = ExportedCrop(crop, stored: stored)
  output.append(exported.conditions)
  exported.tell { output.append($0) }
}
