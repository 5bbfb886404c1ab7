/// An integer, or a decimal number with the suffix K, M or G, such as `300M` or `1.5M`.
///
/// The suffix means 1000, 10⁶ or 10⁹ for counts, and 1024, 2²⁰ or 2³⁰ for bytes.
public struct Amount: Hashable, Sendable {
  /// The digits without the point.
  private let count: Int
  /// 10 to the number of digits after the point.
  private let divisor: Int
  private let power: Int

  /// Parses an amount, dropping fractions of a count or byte. Nil if the text is not such a number,
  /// if it is less than 1, or if the number of bytes does not fit `Int`.
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
    var divisor = 1
    if power > 0, let point = digits.firstIndex(of: UInt8(ascii: ".")), point > 0 {
      let decimals = digits.count - point - 1
      guard (1...6).contains(decimals) else { return nil }
      for _ in 0..<decimals { divisor *= 10 }
      digits.remove(at: point)
    }
    var reader = TextReader(digits)
    guard let count = reader.whole(), reader.isAtEnd else { return nil }
    self.count = count
    self.divisor = divisor
    guard let least = scaled(by: 1000), least >= 1, scaled(by: 1024) != nil else { return nil }
  }

  /// The amount as a count: K, M and G are powers of 1000.
  public var things: Int { scaled(by: 1000) ?? .max }

  /// The amount in bytes: K, M and G are powers of 1024.
  public var bytes: Int { scaled(by: 1024) ?? .max }

  private func scaled(by step: Int) -> Int? {
    var value = count
    for _ in 0..<power {
      let (product, overflow) = value.multipliedReportingOverflow(by: step)
      if overflow { return nil }
      value = product
    }
    return value / divisor
  }
}
