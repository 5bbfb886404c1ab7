extension Background {
  /// The colour called `white`, `black` or `gray`, or written `#RRGGBB` in hexadecimal; nil for any
  /// other text. Upper and lower case are the same.
  public init?(text: String) {
    switch text.lowercased() {
    case "white": self = .white
    case "black": self = .black
    case "gray", "grey": self.init(red: 128, green: 128, blue: 128)
    default:
      let digits = text.dropFirst()
      guard text.hasPrefix("#"), digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
        let number = UInt32(digits, radix: 16)
      else { return nil }
      self.init(
        red: UInt8(truncatingIfNeeded: number >> 16),
        green: UInt8(truncatingIfNeeded: number >> 8), blue: UInt8(truncatingIfNeeded: number))
    }
  }

  /// The colour as `#RRGGBB`, in lower-case hexadecimal digits.
  public var text: String {
    let digits = [red, green, blue].map { channel in
      let text = String(channel, radix: 16)
      return channel < 16 ? "0" + text : text
    }
    return "#" + digits.joined()
  }
}
