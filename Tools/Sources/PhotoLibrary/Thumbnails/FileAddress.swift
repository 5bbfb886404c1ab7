import CropImaging

/// The `file:` URL of a file, encoded as GLib does, so that other programs find the same thumbnail.
enum FileAddress {
  /// The URL of an absolute path.
  static func of(_ path: PathBytes) -> String { "file://" + escaped(path.bytes) }

  /// The bytes of a path, encoded as part of a URL.
  static func escaped(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes {
      if isPlain(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + Digests.text([byte]).uppercased()
      }
    }
    return text
  }

  /// The bytes that ``escaped(_:)`` encodes as a text; nil for a text that it never returns.
  static func plain(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.popFirst() {
      guard first == UInt8(ascii: "%") else {
        guard isPlain(first) else { return nil }
        bytes.append(first)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard rest.count >= 2, digits.first != "+", let byte = UInt8(digits, radix: 16) else {
        return nil
      }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!$&'()*+,-./:=@_~".utf8.contains(byte)
    }
  }
}
