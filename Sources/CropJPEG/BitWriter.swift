/// Writes the coded data of a scan through a small buffer: it takes bits and writes bytes with
/// stuffed zeros.
final class BitWriter {
  private static let capacity = 65_536

  private let buffer: UnsafeMutablePointer<UInt8>
  private var filled = 0
  /// The bits that do not make a complete byte yet, in the lowest positions; fewer than 8.
  private var pending: UInt64 = 0
  private var pendingCount = 0
  /// The number of bytes passed to the sink.
  private(set) var written: Int64 = 0

  init() {
    buffer = zeroed(Self.capacity)
  }

  deinit { buffer.deallocate() }

  /// Passes all complete bytes to the sink.
  func flush(_ sink: JPEGSink) throws(JPEGError) {
    guard filled > 0 else { return }
    let count = filled
    filled = 0
    written += Int64(count)
    try sink(UnsafeRawBufferPointer(start: buffer, count: count))
  }

  /// Writes a byte without stuffing; only between scans.
  func raw(_ byte: UInt8, _ sink: JPEGSink) throws(JPEGError) {
    if filled == Self.capacity { try flush(sink) }
    buffer[filled] = byte
    filled += 1
  }

  /// Writes two bytes without stuffing, the high one first.
  func raw16(_ value: Int, _ sink: JPEGSink) throws(JPEGError) {
    try raw(UInt8(truncatingIfNeeded: value >> 8), sink)
    try raw(UInt8(truncatingIfNeeded: value), sink)
  }

  /// Writes bytes without stuffing.
  func raw(_ bytes: UnsafeRawBufferPointer, _ sink: JPEGSink) throws(JPEGError) {
    try flush(sink)
    guard bytes.count > 0 else { return }
    written += Int64(bytes.count)
    try sink(bytes)
  }

  /// Writes the lowest `count` bits of `bits`, at most 56.
  func put(_ bits: UInt64, count: Int, _ sink: JPEGSink) throws(JPEGError) {
    if Self.capacity - filled < 16 { try flush(sink) }
    pending = pending &<< UInt64(truncatingIfNeeded: count) | bits
    pendingCount += count
    while pendingCount >= 8 {
      pendingCount -= 8
      let byte = UInt8(truncatingIfNeeded: pending &>> UInt64(truncatingIfNeeded: pendingCount))
      buffer[filled] = byte
      filled += 1
      if byte == 0xFF {
        buffer[filled] = 0
        filled += 1
      }
    }
    pending &= 1 &<< UInt64(truncatingIfNeeded: pendingCount) &- 1
  }

  /// Ends a scan: fills the last byte with one bits.
  func align(_ sink: JPEGSink) throws(JPEGError) {
    if pendingCount > 0 { try put(0x7F, count: 7, sink) }
    pending = 0
    pendingCount = 0
  }

  /// Copies the bits from `start` up to `end` of `bytes`.
  ///
  /// Reads up to 8 bytes past the one that holds the last bit, which must be there.
  func copy(
    _ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, _ sink: JPEGSink
  ) throws(JPEGError) {
    var at = start
    if pendingCount > 0, at < end {
      let count = min(8 - pendingCount, end - at)
      try put(Self.word(bytes, at) &>> UInt64(truncatingIfNeeded: 64 - count), count: count, sink)
      at += count
    }
    // The output is byte-aligned now, unless no bits are left.
    while end - at >= 64 {
      if Self.capacity - filled < 16 { try flush(sink) }
      store(Self.word(bytes, at))
      at += 64
    }
    while at < end {
      let count = min(8, end - at)
      try put(Self.word(bytes, at) &>> UInt64(truncatingIfNeeded: 64 - count), count: count, sink)
      at += count
    }
  }

  /// The 64 bits from bit `at` on, the first one in the highest position.
  @inline(__always)
  private static func word(_ bytes: UnsafePointer<UInt8>, _ at: Int) -> UInt64 {
    let start = bytes + at >> 3
    let shift = UInt64(truncatingIfNeeded: at & 7)
    return big64(start) &<< shift | UInt64(start[8]) &>> (8 &- shift)
  }

  /// Writes eight bytes; the output is byte-aligned and has space for sixteen.
  @inline(__always)
  private func store(_ word: UInt64) {
    if maskOfFF(word) == 0 {
      UnsafeMutableRawPointer(buffer + filled).storeBytes(of: word.bigEndian, as: UInt64.self)
      filled &+= 8
      return
    }
    var rest = word
    for _ in 0..<8 {
      let byte = UInt8(truncatingIfNeeded: rest &>> 56)
      rest &<<= 8
      buffer[filled] = byte
      filled &+= 1
      if byte == 0xFF {
        buffer[filled] = 0
        filled &+= 1
      }
    }
  }
}
