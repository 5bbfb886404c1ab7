/// Reads numbers and signs from a text, byte by byte; what people type is ASCII.
struct TextReader {
  let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  init(_ text: String) { self.init(Array(text.utf8)) }

  /// Whether nothing is left.
  var isAtEnd: Bool { place == bytes.count }

  private var next: UInt8? { isAtEnd ? nil : bytes[place] }

  /// Goes past a byte, if it is next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  /// Goes past a word, if it is next.
  mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - place >= count else { return false }
    for index in 0..<count where bytes[place + index] != word.utf8Start[index] { return false }
    place += count
    return true
  }

  /// A whole number in digits alone; nil where there is none, or one too large for `Int`.
  mutating func whole() -> Int? {
    let start = place
    var value = 0
    while let digit = digit() {
      let (tens, first) = value.multipliedReportingOverflow(by: 10)
      let (sum, second) = tens.addingReportingOverflow(digit)
      if first || second { return nil }
      value = sum
    }
    return place > start ? value : nil
  }

  /// A decimal number, with a sign and an exponent if it has them; nil for anything else, and for what is
  /// too large for a `Double`.
  mutating func number() -> Double? {
    let start = place
    let isNegative = take(UInt8(ascii: "-"))
    if !isNegative { _ = take(UInt8(ascii: "+")) }
    var digits = 0
    var mantissa = 0.0
    var exponent = 0
    while let digit = digit() {
      digits += 1
      mantissa = mantissa * 10 + Double(digit)
    }
    if take(UInt8(ascii: ".")) {
      while let digit = digit() {
        digits += 1
        exponent -= 1
        mantissa = mantissa * 10 + Double(digit)
      }
    }
    guard digits > 0 else { return nil }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      let isDown = take(UInt8(ascii: "-"))
      if !isDown { _ = take(UInt8(ascii: "+")) }
      guard let power = whole() else { return nil }
      exponent += isDown ? -min(power, 1000) : min(power, 1000)
    }
    let value = number(mantissa, exponent, isNegative, start)
    return value.isFinite ? value : nil
  }

  /// The number of digits and an exponent that were read from `start` on.
  private func number(
    _ mantissa: Double, _ exponent: Int, _ isNegative: Bool, _ start: Int
  ) -> Double {
    // Whole numbers below 2^53 and powers of ten to 22 are exact, so that one operation rounds once.
    if mantissa < 9_007_199_254_740_992, abs(exponent) <= 22 {
      var power = 1.0
      for _ in 0..<abs(exponent) { power *= 10 }
      let value = exponent < 0 ? mantissa / power : mantissa * power
      return isNegative ? -value : value
    }
    #if hasFeature(Embedded)
      // Off by a few units in the 16th digit: nobody types that many.
      var value = mantissa
      for _ in 0..<abs(exponent) where value != 0 && value.isFinite {
        value = exponent < 0 ? value / 10 : value * 10
      }
      return isNegative ? -value : value
    #else
      return Double(String(decoding: bytes[start..<place], as: UTF8.self)) ?? .nan
    #endif
  }

  private mutating func digit() -> Int? {
    guard let byte = next, (0x30...0x39).contains(byte) else { return nil }
    place += 1
    return Int(byte - 0x30)
  }
}
