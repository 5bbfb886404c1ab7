import Glibc

/// Reads numbers and short runs of bytes of a source by position, through a window of at most 64 KiB.
///
/// Every read says nil where the source ends first; no offset and no length, however wrong, traps.
struct PictureReader {
  let source: PictureSource
  /// The bytes there are.
  let count: Int
  private var window: [UInt8] = []
  private var start = 0
  private var nextSize = Self.smallest

  private static let smallest = 4 << 10
  private static let largest = 64 << 10
  /// The most bytes read at once into an array.
  static let longestRun = 8 << 20

  init(_ source: PictureSource) {
    self.source = source
    count = source.byteCount
  }

  /// `offset + length`, nil if that is past the end or no number.
  func end(of offset: Int, _ length: Int) -> Int? {
    let (end, overflow) = offset.addingReportingOverflow(length)
    guard offset >= 0, length >= 0, !overflow, end <= count else { return nil }
    return end
  }

  /// The byte at `offset`.
  mutating func byte(_ offset: Int) throws(CropError) -> Int? {
    guard try fill(offset, 1) else { return nil }
    return Int(window[offset - start])
  }

  /// The `length` bytes from `offset`; nil also for more than ``longestRun``.
  mutating func bytes(_ offset: Int, _ length: Int) throws(CropError) -> [UInt8]? {
    guard let end = end(of: offset, length), length <= Self.longestRun else { return nil }
    if length <= Self.smallest {
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

  /// An unsigned number of `size` bytes, 1 to 8; one that no `Int` holds is `Int.max`.
  mutating func number(
    _ offset: Int, size: Int, isLittle: Bool = false
  ) throws(CropError) -> Int? {
    guard try fill(offset, size) else { return nil }
    var value: UInt64 = 0
    for i in 0..<size {
      let byte = UInt64(window[offset - start + (isLittle ? size - 1 - i : i)])
      value = value << 8 | byte
    }
    return Int(exactly: value) ?? .max
  }

  /// Two bytes, most significant first.
  mutating func big16(_ offset: Int) throws(CropError) -> Int? { try number(offset, size: 2) }
  /// Four bytes, most significant first.
  mutating func big32(_ offset: Int) throws(CropError) -> Int? { try number(offset, size: 4) }
  /// Two bytes, least significant first.
  mutating func little16(_ offset: Int) throws(CropError) -> Int? {
    try number(offset, size: 2, isLittle: true)
  }
  /// Three bytes, least significant first.
  mutating func little24(_ offset: Int) throws(CropError) -> Int? {
    try number(offset, size: 3, isLittle: true)
  }
  /// Four bytes, least significant first.
  mutating func little32(_ offset: Int) throws(CropError) -> Int? {
    try number(offset, size: 4, isLittle: true)
  }

  /// The offset of the first byte of the given value at or after `offset`.
  mutating func first(_ value: UInt8, from offset: Int) throws(CropError) -> Int? {
    var position = offset
    while try fill(position, 1) {
      let skipped = position - start
      let found: Int? = window.withUnsafeBytes { all in
        guard let base = all.baseAddress,
          let hit = memchr(base + skipped, Int32(value), all.count - skipped)
        else { return nil }
        return UnsafeRawPointer(hit) - base
      }
      if let found { return start + found }
      position = start + window.count
    }
    return nil
  }

  /// The offset of the first marker of a JPEG at or after `offset` that is neither a restart nor a
  /// stuffed zero; nil if there is none.
  mutating func endOfCodedData(from offset: Int) throws(CropError) -> Int? {
    var position = offset
    while try fill(position, 2) {
      let skipped = position - start
      let (found, resume): (Int?, Int) = window.withUnsafeBytes { all in
        guard let base = all.baseAddress else { return (nil, all.count) }
        var place = skipped
        while place < all.count - 1,
          let hit = memchr(base + place, 0xFF, all.count - 1 - place)
        {
          place = UnsafeRawPointer(hit) - base
          switch all[place + 1] {
          case 0, 0xD0...0xD7: place += 2
          case 0xFF:
            // Fill bytes, of which there may be very many.
            while place < all.count - 1, all[place + 1] == 0xFF { place += 1 }
          default: return (place, place)
          }
        }
        // The last byte may be the first of a marker.
        return (nil, max(place, all.count - 1))
      }
      if let found { return start + found }
      position = start + resume
    }
    return nil
  }

  /// The offset of the first byte at or after `offset` that has another value; the end of the file if
  /// there is none.
  mutating func endOfRun(of value: UInt8, from offset: Int) throws(CropError) -> Int {
    var position = offset
    while try fill(position, 1) {
      var place = position - start
      while place < window.count, window[place] == value { place += 1 }
      position = start + place
      if place < window.count { return position }
    }
    return position
  }

  /// The offset behind a run of blocks, each one byte of length and that many bytes, that ends with an
  /// empty one; nil if the file ends first.
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

  /// Makes the window hold `length` bytes (at most ``smallest``) from `offset`.
  private mutating func fill(_ offset: Int, _ length: Int) throws(CropError) -> Bool {
    guard let end = end(of: offset, length), length <= Self.smallest else { return false }
    if offset >= start, end <= start + window.count { return true }
    // Reading on gets more at once, jumping about gets little.
    let isReadingOn = !window.isEmpty && offset >= start && offset <= start + window.count
    nextSize = isReadingOn ? min(nextSize * 2, Self.largest) : Self.smallest
    let size = min(max(nextSize, length), count - offset)
    // The same memory again, once it is large enough.
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
    // A file that has shrunk since it was opened ends here.
    if got < window.count { window.removeLast(window.count - got) }
    return got >= length
  }

  private static func read(
    _ source: PictureSource, into array: inout [UInt8], at offset: Int
  ) throws(CropError) -> Int {
    try array.withUnsafeMutableBufferPointer { (buffer) throws(CropError) in
      try source.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
  }
}
