// Parses ratios that users type, as bytes of UTF-8, since the page's module has no strings.

extension AspectRatio {
  /// Parses `W:H`, `W/H` or `WxH` in whole or decimal numbers, such as `16:9` or `1.91:1`, or the
  /// quotient of width and height, such as `1.5`; nil for anything else. Terms are at most
  /// ``largestTypedTerm`` and are read to six decimals, or three if the lowest terms would exceed
  /// 32 bits.
  public init?(utf8 text: [UInt8]) {
    var reader = TextReader(text)
    guard let width = reader.term(), width <= Self.largestTypedTerm else { return nil }
    if reader.isAtEnd {
      self.init(quotient: width)
      return
    }
    reader.skipSpaces()
    guard reader.take(":") || reader.take("/") || reader.take("x") else { return nil }
    reader.skipSpaces()
    guard let height = reader.term(), height <= Self.largestTypedTerm, reader.isAtEnd else {
      return nil
    }
    // `Int` has 32 bits in the page's module, so use 64 here.
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

  /// The ratio that a quotient such as 1.7777777777777777 stands for, here 16:9, found by continued
  /// fractions. If it needs terms of 1000 or more, the quotient is rounded to three decimals. Nil
  /// as for ``init(rounding:_:)``.
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
  /// Parses `free` or an empty text, `original`, `square`, or a ratio as
  /// ``AspectRatio/init(utf8:)`` does; nil for anything else.
  public init?(utf8 text: [UInt8]) {
    var reader = TextReader(text)
    if text.isEmpty || reader.take("free") {
      self = .free
    } else if reader.take("original") {
      self = .original(isSwapped: false)
    } else if reader.take("square") {
      self = .fixed(.square)
    } else {
      guard let ratio = AspectRatio(utf8: text) else { return nil }
      self = .fixed(ratio)
      return
    }
    guard reader.isAtEnd else { return nil }
  }
}

#if !hasFeature(Embedded)
  extension AspectRatio {
    /// Parses a ratio as ``init(utf8:)`` does.
    public init?(text: String) { self.init(utf8: Array(text.utf8)) }
  }

  extension RatioChoice {
    /// Parses a choice as ``init(utf8:)`` does.
    public init?(text: String) { self.init(utf8: Array(text.utf8)) }
  }
#endif
