/// A ratio of width to height in lowest terms.
public struct AspectRatio: Hashable, Sendable {
  /// The term of the width, at least 1.
  public let width: Int
  /// The term of the height, at least 1.
  public let height: Int

  /// The ratio of two integers; nil unless both are at least 1.
  public init?(_ width: Int, _ height: Int) {
    guard width >= 1, height >= 1 else { return nil }
    let divisor = Self.greatestCommonDivisor(width, height)
    self.width = width / divisor
    self.height = height / divisor
  }

  /// The largest term that users may type.
  public static var largestTypedTerm: Double { 1_000_000 }

  /// The ratio of two numbers as users type them, such as 2.35 to 1, rounded to three decimals.
  ///
  /// Nil for values that are not finite, are less than 0.0005 or exceed ``largestTypedTerm``.
  public init?(rounding width: Double, _ height: Double) {
    let largest = Self.largestTypedTerm
    guard width > 0, width <= largest, height > 0, height <= largest else { return nil }
    let isWhole = width == width.rounded() && height == height.rounded()
    let scale: Double = isWhole ? 1 : 1000
    self.init(Int((width * scale).rounded()), Int((height * scale).rounded()))
  }

  /// Width divided by height.
  public var value: Double { Double(width) / Double(height) }

  /// The largest term of a ratio that whole pixels meet exactly. With larger terms, the size could
  /// only change in steps so large that a drag would jump.
  public static var largestExactTerm: Int { 64 }

  /// Whether selections meet the ratio exactly (3:2 means 2w = 3h) and not only to the nearest
  /// pixel.
  public var isExact: Bool {
    width <= Self.largestExactTerm && height <= Self.largestExactTerm
  }

  /// The ratio with width and height exchanged.
  public var swapped: Self { Self(unchecked: height, width) }

  private init(unchecked width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }

  /// The ratio 1:1.
  public static var square: Self { Self(unchecked: 1, 1) }

  /// Euclid's algorithm; both numbers must be at least 1.
  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}

/// The ratio that the user chose for the selection.
public enum RatioChoice: Hashable, Sendable {
  /// Any ratio. Choosing it does not change the selection.
  case free
  /// The frame's ratio, or its reciprocal if swapped.
  case original(isSwapped: Bool)
  /// A fixed ratio.
  case fixed(AspectRatio)

  /// The ratio to keep on a frame of the given size; nil if any will do.
  public func ratio(on frame: FrameSize) -> AspectRatio? {
    switch self {
    case .free: nil
    case .original(let isSwapped):
      isSwapped
        ? AspectRatio(frame.height, frame.width) : AspectRatio(frame.width, frame.height)
    case .fixed(let ratio): ratio
    }
  }

  /// The choice with width and height exchanged.
  public var swapped: Self {
    switch self {
    case .free: .free
    case .original(let isSwapped): .original(isSwapped: !isSwapped)
    case .fixed(let ratio): .fixed(ratio.swapped)
    }
  }
}
