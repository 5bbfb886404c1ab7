/// The pieces a PNG consists of.
public enum PNGChunk {
  /// A chunk: length, name (four letters), contents, checksum.
  public static func encoded(_ name: String, _ contents: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + contents
    return ByteOrder.big.bytes(contents.count, 4) + body
      + ByteOrder.big.bytes(Int(Zlib.checksum(body)), 4)
  }
}
