/// An opaque sRGB color of 8 bits per channel, shown behind transparent pixels.
public struct Background: Sendable, Hashable {
  /// Red, 0 to 255.
  public var red: UInt8
  /// Green, 0 to 255.
  public var green: UInt8
  /// Blue, 0 to 255.
  public var blue: UInt8

  /// The color with the given channels.
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
  /// Parses `#RRGGBB` or `#RGB` in hexadecimal, or a CSS color name (`white`, `tomato`), in upper
  /// or lower case; nil for any other text.
  public init?(text: String) { self.init(TextReader(text)) }

  init?(_ text: TextReader) {
    var bytes = text.bytes
    for index in bytes.indices where (0x41...0x5A).contains(bytes[index]) { bytes[index] |= 0x20 }
    guard bytes.first == UInt8(ascii: "#") else {
      self.init(named: bytes)
      return
    }
    var digits: [UInt8] = []
    for byte in bytes[1...] {
      guard let digit = Self.digit(byte) else { return nil }
      digits.append(digit)
    }
    switch digits.count {
    case 3: self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
    case 6:
      self.init(
        red: digits[0] << 4 | digits[1], green: digits[2] << 4 | digits[3],
        blue: digits[4] << 4 | digits[5])
    default: return nil
    }
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
    /// The color as `#RRGGBB`, in lower-case hexadecimal digits.
    public var text: String {
      let digits = [red, green, blue].map { channel in
        let text = String(channel, radix: 16)
        return channel < 16 ? "0" + text : text
      }
      return "#" + digits.joined()
    }
  #endif
}
