import CZlib

/// Zlib streams (RFC 1950) of a bounded size: PNG packs texts and profiles so.
package enum Zlib {
  /// The unpacked bytes; nil where the stream is damaged or holds more than `most` bytes.
  static func unpacked(_ stream: ArraySlice<UInt8>, most: Int) -> [UInt8]? {
    unpacked(stream, most: most, windowBits: 15)
  }

  /// The unpacked bytes of a Deflate stream alone (RFC 1951); nil as for a whole one.
  package static func inflated(_ stream: [UInt8], most: Int) -> [UInt8]? {
    // A negative window is zlib's word for a stream without header and checksum.
    unpacked(stream[...], most: most, windowBits: -15)
  }

  private static func unpacked(
    _ stream: ArraySlice<UInt8>, most: Int, windowBits: Int32
  ) -> [UInt8]? {
    var state = z_stream()
    guard let length = UInt32(exactly: stream.count),
      inflateInit2_(&state, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { inflateEnd(&state) }
    var input = Array(stream)
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    return input.withUnsafeMutableBufferPointer { input in
      (state.next_in, state.avail_in) = (input.baseAddress, length)
      var output: [UInt8] = []
      while true {
        let result = piece.withUnsafeMutableBufferPointer { piece in
          (state.next_out, state.avail_out) = (piece.baseAddress, UInt32(piece.count))
          return inflate(&state, Z_NO_FLUSH)
        }
        output += piece.dropLast(Int(state.avail_out))
        guard output.count <= most else { return nil }
        if result == Z_STREAM_END { return output }
        guard result == Z_OK else { return nil }
      }
    }
  }

  /// A stream that holds `bytes` as they are; nil where there is no memory for it.
  package static func stored(_ bytes: [UInt8]) -> [UInt8]? {
    var count = compressBound(uLong(bytes.count))
    var stream = [UInt8](repeating: 0, count: Int(count))
    guard compress2(&stream, &count, bytes, uLong(bytes.count), Z_NO_COMPRESSION) == Z_OK else {
      return nil
    }
    return Array(stream.prefix(Int(count)))
  }

  /// CRC-32 as PNG defines it (ISO 3309), of `bytes` behind those whose checksum is `before`.
  static func checksum(_ bytes: [UInt8], after before: UInt32 = 0) -> UInt32 {
    // For no bytes at all zlib would begin anew.
    bytes.isEmpty
      ? before : UInt32(truncatingIfNeeded: crc32_z(uLong(before), bytes, bytes.count))
  }
}
