// Parsers for crop areas that users type. `Schema/grammars.json` lists the forms with examples,
// with which every user interface is tested.

extension CropLength {
  /// Reads `120` or `12.5%`; nil if neither comes next.
  init?(_ reader: inout TextReader) {
    guard let number = reader.number() else { return nil }
    self = reader.take(UInt8(ascii: "%")) ? .percent(number) : .pixels(number)
  }

  /// Parses a length such as `120` or `12.5%`; nil for anything else.
  public init?(text: String) { self.init(utf8: Array(text.utf8)) }

  /// Parses the same as bytes of UTF-8.
  public init?(utf8 text: [UInt8]) {
    var reader = TextReader(text)
    self.init(&reader)
    guard reader.isAtEnd else { return nil }
  }

  /// Parses comma-separated lengths; nil for anything else.
  public static func list(_ text: String) -> [Self]? { list(TextReader(text)) }

  /// Parses the same as bytes of UTF-8.
  public static func list(utf8 text: [UInt8]) -> [Self]? { list(TextReader(text)) }

  static func list(_ text: TextReader) -> [Self]? {
    var reader = text
    var lengths: [Self] = []
    repeat {
      guard let length = Self(&reader) else { return nil }
      lengths.append(length)
    } while reader.take(UInt8(ascii: ","))
    return reader.isAtEnd ? lengths : nil
  }
}

extension CropLength {
  /// Parses comma-separated fractions such as `0.25`, or percentages such as `25%`, and returns
  /// fractions; nil for anything else.
  public static func fractions(_ text: String) -> [Double]? { fractions(TextReader(text)) }

  static func fractions(_ text: TextReader) -> [Double]? {
    list(text)?.map { length in
      switch length {
      case .pixels(let fraction): fraction
      case .percent(let percent): percent / 100
      }
    }
  }
}

extension CropArea {
  /// Parses a rectangle: `X,Y,W,H`, `WxH+X+Y` or, centered, `WxH`. Each number is in pixels or, with
  /// a percent sign, a share of the side. A negative width or height ends that far before the far
  /// edge. Nil for anything else.
  public init?(rectangle text: String) { self.init(rectangle: TextReader(text)) }

  /// Parses the same as bytes of UTF-8.
  public init?(rectangle text: [UInt8]) { self.init(rectangle: TextReader(text)) }

  init?(rectangle text: TextReader) {
    if let lengths = CropLength.list(text) {
      guard lengths.count == 4 else { return nil }
      self = .rectangle(x: lengths[0], y: lengths[1], width: lengths[2], height: lengths[3])
      return
    }
    var reader = text
    guard let width = CropLength(&reader), reader.take(UInt8(ascii: "x")),
      let height = CropLength(&reader)
    else { return nil }
    if reader.isAtEnd {
      self = .sized(width: width, height: height, .center)
      return
    }
    guard reader.take(UInt8(ascii: "+")), let x = CropLength(&reader),
      reader.take(UInt8(ascii: "+")),
      let y = CropLength(&reader), reader.isAtEnd
    else { return nil }
    self = .rectangle(x: x, y: y, width: width, height: height)
  }

  /// Parses the amount to cut off each side: `ALL`, `ACROSS,DOWN` or `LEFT,TOP,RIGHT,BOTTOM`, each
  /// in pixels or percent of the side; nil for anything else.
  public init?(inset text: String) { self.init(inset: TextReader(text)) }

  /// Parses the same as bytes of UTF-8.
  public init?(inset text: [UInt8]) { self.init(inset: TextReader(text)) }

  init?(inset text: TextReader) {
    guard let lengths = CropLength.list(text) else { return nil }
    let count = lengths.count
    guard count == 1 || count == 2 || count == 4 else { return nil }
    self = .inset(
      left: lengths[0], top: lengths[1 % count], right: lengths[2 % count],
      bottom: lengths[3 % count])
  }
}

extension FrameSize {
  /// Parses `WxH` or `W × H` in whole pixels; nil for anything else.
  public init?(text: String) { self.init(utf8: Array(text.utf8)) }

  /// Parses the same as bytes of UTF-8.
  public init?(utf8 text: [UInt8]) {
    var reader = TextReader(text)
    guard let width = reader.whole(), reader.takeTimes(), let height = reader.whole(),
      reader.isAtEnd
    else { return nil }
    self.init(width: width, height: height)
  }
}

extension CropCanvas.Extent {
  /// Parses `W:H` as a ratio and `WxH` as a size in whole pixels; nil for anything else.
  public init?(text: String) { self.init(utf8: Array(text.utf8)) }

  /// Parses the same as bytes of UTF-8.
  public init?(utf8 text: [UInt8]) {
    if let size = FrameSize(utf8: text) {
      guard !size.isEmpty else { return nil }
      self = .size(size)
    } else {
      // A single number could also be a side in pixels.
      guard text.contains(UInt8(ascii: ":")) || text.contains(UInt8(ascii: "/")),
        let ratio = AspectRatio(utf8: text)
      else { return nil }
      self = .ratio(ratio)
    }
  }
}

extension CropShape {
  /// Parses an outline: `rectangle`, `ellipse`, `circle` or `rounded:RADIUS`; nil for anything
  /// else. A circle is read as an ellipse: the caller makes the crop square.
  public init?(text: String) { self.init(utf8: Array(text.utf8)) }

  /// Parses the same as bytes of UTF-8.
  public init?(utf8 text: [UInt8]) {
    var reader = TextReader(text)
    if reader.take("rectangle") {
      self = .rectangle
    } else if reader.take("ellipse") || reader.take("circle") {
      self = .ellipse
    } else {
      guard reader.take("rounded:"), let radius = reader.number(), radius >= 0 else { return nil }
      self = .roundedRectangle(radius: radius)
    }
    guard reader.isAtEnd else { return nil }
  }
}

extension CropAngle {
  /// Parses an angle in degrees; nil for anything else.
  public init?(degrees text: String) { self.init(degrees: TextReader(text)) }

  /// Parses the same as bytes of UTF-8.
  public init?(degrees text: [UInt8]) { self.init(degrees: TextReader(text)) }

  init?(degrees text: TextReader) {
    var reader = text
    guard let degrees = reader.number(), reader.isAtEnd else { return nil }
    self.init(degrees: degrees)
  }
}
