import Testing

/// Random numbers that a seed repeats (splitmix64).
struct Seeded: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// What to print where a check fails.
  var comment: String { "seed \(seed)" }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func double(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  mutating func chance(_ probability: Double) -> Bool { double(0...1) < probability }

  /// One of a few values; there is always at least one.
  mutating func element<T>(_ values: [T]) -> T { values[int(0...(values.count - 1))] }
}
