/// A random number generator with a seed (splitmix64).
public struct Seeded: RandomNumberGenerator, Sendable {
  /// The seed.
  public let seed: UInt64
  private var state: UInt64

  /// The generator for a seed.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// A comment for failed checks.
  public var comment: String { "seed \(seed)" }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// An integer in a range.
  public mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// A number in a range.
  public mutating func double(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  /// True with this probability.
  public mutating func chance(_ probability: Double) -> Bool { double(0...1) < probability }

  /// One of a few values, which must not be empty.
  public mutating func element<T>(_ values: [T]) -> T { values[int(0...(values.count - 1))] }
}
