/// A path as the file system has it: any bytes but zero, whether they are UTF-8 or not.
public struct PathBytes: Sendable, Hashable {
  /// The bytes, without a terminating zero.
  public let bytes: [UInt8]

  /// The path of the given bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The path of the given characters, as UTF-8.
  public init(_ text: String) { self.init(Array(text.utf8)) }

  /// What messages call it; what is not UTF-8 is shown as a replacement character.
  public var name: String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes and a zero, for calls of the C library.
  public var terminated: [CChar] { bytes.map(CChar.init(bitPattern:)) + [0] }

  /// The folder, and the name inside it.
  public var split: (folder: Self, name: Self) {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (Self("."), self) }
    let folder = slash == 0 ? Self("/") : Self(Array(bytes[..<slash]))
    return (folder, Self(Array(bytes[(slash + 1)...])))
  }
}
