/// Reads numbers and short byte ranges of a source by position, through a window of at most 64 KiB.
///
/// Each read returns nil if the source ends first. Invalid offsets and lengths never trap.
package struct PictureReader: ByteSource, StructureReader {
  package let source: ImageSource
  /// The number of bytes.
  package let count: Int
  private var window: [UInt8] = []
  private var start = 0
  private var nextSize = Self.smallest
  private var parts = 0

  /// The number of bytes to read after a jump: a PNG may need thousands of jumps.
  private static let smallest = 512
  private static let largest = 64 << 10
  /// The longest range that is read through the window.
  private static let mostInWindow = 4 << 10
  /// The maximum number of bytes read into an array at a time.
  static let longestRun = 8 << 20
  /// The largest number of chunks, blocks or segments of a file.
  private static let mostParts = 1 << 20

  package init(_ source: ImageSource) {
    self.source = source
    count = source.byteCount
  }

  /// Counts a chunk, block or segment; too many count as damage.
  mutating func countPart() throws(CropError) {
    parts += 1
    guard parts <= Self.mostParts else { throw corrupt("it consists of too many parts") }
  }

  /// The sum `offset + length`; nil if it is past the end or overflows.
  func end(of offset: Int, _ length: Int) -> Int? {
    let (end, overflow) = offset.addingReportingOverflow(length)
    guard offset >= 0, length >= 0, !overflow, end <= count else { return nil }
    return end
  }

  /// The byte at `offset`.
  package mutating func byte(_ offset: Int) throws(CropError) -> Int? {
    guard try fill(offset, 1) else { return nil }
    return Int(window[offset - start])
  }

  /// The `length` bytes from `offset`; nil also for more than ``longestRun``.
  package mutating func bytes(_ offset: Int, _ length: Int) throws(CropError) -> [UInt8]? {
    guard let end = end(of: offset, length), length <= Self.longestRun else { return nil }
    if length <= Self.mostInWindow {
      guard try fill(offset, length) else { return nil }
      return Array(window[(offset - start)..<(end - start)])
    }
    var run = [UInt8](repeating: 0, count: length)
    let got = try Self.read(source, into: &run, at: offset)
    return got == length ? run : nil
  }

  /// Whether the bytes from `offset` are those of `text`.
  mutating func matches(_ text: StaticString, at offset: Int) throws(CropError) -> Bool {
    guard try fill(offset, text.utf8CodeUnitCount) else { return false }
    let pointer = text.utf8Start
    for i in 0..<text.utf8CodeUnitCount where window[offset - start + i] != pointer[i] {
      return false
    }
    return true
  }

  /// Reads an unsigned number of `size` bytes, 1 to 8; `Int.max` if it does not fit `Int`.
  package mutating func number(
    _ offset: Int, size: Int, order: ByteOrder = .big
  ) throws(CropError) -> Int? {
    guard try fill(offset, size) else { return nil }
    return window.number(offset - start, size: size, order: order)
  }

  /// Two bytes, most significant first.
  package mutating func big16(_ offset: Int) throws(CropError) -> Int? {
    try number(offset, size: 2)
  }
  /// Four bytes, most significant first.
  mutating func big32(_ offset: Int) throws(CropError) -> Int? { try number(offset, size: 4) }
  /// Two bytes, least significant first.
  mutating func little16(_ offset: Int) throws(CropError) -> Int? {
    try number(offset, size: 2, order: .little)
  }
  /// Three bytes, least significant first.
  mutating func little24(_ offset: Int) throws(CropError) -> Int? {
    try number(offset, size: 3, order: .little)
  }
  /// Four bytes, least significant first.
  mutating func little32(_ offset: Int) throws(CropError) -> Int? {
    try number(offset, size: 4, order: .little)
  }

  /// The offset after a series of blocks, each with a length byte and that many bytes, that ends
  /// with an empty block; nil if the file ends first.
  mutating func endOfBlocks(from offset: Int) throws(CropError) -> Int? {
    var position = offset
    while try fill(position, 1) {
      var place = position - start
      while place < window.count {
        let length = Int(window[place])
        place += 1 + length
        if length == 0 { return start + place }
      }
      position = start + place
    }
    return nil
  }

  /// Loads `length` bytes (at most ``mostInWindow``) from `offset` into the window.
  private mutating func fill(_ offset: Int, _ length: Int) throws(CropError) -> Bool {
    guard let end = end(of: offset, length), length <= Self.mostInWindow else { return false }
    if offset >= start, end <= start + window.count { return true }
    // Sequential reads fetch more at a time than random ones.
    let isReadingOn = !window.isEmpty && offset >= start && offset <= start + window.count
    nextSize = isReadingOn ? min(nextSize * 2, Self.largest) : Self.smallest
    let size = min(max(nextSize, length), count - offset)
    // Reuses the memory if it is large enough.
    if window.count < size { window = [UInt8](repeating: 0, count: size) }
    if window.count > size { window.removeLast(window.count - size) }
    start = offset
    let got: Int
    do throws(CropError) {
      got = try Self.read(source, into: &window, at: offset)
    } catch {
      window = []
      throw error
    }
    // The file has shrunk since it was opened.
    if got < window.count { window.removeLast(window.count - got) }
    return got >= length
  }

  private static func read(
    _ source: ImageSource, into array: inout [UInt8], at offset: Int
  ) throws(CropError) -> Int {
    try array.withUnsafeMutableBufferPointer { (buffer) throws(CropError) in
      try source.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
  }
}
