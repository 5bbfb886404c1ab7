// Byte helpers for editors that must work without strings.

extension [UInt8] {
  /// Whether the bytes at `at` are `text`.
  package func has(_ text: StaticString, at: Int = 0) -> Bool {
    let length = text.utf8CodeUnitCount
    guard at >= 0, length <= count - at else { return false }
    for index in 0..<length where self[at + index] != text.utf8Start[index] { return false }
    return true
  }

  /// Appends `text`.
  package mutating func append(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { append(text.utf8Start[index]) }
  }

  /// Appends the bytes of `other` from `start` up to `end`, which must be inside it.
  @inline(never)
  package mutating func append(_ other: [UInt8], from start: Int, to end: Int) {
    for index in start..<Swift.max(start, end) { append(other[index]) }
  }

  /// Sets each byte from `start` up to `end`, which must be inside, to `byte`.
  @inline(never)
  package mutating func fill(from start: Int, to end: Int, with byte: UInt8) {
    for index in start..<Swift.max(start, end) { self[index] = byte }
  }

  /// The bytes from `start` up to `end`, which must be inside.
  package func part(from start: Int, to end: Int) -> [UInt8] {
    var part: [UInt8] = []
    part.append(self, from: start, to: end)
    return part
  }

  /// Whether the bytes from `start` up to `end` contain a JPEG (its start, 0xFFD8, and a valid next
  /// marker), a PNG or a HEIF image.
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
      // The second marker may be beyond the end.
      return last & 0xFF_FFFF == 0xFF_D8FF
    }
  }
}
