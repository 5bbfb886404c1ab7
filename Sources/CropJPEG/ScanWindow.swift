/// A part of the coded data without stuffed zeros, so that each bit can be addressed.
///
///     ┌──────────┬──────────────────────────────┬───────────┐
///     │ carried  │ chunk                        │ tail      │
///     └──────────┴──────────────────────────────┴───────────┘
///                                               count
///
/// When most of it is used, the rest is moved to the front and a new chunk is loaded after it. A
/// segment of data ends at a marker; the window then contains no byte after it. The tail's content
/// is never used: it only allows the parser to read past the end before it checks.
final class ScanWindow {
  /// More bytes than an MCU can take: ten blocks of at most 64 codes of 31 bits.
  static let margin = 4096
  private static let chunkCapacity = 32_768

  /// A position in a segment of coded data where reading can resume.
  struct Mark {
    /// The offset of the chunk that contains the position, in the file.
    var chunk: Int64
    /// The number of bits from the start of the chunk, without stuffed zeros.
    var bit: Int
  }

  let bytes: UnsafeMutablePointer<UInt8>
  /// The number of valid bytes.
  private(set) var count = 0
  /// Whether a marker or the end of the file follows the last byte.
  private(set) var isSegmentEnd = false
  private let reader: ByteReader
  private var chunk: (offset: Int64, start: Int) = (0, 0)
  private var earlier: (offset: Int64, start: Int) = (0, 0)

  init(_ reader: ByteReader) {
    self.reader = reader
    bytes = zeroed(Self.margin + Self.chunkCapacity + Self.margin)
  }

  deinit { bytes.deallocate() }

  /// Starts at a file offset, with an empty carry.
  func start(at offset: Int64) throws(JPEGError) {
    reader.seek(offset)
    try startHere()
  }

  /// Starts at the reader's position.
  func startHere() throws(JPEGError) {
    count = 0
    isSegmentEnd = false
    earlier = (reader.offset, 0)
    try appendChunk()
  }

  /// Discards everything before byte `first` and loads more; at most `margin` bytes may be kept.
  func advance(keepingFrom first: Int) throws(JPEGError) {
    let rest = count - first
    // Otherwise the file has changed since it was parsed.
    guard rest >= 0, rest <= Self.margin else {
      throw .corrupt(.shortData, offset: reader.offset)
    }
    bytes.update(from: bytes + first, count: rest)
    earlier = (chunk.offset, chunk.start - first)
    count = rest
    try appendChunk()
  }

  /// The mark of bit `bit` of the window.
  func mark(_ bit: Int) -> Mark {
    let holder = bit >= chunk.start * 8 ? chunk : earlier
    return Mark(chunk: holder.offset, bit: bit - holder.start * 8)
  }

  /// Whether the bytes from `first` on are all zeros or all ones, with which some encoders pad a
  /// scan.
  func isPadding(from first: Int) -> Bool {
    guard first < count, bytes[first] == 0 || bytes[first] == 0xFF else { return first >= count }
    for index in first..<count where bytes[index] != bytes[first] { return false }
    return true
  }

  private func appendChunk() throws(JPEGError) {
    chunk = (reader.offset, count)
    let end = count + Self.chunkCapacity
    while count < end, !isSegmentEnd {
      if try !reader.need(2) {
        // A single last byte of 0xFF is not a marker.
        if reader.ready == 1, reader.buffer[reader.cursor] != 0xFF { append(1) }
        reader.cursor = reader.filled
        isSegmentEnd = true
        return
      }
      takePlain(end: end)
      guard count < end, reader.ready >= 2 else { continue }
      let next = reader.buffer + reader.cursor
      guard next[0] == 0xFF else {
        append(1)
        continue
      }
      switch next[1] {
      case 0:
        append(1)
        reader.cursor += 1
      case 0xFF: reader.cursor += 1
      default: isSegmentEnd = true
      }
    }
  }

  private func append(_ length: Int) {
    (bytes + count).update(from: reader.buffer + reader.cursor, count: length)
    count += length
    reader.cursor += length
  }

  /// Copies bytes up to the next 0xFF, in steps of eight while there is space.
  private func takePlain(end: Int) {
    var source = UnsafePointer(reader.buffer + reader.cursor)
    var target = bytes + count
    var steps = min(reader.ready, end - count) >> 3
    while steps > 0 {
      let word = little64(source)
      UnsafeMutableRawPointer(target).storeBytes(of: word.littleEndian, as: UInt64.self)
      let found = maskOfFF(word)
      if found != 0 {
        let length = found.trailingZeroBitCount >> 3
        source += length
        target += length
        break
      }
      source += 8
      target += 8
      steps &-= 1
    }
    reader.cursor = source - UnsafePointer(reader.buffer)
    count = target - bytes
  }
}
