/// A path as the file system stores it: any bytes but zero, valid UTF-8 or not.
public struct PathBytes: Sendable, Hashable {
  /// The bytes, without a terminating zero.
  public let bytes: [UInt8]

  /// The path with the given bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The path with the given characters, encoded as UTF-8.
  public init(_ text: String) { self.init(Array(text.utf8)) }

  /// The path in messages; invalid UTF-8 is shown as replacement characters.
  public var name: String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes and a terminating zero, for C functions.
  public var terminated: [CChar] { bytes.map(CChar.init(bitPattern:)) + [0] }

  /// The folder and the name in it.
  public var split: (folder: Self, name: Self) {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (Self("."), self) }
    let folder = slash == 0 ? Self("/") : Self(Array(bytes[..<slash]))
    return (folder, Self(Array(bytes[(slash + 1)...])))
  }
}
