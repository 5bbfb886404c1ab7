/// Reads numbers and signs from a text, byte by byte; valid input is ASCII.
struct TextReader {
  let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  init(_ text: String) { self.init(Array(text.utf8)) }

  /// Whether the text was read to its end.
  var isAtEnd: Bool { place == bytes.count }

  private var next: UInt8? { isAtEnd ? nil : bytes[place] }

  /// Skips a byte if it comes next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  /// Skips any number of spaces.
  mutating func skipSpaces() {
    while take(UInt8(ascii: " ")) {}
  }

  /// Skips a sign between width and height, with spaces around it, if it comes next.
  mutating func takeTimes() -> Bool {
    skipSpaces()
    guard take("x") || take("X") || take("×") else { return false }
    skipSpaces()
    return true
  }

  /// Skips a word if it comes next.
  mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - place >= count else { return false }
    for index in 0..<count where bytes[place + index] != word.utf8Start[index] { return false }
    place += count
    return true
  }

  /// Reads an integer made of digits only; nil if there is none or it exceeds `Int`.
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

  /// Reads a decimal number with an optional sign and exponent; nil for anything else, or if it is
  /// too large for a `Double`.
  mutating func number() -> Double? {
    let start = place
    let isNegative = take(UInt8(ascii: "-"))
    if !isNegative { _ = take(UInt8(ascii: "+")) }
    guard let (mantissa, decimals) = decimal() else { return nil }
    var exponent = -decimals
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      let isDown = take(UInt8(ascii: "-"))
      if !isDown { _ = take(UInt8(ascii: "+")) }
      guard let power = whole() else { return nil }
      exponent += isDown ? -min(power, 1000) : min(power, 1000)
    }
    var value = Self.scaled(mantissa, exponent)
    #if hasFeature(Embedded)
      // Users of the page do not type 16 digits.
      if isNegative { value = -value }
    #else
      if mantissa >= 9_007_199_254_740_992 || abs(exponent) > 22 {
        value = Double(String(decoding: bytes[start..<place], as: UTF8.self)) ?? .nan
      } else if isNegative {
        value = -value
      }
    #endif
    return value.isFinite ? value : nil
  }

  /// Reads a term of a ratio: digits with an optional point between them; nil for anything else.
  mutating func term() -> Double? {
    let start = place
    guard let (mantissa, decimals) = decimal(), bytes[start] != UInt8(ascii: "."),
      bytes[place - 1] != UInt8(ascii: ".")
    else { return nil }
    // The same in all builds, so that a ratio is the same to the last bit.
    return Self.scaled(mantissa, -decimals)
  }

  /// Reads digits with an optional point: the number without the point, and the count of digits
  /// after it.
  private mutating func decimal() -> (mantissa: Double, decimals: Int)? {
    let start = place
    var mantissa = 0.0
    while let digit = digit() { mantissa = mantissa * 10 + Double(digit) }
    var digits = place - start
    var decimals = 0
    if take(UInt8(ascii: ".")) {
      while let digit = digit() {
        decimals += 1
        mantissa = mantissa * 10 + Double(digit)
      }
      digits += decimals
    }
    return digits > 0 ? (mantissa, decimals) : nil
  }

  /// A number times a power of ten. Whole numbers below 2^53 and powers of ten to 22 are exact, so
  /// that one operation rounds once; others are off by a few units in the 16th digit.
  private static func scaled(_ mantissa: Double, _ exponent: Int) -> Double {
    var power = 1.0
    for _ in 0..<abs(exponent) { power *= 10 }
    return exponent < 0 ? mantissa / power : mantissa * power
  }

  private mutating func digit() -> Int? {
    guard let byte = next, (0x30...0x39).contains(byte) else { return nil }
    place += 1
    return Int(byte - 0x30)
  }
}
