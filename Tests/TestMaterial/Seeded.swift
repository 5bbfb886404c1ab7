/// Random numbers that a seed repeats (splitmix64).
public struct Seeded: RandomNumberGenerator, Sendable {
  /// What the numbers were made from.
  public let seed: UInt64
  private var state: UInt64

  /// The numbers of a seed, from the first on.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// What to print where a check fails.
  public var comment: String { "seed \(seed)" }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A whole number of a range.
  public mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// A number of a range.
  public mutating func double(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  /// Whether something of that probability happens.
  public mutating func chance(_ probability: Double) -> Bool { double(0...1) < probability }

  /// One of a few values; there is always at least one.
  public mutating func element<T>(_ values: [T]) -> T { values[int(0...(values.count - 1))] }
}
