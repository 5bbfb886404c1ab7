// How people write what is to be cut: `Schema/grammars.json` has the forms with examples, which every face is
// tested with.

extension CropLength {
  /// `120` or `12.5%`; nil where neither is next.
  init?(_ reader: inout TextReader) {
    guard let number = reader.number() else { return nil }
    self = reader.take(UInt8(ascii: "%")) ? .percent(number) : .pixels(number)
  }

  /// Lengths with commas between them; nil for anything else.
  public static func list(_ text: String) -> [Self]? { list(TextReader(text)) }

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
  /// Numbers in fractions or, with a per cent sign, in per cent, as fractions; nil for anything else.
  public static func fractions(_ text: String) -> [Double]? {
    list(TextReader(text))?.map { length in
      switch length {
      case .pixels(let fraction): fraction
      case .percent(let percent): percent / 100
      }
    }
  }
}

extension CropArea {
  /// The rectangle that `X,Y,W,H` or `WxH+X+Y` says, each in pixels or, with a per cent sign, as a share of
  /// the side; nil for anything else. A negative width or height leaves as much room at the far edge.
  public init?(rectangle text: String) { self.init(rectangle: TextReader(text)) }

  init?(rectangle text: TextReader) {
    if let lengths = CropLength.list(text) {
      guard lengths.count == 4 else { return nil }
      self = .rectangle(x: lengths[0], y: lengths[1], width: lengths[2], height: lengths[3])
      return
    }
    var reader = text
    guard let width = CropLength(&reader), reader.take(UInt8(ascii: "x")),
      let height = CropLength(&reader), reader.take(UInt8(ascii: "+")),
      let x = CropLength(&reader), reader.take(UInt8(ascii: "+")),
      let y = CropLength(&reader), reader.isAtEnd
    else { return nil }
    self = .rectangle(x: x, y: y, width: width, height: height)
  }

  /// What is left when `ALL`, `ACROSS,DOWN` or `LEFT,TOP,RIGHT,BOTTOM` is cut off, each in pixels or per cent
  /// of the side; nil for anything else.
  public init?(inset text: String) { self.init(inset: TextReader(text)) }

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
  /// The size that `WxH` says in whole pixels; nil for anything else.
  public init?(text: String) { self.init(TextReader(text)) }

  init?(_ text: TextReader) {
    var reader = text
    guard let width = reader.whole(), reader.take(UInt8(ascii: "x")),
      let height = reader.whole(), reader.isAtEnd
    else { return nil }
    self.init(width: width, height: height)
  }
}

extension CropShape {
  /// The outline that `rectangle`, `ellipse` or `rounded:RADIUS` says; nil for anything else.
  public init?(text: String) { self.init(TextReader(text)) }

  init?(_ text: TextReader) {
    var reader = text
    if reader.take("rectangle") {
      self = .rectangle
    } else if reader.take("ellipse") {
      self = .ellipse
    } else {
      guard reader.take("rounded:"), let radius = reader.number() else { return nil }
      self = .roundedRectangle(radius: radius)
    }
    guard reader.isAtEnd else { return nil }
  }
}

extension Angle {
  /// The angle of a number of degrees; nil for anything else.
  public init?(degrees text: String) { self.init(degrees: TextReader(text)) }

  init?(degrees text: TextReader) {
    var reader = text
    guard let degrees = reader.number(), reader.isAtEnd else { return nil }
    self.init(degrees: degrees)
  }
}
