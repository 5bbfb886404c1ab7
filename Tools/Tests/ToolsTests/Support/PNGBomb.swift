/// A valid PNG with a huge number of black pixels in a few megabytes.
enum PNGBomb {
  /// A gray image with one bit per pixel and sides of `side` pixels.
  static func bytes(side: Int) -> [UInt8] {
    let row = (side + 7) / 8 + 1
    var header = bigEndian(side) + bigEndian(side)
    header += [1, 0, 0, 0, 0]
    var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    file += chunk("IHDR", header)
    file += chunk("IDAT", zeros(row * side))
    file += chunk("IEND", [])
    return file
  }

  /// A zlib stream of `count` zeros: one literal, then "258 times the last byte" with fixed codes.
  private static func zeros(_ count: Int) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var bits: UInt32 = 0
    var bitCount: UInt32 = 0
    func put(_ value: UInt32, _ length: UInt32) {
      bits |= value << bitCount
      bitCount += length
      while bitCount >= 8 {
        stream.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        bitCount -= 8
      }
    }
    put(0b011, 3)  // The last block, fixed codes.
    put(0b0000_1100, 8)  // Literal 0: 00110000, the highest bit first.
    let repeats = (count - 1) / 258
    for _ in 0..<repeats {
      put(0b1010_0011, 8)  // Length 258: 11000101.
      put(0, 5)  // Distance 1.
    }
    for _ in 0..<(count - 1 - repeats * 258) { put(0b0000_1100, 8) }
    put(0, 7)  // End of the block.
    if bitCount > 0 { put(0, 8 - bitCount) }
    // Adler-32 of zeros: the first sum stays 1, the second counts.
    return stream + bigEndian((count % 65_521) << 16 | 1)
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    let content = Array(name.utf8) + body
    return bigEndian(body.count) + content + bigEndian(Int(checksum(content)))
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    let table: [UInt32] = (0..<256).map { entry in
      var value = UInt32(entry)
      for _ in 0..<8 { value = value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
      return value
    }
    var sum = UInt32.max
    for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xff)] ^ (sum >> 8) }
    return ~sum
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
