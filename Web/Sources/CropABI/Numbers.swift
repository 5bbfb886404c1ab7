import CropCore

/// A list of numbers that JavaScript wrote for a call, read from the front. It is used for calls
/// with many numbers, since parameters have no labels in JavaScript.
struct Numbers {
  private var at = 0

  /// The maximum length of a list.
  static var most: Int { 128 }

  /// The memory in which JavaScript writes: the count, then the numbers.
  nonisolated(unsafe) static let list: UnsafeMutablePointer<Double> = {
    let list = UnsafeMutablePointer<Double>.allocate(capacity: most + 1)
    list.initialize(repeating: 0, count: most + 1)
    return list
  }()

  /// The next number; NaN beyond the last.
  @inline(never) mutating func next() -> Double {
    guard !isAtEnd else { return .nan }
    at += 1
    return Self.list[at]
  }

  /// Whether all numbers were read.
  var isAtEnd: Bool { at >= Self.most || Double(at) >= Self.list[0] }

  /// An integer; nil for other numbers.
  @inline(never) mutating func whole() -> Int? { Int(exactly: next()) }

  mutating func flag() -> Bool { next() == 1 }

  @inline(never) mutating func image() -> ImageSize? {
    let (width, height) = (whole(), whole())
    guard let width, let height else { return nil }
    return ImageSize(width: width, height: height)
  }

  @inline(never) mutating func transform() -> PictureTransform? {
    let (turns, mirrored, tilt) = (whole(), flag(), next())
    return turns.map {
      PictureTransform(
        orientation: Orientation(isMirrored: mirrored, quarterTurns: $0), tilt: Angle(degrees: tilt)
      )
    }
  }

  @inline(never) mutating func rect() -> FrameRect {
    FrameRect(x: next(), y: next(), width: next(), height: next())
  }

  /// The focus, nil if there is none, and whether it is valid.
  @inline(never) mutating func focus() -> (isValid: Bool, box: FocusBox?) {
    let (isPresent, rect) = (flag(), rect())
    let box = FocusBox(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    return (!isPresent || box != nil, isPresent ? box : nil)
  }

  /// A size in pixels; nil for 0 × 0 and for invalid ones.
  @inline(never) mutating func size() -> FrameSize? {
    let (width, height) = (whole(), whole())
    guard let width, let height, width > 0, height > 0 else { return nil }
    return FrameSize(width: width, height: height)
  }

  /// The corners of a quad, if numbers are left.
  @inline(never) mutating func quad() -> Quad? {
    guard !isAtEnd else { return nil }
    @inline(never) func corner() -> FramePoint { FramePoint(x: next(), y: next()) }
    return Quad(
      topLeft: corner(), topRight: corner(), bottomRight: corner(), bottomLeft: corner())
  }

  /// A recipe; zero width and height mean the complete image, or four corners at the end.
  @inline(never) mutating func recipe() -> CropRecipe? {
    let (rect, turns, mirrored, tilt) = (rect(), whole(), flag(), next())
    let (shapeCode, radius, output, a, b) = (whole(), next(), whole(), next(), next())
    guard let turns, let shape = shapeCode.flatMap({ CropShape(code: $0, radius: radius) }),
      let output
    else { return nil }
    let size = OutputSize(code: output, a, b)
    guard size != nil || output == 0 else { return nil }
    return CropRecipe(
      rect: rect.width == 0 && rect.height == 0 ? nil : rect, quarterTurns: turns,
      isMirrored: mirrored, tilt: Angle(degrees: tilt), shape: shape, output: size, quad: quad())
  }

  /// A canvas: the kind of its extent and two numbers, whether its margin is a fraction, the
  /// margin, the position of the crop, the fill, and its red, green and blue.
  @inline(never) mutating func canvas() -> FilledCanvas? {
    let (kind, a, b, isShare, margin, place) = (whole(), next(), next(), flag(), next(), whole())
    let fill = whole()
    let (red, green, blue) = (channel(), channel(), channel())
    guard let place, Gravity.allCases.indices.contains(place), let red, let green, let blue else {
      return nil
    }
    let extent: Canvas.Extent
    switch (kind, AspectRatio(rounding: a, b), Int(exactly: a), Int(exactly: b)) {
    case (ExtentCode.crop, _, _, _): extent = .crop
    case (ExtentCode.ratio, let ratio?, _, _): extent = .ratio(ratio)
    case (ExtentCode.size, _, let width?, let height?):
      extent = .size(FrameSize(width: width, height: height))
    default: return nil
    }
    let filled: CanvasFill
    switch fill {
    case FillCode.color: filled = .color(Background(red: red, green: green, blue: blue))
    case FillCode.transparent: filled = .transparent
    case FillCode.edge: filled = .edge
    case FillCode.blur: filled = .blur
    default: return nil
    }
    return FilledCanvas(
      Canvas(
        extent: extent, margin: isShare ? .percent(margin) : .pixels(margin),
        gravity: Gravity.allCases[place]), fill: filled)
  }

  private mutating func channel() -> UInt8? { UInt8(exactly: next()) }

  /// The bytes of a text: the rest of the list.
  @inline(never) mutating func text() -> [UInt8]? {
    var bytes: [UInt8] = []
    while !isAtEnd {
      guard let byte = UInt8(exactly: next()) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
