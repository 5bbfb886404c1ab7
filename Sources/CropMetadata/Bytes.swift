// Small steps with bytes, for editors that must also work where there are no strings to build.

extension [UInt8] {
  /// Whether `text` stands at `at`.
  package func has(_ text: StaticString, at: Int = 0) -> Bool {
    let length = text.utf8CodeUnitCount
    guard at >= 0, length <= count - at else { return false }
    for index in 0..<length where self[at + index] != text.utf8Start[index] { return false }
    return true
  }

  /// Adds `text` at the end.
  package mutating func append(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { append(text.utf8Start[index]) }
  }

  /// Adds the bytes of `other` from `start` up to `end`, which must lie inside it.
  @inline(never)
  package mutating func append(_ other: [UInt8], from start: Int, to end: Int) {
    for index in start..<Swift.max(start, end) { append(other[index]) }
  }

  /// Makes each byte from `start` up to `end`, which must lie inside, the same.
  @inline(never)
  package mutating func fill(from start: Int, to end: Int, with byte: UInt8) {
    for index in start..<Swift.max(start, end) { self[index] = byte }
  }

  /// The bytes from `start` up to `end`, which must lie inside.
  package func part(from start: Int, to end: Int) -> [UInt8] {
    var part: [UInt8] = []
    part.append(self, from: start, to: end)
    return part
  }

  /// Whether there is a JPEG (its start, 0xFFD8, and a marker that can follow), a PNG or a HEIF picture among
  /// the bytes from `start` up to `end`.
  package func holdsPicture(from start: Int = 0, to end: Int) -> Bool {
    guard end - start >= 8 else { return false }
    return withUnsafeBufferPointer { all in
      var last: UInt32 = 0
      for index in start..<Swift.min(end, all.count) {
        last = last << 8 | UInt32(all[index])
        // A JPEG's first two markers, the second of 0xC0 or more (ITU-T T.81, table B.1); "\x89PNG"; "ftyp".
        let isJPEG = last >> 8 == 0xFF_D8FF && last & 0xFF >= 0xC0
        if isJPEG || last == 0x8950_4E47 || last == 0x6674_7970 { return true }
      }
      // The second marker may lie behind the end.
      return last & 0xFF_FFFF == 0xFF_D8FF
    }
  }
}
