import CCompression

/// Zlib streams (RFC 1950) of a limited size, in which PNG compresses texts and profiles.
package enum Zlib {
  /// The decompressed bytes; nil if the stream is damaged or contains more than `most` bytes.
  static func unpacked(_ stream: ArraySlice<UInt8>, most: Int) -> [UInt8]? {
    unpacked(stream, most: most, windowBits: 15)
  }

  /// The decompressed bytes of a raw Deflate stream (RFC 1951); nil as for a zlib stream.
  package static func inflated(_ stream: [UInt8], most: Int) -> [UInt8]? {
    // A negative window size means a stream without header and checksum.
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

  /// A stream that stores `bytes` uncompressed; nil if there is not enough memory.
  package static func stored(_ bytes: [UInt8]) -> [UInt8]? {
    var count = compressBound(uLong(bytes.count))
    var stream = [UInt8](repeating: 0, count: Int(count))
    guard compress2(&stream, &count, bytes, uLong(bytes.count), Z_NO_COMPRESSION) == Z_OK else {
      return nil
    }
    return Array(stream.prefix(Int(count)))
  }
}
