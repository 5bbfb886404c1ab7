import CropImaging
import Glibc

/// A URI: a scheme, a colon and a slash (RFC 3986, 3.1), as in `s3a://bucket/a.jpg`.
///
/// Here a scheme has at least two characters. A path of this form needs `./` in front.
struct Address: Equatable {
  /// The scheme in lower case, without the colon.
  let scheme: String
  private let rest: [UInt8]

  /// Nil for a path.
  init?(_ bytes: [UInt8]) {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 1,
      bytes.dropFirst(colon + 1).first == UInt8(ascii: "/"),
      let first = bytes.first, Self.isLetter(first),
      bytes[..<colon].allSatisfy({ Self.isLetter($0) || "0123456789+-.".utf8.contains($0) })
    else { return nil }
    scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    rest = Array(bytes[(colon + 1)...])
  }

  /// The path in a `file:` URL on this machine (RFC 8089); nil for any other URL.
  var localPath: [UInt8]? {
    guard scheme == "file" else { return nil }
    var path = rest[...]
    if path.starts(with: "//localhost/".utf8) {
      path = path.dropFirst("//localhost".utf8.count)
    } else if path.starts(with: "///".utf8) {
      path = path.dropFirst(2)
    }
    guard !path.starts(with: "//".utf8) else { return nil }
    return Self.withoutPercents(path)
  }

  /// Decodes percent-encoding.
  private static func withoutPercents(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        digits.allSatisfy({ isxdigit(Int32($0)) != 0 }),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}

extension FileArgument {
  /// - Throws: `CropError.usage` for a URL that is not a file's on this machine.
  func checkIsLocal() throws(CropError) {
    guard let address = Address(path.bytes) else { return }
    throw .usage(
      detail: address.scheme == "file"
        ? "\(name): the file is on another machine; copy it to this one first"
        : "\(name): \(address.scheme): URLs are not supported; use a file on this machine")
  }
}
