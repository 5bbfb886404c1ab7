// Formats and parses decimal numbers where strings are not available.

extension [UInt8] {
  /// Parses the decimal number from `start` up to `end`, with white space around it: `0.5`, `-10`,
  /// `+1.5`, `1e-05`.
  ///
  /// Nil for anything else: hexadecimal digits, infinities, or a number of more than 18 digits
  /// before its point.
  package func decimal(from start: Int, to end: Int) -> Double? {
    var (at, end) = (start, Swift.min(end, count))
    while at < end, self[at].isSpace { at += 1 }
    while at < end, self[end - 1].isSpace { end -= 1 }
    var isNegative = false
    if at < end, self[at] == UInt8(ascii: "-") || self[at] == UInt8(ascii: "+") {
      isNegative = self[at] == UInt8(ascii: "-")
      at += 1
    }
    guard let mantissa = mantissa(&at, end) else { return nil }
    var (value, exponent) = mantissa
    if at < end, self[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      guard let more = smallWhole(&at, end) else { return nil }
      exponent += more
    }
    guard at == end else { return nil }
    // Powers of ten up to 10²² are exact, and dividing by one rounds once.
    while exponent > 0 {
      value *= 10
      exponent -= 1
    }
    var divisor = 1.0
    while exponent < 0 {
      divisor *= 10
      exponent += 1
      if divisor == 1e22 || exponent == 0 {
        value /= divisor
        divisor = 1
      }
    }
    return isNegative ? -value : value
  }

  /// Reads digits with an optional point; returns the value without the point, and the negative
  /// number of digits after it.
  private func mantissa(_ at: inout Int, _ end: Int) -> (value: Double, exponent: Int)? {
    var digits: Int64 = 0
    var (count, exponent) = (0, 0)
    var isBehindPoint = false
    while at < end {
      let byte = self[at]
      if byte == UInt8(ascii: "."), !isBehindPoint {
        isBehindPoint = true
      } else if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
        count += 1
        if digits < 100_000_000_000_000_000 {
          digits = digits &* 10 &+ Int64(byte - UInt8(ascii: "0"))
          if isBehindPoint { exponent -= 1 }
        } else if !isBehindPoint {
          return nil
        }
      } else {
        break
      }
      at += 1
    }
    return count > 0 ? (Double(digits), exponent) : nil
  }

  /// A non-negative integer of at most two digits.
  private func smallWhole(_ at: inout Int, _ end: Int) -> Int? {
    var sign = 1
    if at < end, self[at] == UInt8(ascii: "-") || self[at] == UInt8(ascii: "+") {
      sign = self[at] == UInt8(ascii: "-") ? -1 : 1
      at += 1
    }
    let first = at
    var value = 0
    while at < end, self[at] >= UInt8(ascii: "0"), self[at] <= UInt8(ascii: "9") {
      value = value * 10 + Int(self[at] - UInt8(ascii: "0"))
      at += 1
      if at - first > 2 { return nil }
    }
    return at > first ? sign * value : nil
  }

  /// Appends a number with at most nine decimals, without trailing zeros.
  ///
  /// - Parameter value: finite, and with a magnitude below 10⁹; otherwise 0 is written.
  package mutating func append(decimal value: Double) {
    let billionths = (abs(value) * 1e9).rounded(.toNearestOrAwayFromZero)
    guard billionths >= 1, billionths < 1e18 else { return append(UInt8(ascii: "0")) }
    if value < 0 { append(UInt8(ascii: "-")) }
    let whole = Int64(billionths)
    append(digits: whole / 1_000_000_000)
    var rest = whole % 1_000_000_000
    if rest == 0 { return }
    append(UInt8(ascii: "."))
    var place: Int64 = 100_000_000
    while rest > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / place))
      rest %= place
      place /= 10
    }
  }

  private mutating func append(digits number: Int64) {
    if number >= 10 { append(digits: number / 10) }
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }
}

extension UInt8 {
  /// Whether it is a space, a tab or a line break.
  package var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
