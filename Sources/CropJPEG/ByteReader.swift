/// Reads an input sequentially, or from any offset, through a small buffer.
final class ByteReader {
  static let capacity = 65_536

  private let input: JPEGInput
  let buffer: UnsafeMutablePointer<UInt8>
  /// The file offset of the buffer's first byte.
  private var base: Int64 = 0
  /// How many bytes of the buffer are filled.
  private(set) var filled = 0
  /// The next byte, as an index into the buffer, at most `filled`.
  var cursor = 0

  init(_ input: JPEGInput) {
    self.input = input
    buffer = zeroed(Self.capacity)
  }

  deinit { buffer.deallocate() }

  /// The file offset of the next byte.
  var offset: Int64 { base + Int64(cursor) }

  /// The number of bytes that can be read without another call to the input.
  var ready: Int { filled - cursor }

  /// Moves to `offset`; an offset past the end is detected when bytes are requested.
  func seek(_ offset: Int64) {
    let distance = offset - base
    if distance >= 0, distance <= Int64(filled) {
      cursor = Int(distance)
    } else {
      base = offset
      filled = 0
      cursor = 0
    }
  }

  /// Loads at least `count` bytes, at most `capacity`; false if the file ends first.
  func need(_ count: Int) throws(JPEGError) -> Bool {
    if ready >= count { return true }
    if cursor > 0 {
      let rest = ready
      buffer.update(from: buffer + cursor, count: rest)
      base += Int64(cursor)
      filled = rest
      cursor = 0
    }
    while filled < count {
      let room = UnsafeMutableRawBufferPointer(
        start: buffer + filled, count: Self.capacity - filled)
      let got = try input.read(base + Int64(filled), room)
      // An input that returns invalid counts must not move the end beyond the buffer.
      guard got > 0, got <= room.count else { return false }
      filled += got
    }
    return true
  }

  func byte() throws(JPEGError) -> UInt8 {
    guard try need(1) else { throw .truncated(offset: offset) }
    cursor += 1
    return buffer[cursor - 1]
  }

  /// The next two bytes as a number, the high one first.
  func big16() throws(JPEGError) -> Int {
    guard try need(2) else { throw .truncated(offset: offset) }
    cursor += 2
    return Int(buffer[cursor - 2]) << 8 | Int(buffer[cursor - 1])
  }
}

/// The high bit of each byte of `word` that is 0xFF, other bits 0.
@inline(__always)
func maskOfFF(_ word: UInt64) -> UInt64 {
  // The sum carries into a byte's high bit only if its low seven bits are all set.
  ((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080
}

/// Eight bytes, the first in the lowest bits.
@inline(__always)
func little64(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
  UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
}

/// Eight bytes, the first in the highest bits.
@inline(__always)
func big64(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
  UInt64(bigEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
}

/// Memory of `count` bytes, a multiple of 16, all zero.
func zeroed(_ count: Int) -> UnsafeMutablePointer<UInt8> {
  let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
  // In words, since a loop over bytes takes as long as reading a small image.
  memory.initializeMemory(as: SIMD2<UInt64>.self, repeating: SIMD2(), count: count / 16)
  return memory.bindMemory(to: UInt8.self, capacity: count)
}
