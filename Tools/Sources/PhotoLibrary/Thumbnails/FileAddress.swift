import CropImaging

/// The `file:` address of a file, written as GLib writes it, so that other programs find the same
/// thumbnail under it.
enum FileAddress {
  /// The address of an absolute path.
  static func of(_ path: PathBytes) -> String { "file://" + escaped(path.bytes) }

  /// Bytes of a path as part of an address.
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

  /// The bytes that ``escaped(_:)`` made a text of; nil for a text that it never makes.
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
