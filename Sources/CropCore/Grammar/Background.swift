/// A colour behind transparent pixels: 8 bits each of red, green and blue, sRGB.
public struct Background: Sendable, Hashable {
  /// Red, 0 to 255.
  public var red: UInt8
  /// Green, 0 to 255.
  public var green: UInt8
  /// Blue, 0 to 255.
  public var blue: UInt8

  /// The colour with the given channels.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// White.
  public static var white: Self { Self(red: 255, green: 255, blue: 255) }
  /// Black.
  public static var black: Self { Self(red: 0, green: 0, blue: 0) }
}

extension Background {
  /// The colour called `white`, `black`, `gray` or `grey`, or written `#RRGGBB` in hexadecimal; nil for any
  /// other text. Upper and lower case are the same.
  public init?(text: String) { self.init(TextReader(text)) }

  init?(_ text: TextReader) {
    var bytes = text.bytes
    for index in bytes.indices where (0x41...0x5A).contains(bytes[index]) { bytes[index] |= 0x20 }
    var reader = TextReader(bytes)
    if reader.take("#"), bytes.count == 7 {
      var channels: [UInt8] = []
      for index in stride(from: 1, to: 7, by: 2) {
        guard let high = Self.digit(bytes[index]), let low = Self.digit(bytes[index + 1]) else {
          return nil
        }
        channels.append(high << 4 | low)
      }
      self.init(red: channels[0], green: channels[1], blue: channels[2])
      return
    }
    if reader.take("white") {
      self = .white
    } else if reader.take("black") {
      self = .black
    } else {
      guard reader.take("gray") || reader.take("grey") else { return nil }
      self.init(red: 128, green: 128, blue: 128)
    }
    guard reader.isAtEnd else { return nil }
  }

  /// The value of a hexadecimal digit in lower case.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  #if !hasFeature(Embedded)
    /// The colour as `#RRGGBB`, in lower-case hexadecimal digits.
    public var text: String {
      let digits = [red, green, blue].map { channel in
        let text = String(channel, radix: 16)
        return channel < 16 ? "0" + text : text
      }
      return "#" + digits.joined()
    }
  #endif
}
