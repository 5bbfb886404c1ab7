/// A whole number with an optional K, M or G, such as `300M`.
///
/// The letter stands for 1000, 10⁶ or 10⁹ where things are counted, and for 1024, 2²⁰ or 2³⁰ where
/// bytes are.
public struct Amount: Hashable, Sendable {
  private let count: Int
  private let power: Int

  /// The amount that a text states; nil for anything but a whole number of at least 1, and for one that
  /// is larger than `Int` as a number of bytes.
  public init?(text: String) { self.init(TextReader(text)) }

  init?(_ text: TextReader) {
    var digits = text.bytes
    switch digits.last.map({ $0 | 0x20 }) {
    case UInt8(ascii: "k"): power = 1
    case UInt8(ascii: "m"): power = 2
    case UInt8(ascii: "g"): power = 3
    default: power = 0
    }
    if power > 0 { digits.removeLast() }
    var reader = TextReader(digits)
    guard let count = reader.whole(), reader.isAtEnd, count >= 1 else { return nil }
    self.count = count
    guard scaled(by: 1024) != nil else { return nil }
  }

  /// The number of things.
  public var things: Int { scaled(by: 1000) ?? .max }

  /// The number of bytes.
  public var bytes: Int { scaled(by: 1024) ?? .max }

  private func scaled(by step: Int) -> Int? {
    var value = count
    for _ in 0..<power {
      let (product, overflow) = value.multipliedReportingOverflow(by: step)
      if overflow { return nil }
      value = product
    }
    return value
  }
}
