extension ByteReader {
  /// Moves to the 0xFF of the next marker and returns its second byte; nil at the end of the file.
  ///
  /// Skips everything else: coded data with their stuffed zeros, and fill bytes.
  func seekMarker() throws(JPEGError) -> UInt8? {
    while true {
      guard try need(2) else {
        cursor = filled
        return nil
      }
      // Leaves the last byte for the next round, since it may be the first byte of a marker.
      let end = filled - 1
      var at = cursor
      while let found = firstMarker(from: at, to: end) {
        guard buffer[found + 1] == 0xFF else {
          cursor = found
          return buffer[found + 1]
        }
        at = found + 1
      }
      cursor = end
    }
  }

  /// The index of the first 0xFF of the buffer in a range that no 0 follows; nil if there is none.
  @inline(__always)
  private func firstMarker(from start: Int, to end: Int) -> Int? {
    var at = start
    // Stuffed zeros occur about every 256 bytes; testing both bytes together needs no branch for
    // them. In each byte, the high bit is set if the first is 0xFF, and if the second is not 0.
    while end &- at >= 32 {
      let first = UnsafeRawPointer(buffer + at).loadUnaligned(as: SIMD4<UInt64>.self)
      let second = UnsafeRawPointer(buffer + at + 1).loadUnaligned(as: SIMD4<UInt64>.self)
      let low = SIMD4<UInt64>(repeating: 0x7F7F_7F7F_7F7F_7F7F)
      let isFF = ((first & low) &+ SIMD4(repeating: 0x0101_0101_0101_0101)) & first
      let found = isFF & (((second & low) &+ low) | second)
      if (found[0] | found[1] | found[2] | found[3]) & 0x8080_8080_8080_8080 != 0 { break }
      at &+= 32
    }
    while at < end {
      if buffer[at] == 0xFF, buffer[at + 1] != 0 { return at }
      at &+= 1
    }
    return nil
  }

  /// Skips the next marker and returns its second byte; nil at the end of the file.
  ///
  /// Fill bytes before it are part of the format, other bytes cause a warning.
  func nextMarker(_ warnings: inout JPEGWarnings) throws(JPEGError) -> UInt8? {
    let start = offset
    while try need(1), buffer[cursor] == 0xFF {
      guard try need(2) else { break }
      if buffer[cursor + 1] != 0xFF { break }
      cursor += 1
    }
    let expected = offset
    guard let marker = try seekMarker() else {
      if offset > start { warnings.insert(.extraBytes) }
      return nil
    }
    if offset > expected { warnings.insert(.extraBytes) }
    cursor += 2
    return marker
  }

  /// Reads the length of the segment that starts here, and returns the length of its content.
  func segmentCount() throws(JPEGError) -> Int {
    let start = offset
    let length = try big16()
    guard length >= 2 else { throw .corrupt(.segmentLength, offset: start) }
    return length - 2
  }
}
