import CZlib
import FoundationEssentials

/// CRC-32 as ISO 3309 defines it, by which archives and PNG tell damage.
public enum CRC32 {
  /// The checksum of all of some bytes.
  public static func checksum(of bytes: Data) -> UInt32 {
    bytes.withUnsafeBytes { all in
      let start = all.bindMemory(to: UInt8.self).baseAddress
      // For no bytes at all zlib would begin anew.
      return start.map { UInt32(truncatingIfNeeded: crc32_z(0, $0, all.count)) } ?? 0
    }
  }
}
