/// The pieces a PNG consists of.
public enum PNGChunk {
  /// A chunk: length, name (four letters), contents, checksum.
  public static func encoded(_ name: String, _ contents: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + contents
    return bigEndian(UInt32(truncatingIfNeeded: contents.count)) + body
      + bigEndian(checksum(body))
  }

  /// Four bytes, the high one first.
  package static func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  /// CRC-32 as PNG defines it (ISO 3309).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { (table[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8)) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }
}
