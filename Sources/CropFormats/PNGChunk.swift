import CCompression
import FoundationEssentials

/// The CRC-32 checksum (ISO 3309), with which archives and PNG detect damage.
public enum CRC32 {
  /// The checksum of `bytes`, continuing from the checksum `before` of the bytes in front of them.
  public static func checksum(of bytes: some ContiguousBytes, after before: UInt32 = 0) -> UInt32 {
    bytes.withUnsafeBytes { all in
      let start = all.bindMemory(to: UInt8.self).baseAddress
      // zlib restarts the checksum if it gets no bytes.
      return start.map { UInt32(truncatingIfNeeded: crc32_z(uLong(before), $0, all.count)) }
        ?? before
    }
  }
}

/// Writes the chunks of a PNG.
public enum PNGChunk {
  /// A complete chunk: length, type (four letters), contents and checksum.
  public static func encoded(_ name: String, _ contents: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + contents
    return ByteOrder.big.bytes(contents.count, 4) + body
      + ByteOrder.big.bytes(Int(CRC32.checksum(of: body)), 4)
  }
}
