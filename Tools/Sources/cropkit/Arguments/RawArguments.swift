import CropImaging

/// The program's arguments as strings that keep the exact bytes.
///
/// A file name can have any bytes, but `CommandLine.arguments` replaces invalid UTF-8. Here, a byte
/// that is not part of valid UTF-8 becomes the private-use character U+10FF00 + byte. So do the
/// bytes of a real character in that range, so that the encoding is unambiguous.
enum RawArguments {
  /// The arguments after the program's name.
  static let all = OwnProgram.arguments.dropFirst().map(text)

  private static let base: UInt32 = 0x10FF00
  private static let escapes: ClosedRange<UInt32> = 0x10FF80...0x10FFFF

  static func text(for bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var position = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if escapes.contains(scalar.value) {
          text.append(contentsOf: encoded.compactMap(escaped))
        } else {
          text.append(scalar)
        }
        position += encoded.count
      case .error(let length):
        text.append(contentsOf: bytes[position..<position + length].compactMap(escaped))
        position += length
      case .emptyInput:
        return String(text)
      }
    }
  }

  /// The bytes that `text(for:)` encoded as this text.
  static func bytes(of text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
      escapes.contains(scalar.value)
        ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }

  private static func escaped(_ byte: UInt8) -> Unicode.Scalar? {
    Unicode.Scalar(base + UInt32(byte))
  }
}
