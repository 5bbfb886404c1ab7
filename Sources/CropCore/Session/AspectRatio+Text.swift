// What people type as a ratio, as bytes of UTF-8: the page's module has no strings.

extension AspectRatio {
  /// The ratio that `W:H` or `W/H` says in whole or decimal numbers, such as `16:9` or `1.91:1`; nil
  /// for anything else. Terms are at most ``largestTypedTerm`` and count to the sixth decimal, to the third where the
  /// lowest terms would be too long for 32 bits.
  public init?(utf8 text: [UInt8]) {
    var reader = TermReader(text)
    guard let width = reader.term(), reader.skipSign(), let height = reader.term(), reader.isAtEnd
    else { return nil }
    // Of 32 bits the page's module has whole numbers, of 64 these.
    let (wide, high) = (Int64((width * 1e6).rounded()), Int64((height * 1e6).rounded()))
    var (divisor, rest) = (wide, high)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    guard divisor > 0 else { return nil }
    if let across = Int32(exactly: wide / divisor), let down = Int32(exactly: high / divisor) {
      self.init(Int(across), Int(down))
    } else {
      self.init(rounding: width, height)
    }
  }

  /// The ratio of a quotient such as 1.7777777777777777, which is 16:9, by continued fractions; to the third
  /// decimal where it has no terms below a thousand. Nil as for ``init(rounding:_:)``.
  public init?(quotient: Double) {
    guard quotient > 0, quotient <= Self.largestTypedTerm else { return nil }
    var (width, height, lastWidth, lastHeight) = (quotient.rounded(.down), 1.0, 1.0, 0.0)
    var rest = quotient - width
    while abs(width / height - quotient) > 1e-6 * quotient {
      let whole = (1 / rest).rounded(.down)
      rest = 1 / rest - whole
      (width, height, lastWidth, lastHeight) = (
        whole * width + lastWidth, whole * height + lastHeight, width, height
      )
      guard max(width, height) < 1000 else {
        self.init(rounding: quotient, 1)
        return
      }
    }
    self.init(rounding: width, height)
  }
}

extension RatioChoice {
  /// What a text says: `free` or nothing, `original`, `square`, `W:H`, `W/H` or a number, which is the quotient
  /// of width and height; nil for anything else.
  public init?(utf8 text: [UInt8]) {
    if text.isEmpty || Self.says(text, "free") {
      self = .free
    } else if Self.says(text, "original") {
      self = .original(isSwapped: false)
    } else if Self.says(text, "square") {
      self = .fixed(.square)
    } else if let ratio = AspectRatio(utf8: text) {
      self = .fixed(ratio)
    } else {
      var reader = TermReader(text)
      guard let quotient = reader.term(), reader.isAtEnd,
        let ratio = AspectRatio(quotient: quotient)
      else { return nil }
      self = .fixed(ratio)
    }
  }

  private static func says(_ text: [UInt8], _ word: StaticString) -> Bool {
    guard text.count == word.utf8CodeUnitCount else { return false }
    for index in text.indices where text[index] != word.utf8Start[index] { return false }
    return true
  }
}

#if !hasFeature(Embedded)
  extension AspectRatio {
    /// The ratio that a text says, as ``init(utf8:)`` reads it.
    public init?(text: String) { self.init(utf8: Array(text.utf8)) }
  }

  extension RatioChoice {
    /// What a text says, as ``init(utf8:)`` reads it.
    public init?(text: String) { self.init(utf8: Array(text.utf8)) }
  }
#endif

/// Reads decimal numbers and what stands between them.
private struct TermReader {
  private let text: [UInt8]
  private var at = 0

  init(_ text: [UInt8]) { self.text = text }

  var isAtEnd: Bool { at == text.count }

  /// A decimal number, whose first 15 digits count; nil for none and for one beyond
  /// ``AspectRatio/largestTypedTerm``.
  @inline(never) mutating func term() -> Double? {
    // Whole numbers up to 10¹⁵ and their quotients are exact to the last bit.
    var (digits, scale, isBehindPoint) = (0.0, 1.0, false)
    let start = at
    while at < text.count {
      let byte = text[at]
      if byte == UInt8(ascii: "."), !isBehindPoint, at > start {
        isBehindPoint = true
      } else if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
        if digits < 1e14 {
          digits = digits * 10 + Double(byte - UInt8(ascii: "0"))
          if isBehindPoint { scale *= 10 }
        } else if !isBehindPoint {
          return nil
        }
      } else {
        break
      }
      at += 1
    }
    let value = digits / scale
    guard at > start, text[at - 1] != UInt8(ascii: "."), value <= AspectRatio.largestTypedTerm
    else {
      return nil
    }
    return value
  }

  /// Skips `:` or `/` and the spaces around it; false where neither stands.
  mutating func skipSign() -> Bool {
    var isSkipped = false
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: " "): break
      case UInt8(ascii: ":"), UInt8(ascii: "/"):
        if isSkipped { return false }
        isSkipped = true
      default: return isSkipped
      }
      at += 1
    }
    return false
  }
}
