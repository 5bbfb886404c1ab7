import CropCore

/// A list of numbers that JavaScript has written for a call, read from the front. What takes more than a
/// few numbers is handed over so: parameters can't be told apart by their names there.
struct Numbers {
  private var at = 0

  /// The most numbers of a list.
  static var most: Int { 128 }

  /// Where JavaScript writes: how many follow, then these.
  nonisolated(unsafe) static let list: UnsafeMutablePointer<Double> = {
    let list = UnsafeMutablePointer<Double>.allocate(capacity: most + 1)
    list.initialize(repeating: 0, count: most + 1)
    return list
  }()

  /// The next number; NaN beyond the last.
  @inline(never) mutating func next() -> Double {
    at += 1
    guard at <= Self.most, Double(at) <= Self.list[0] else { return .nan }
    return Self.list[at]
  }

  /// A whole number; nil for what is none or does not fit.
  @inline(never) mutating func whole() -> Int? { Int(exactly: next()) }

  mutating func flag() -> Bool { next() == 1 }

  @inline(never) mutating func image() -> ImageSize? {
    let (width, height) = (whole(), whole())
    guard let width, let height else { return nil }
    return ImageSize(width: width, height: height)
  }

  @inline(never) mutating func laying() -> TargetDocument.Laying? {
    let (turns, mirrored, tilt) = (whole(), flag(), next())
    return turns.map {
      TargetDocument.Laying(
        orientation: Orientation(isMirrored: mirrored, quarterTurns: $0), tilt: Angle(degrees: tilt)
      )
    }
  }

  @inline(never) mutating func rect() -> FrameRect {
    FrameRect(x: next(), y: next(), width: next(), height: next())
  }

  /// Whether a focus can be, and the focus; both may be none.
  @inline(never) mutating func focus() -> (isValid: Bool, box: FocusBox?) {
    let (isThere, rect) = (flag(), rect())
    let box = FocusBox(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    return (!isThere || box != nil, isThere ? box : nil)
  }

  /// A size in pixels; nil for 0 × 0 and for what can't be.
  @inline(never) mutating func size() -> FrameSize? {
    let (width, height) = (whole(), whole())
    guard let width, let height, width > 0, height > 0 else { return nil }
    return FrameSize(width: width, height: height)
  }

  /// A recipe; no width and height stand for the whole picture.
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
      isMirrored: mirrored, tilt: Angle(degrees: tilt), shape: shape, output: size)
  }

  /// The bytes of a text, which are the rest of the list.
  @inline(never) mutating func text() -> [UInt8]? {
    var bytes: [UInt8] = []
    while Double(at) < Self.list[0], at < Self.most {
      guard let byte = UInt8(exactly: next()) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
