import CropCore

extension Bridge {
  /// Sets an option from text; false, and nothing is changed, for an invalid text.
  mutating func setOption(option: CropOption, text: [UInt8]) -> Bool {
    switch option {
    case .rect: return take(CropArea(rectangle: text)) { $0.options.rect = $1 }
    case .clamp:
      guard text.matches("true") else { return false }
      (options.clamps, description.clamps) = (true, true)
      return true
    case .quad:
      if text.matches("auto") {
        (options.hasQuad, findsCorners) = (true, true)
        return true
      }
      guard let corners = CropLength.list(utf8: text), corners.count == 8 else { return false }
      (options.hasQuad, description.quad) = (true, corners)
      return true
    case .inset: return take(CropArea(inset: text)) { $0.options.inset = $1 }
    case .aspect: return take(AspectRatio(utf8: text)) { $0.options.aspect = $1 }
    case .trim:
      guard text.matches("auto") || number(text, 0...255) != nil else { return false }
      trims = true
      return true
    case .gravity:
      return take(Gravity(utf8: text)) { $0.options.gravity = $1 }
    case .focus:
      return take(FocusBox(utf8: text)) { ($0.options.hasFocus, $0.description.focus) = (true, $1) }
    case .rotate:
      guard let degrees = number(text, 90...270), degrees % 90 == 0 else { return false }
      description.quarterTurns += degrees / 90
      return true
    case .flip: return flip(text)
    case .tilt: return take(CropAngle(degrees: text)) { $0.description.tilt = $1 }
    case .shape:
      guard let shape = CropShape(utf8: text) else { return false }
      description.shape = shape
      (options.isCircle, description.isCircle) = (text.matches("circle"), text.matches("circle"))
      return true
    case .size: return setSize(text)
    case .bleed: return take(PrintLength(utf8: text)) { $0.options.bleed = $1 }
    case .enlarge:
      options.enlarges = text.matches("true")
      return options.enlarges
    case .width: return take(number(text, 1...1_000_000_000)) { $0.options.width = $1 }
    case .height: return take(number(text, 1...1_000_000_000)) { $0.options.height = $1 }
    case .maxSide:
      return take(number(text, 1...1_000_000_000)) { $0.description.output = .maxSide($1) }
    }
  }

  mutating func setRecipe(value: CropRecipe) -> Bool {
    (options.hasRecipe, description.recipe) = (true, value)
    return true
  }

  /// Stores a value; false without one.
  private mutating func take<Value>(
    _ value: Value?, _ store: (inout Self, Value) -> Void
  ) -> Bool {
    guard let value else { return false }
    store(&self, value)
    return true
  }

  private mutating func flip(_ text: [UInt8]) -> Bool {
    guard text.matches("horizontal") || text.matches("vertical") else { return false }
    description.isMirrored = true
    // Top to bottom is the same as left to right and upside down.
    if text.matches("vertical") { description.quarterTurns += 2 }
    return true
  }

  private mutating func setSize(_ text: [UInt8]) -> Bool {
    if let size = FrameSize(utf8: text) {
      options.size = size
      return true
    }
    if let size = PrintSize(utf8: text) {
      options.printSize = size
      return true
    }
    guard let size = QuadSize(utf8: text) else { return false }
    (options.isSizeNamed, description.quadSize) = (true, size)
    return true
  }

  private func number(_ text: [UInt8], _ range: ClosedRange<Int>) -> Int? {
    guard !text.isEmpty, text.count <= 10 else { return nil }
    // Exact, while `Int` has 32 bits.
    var value = 0.0
    for digit in text {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Double(digit - 0x30)
    }
    guard let number = Int(exactly: value), range.contains(number) else { return nil }
    return number
  }

  /// The print that the result becomes; nil without a size on paper.
  var print: CropPrint? {
    guard var print = options.print else { return nil }
    if dpi > 0 { print.dpi = dpi }
    return print
  }

  /// The description of the crop, with what follows from several options.
  var described: CropDescription {
    var result = description
    (result.print, result.enlarges) = (print, options.enlarges)
    let box = options.box
    if let box { result.output = .exact(width: box.width, height: box.height) }
    if box == nil { (result.width, result.height) = (options.width, options.height) }
    // With a recipe, the ratio comes from that.
    if !options.hasRecipe { result.area = options.area }
    return result
  }
}

extension [UInt8] {
  /// Whether the text is this word.
  fileprivate func matches(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in indices where self[index] != word.utf8Start[index] { return false }
    return true
  }
}
