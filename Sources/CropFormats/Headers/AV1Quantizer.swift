/// The quantizer of a still image in AV1: `base_q_idx` of its first frame (AV1 bitstream specification, 5.9.12).
struct AV1Quantizer {
  /// The index, 0 (without loss) to 255.
  let value: Int

  /// The quantizer of the image whose first coded bytes are given.
  ///
  /// - Throws: an error if the headers can't be read, or the first frame is not a visible key
  ///   frame.
  init(_ data: [UInt8]) throws(CodedBits.Unreadable) {
    var sequence: SequenceHeader?
    var at = 0
    while at < data.count {
      let head = data[at]
      at += head & 4 != 0 ? 2 : 1
      var length = data.count - at
      if head & 2 != 0 { length = try Self.length(data, &at) }
      guard at <= data.count, length >= 0 else { throw CodedBits.Unreadable() }
      let contents = data[at..<min(data.count, at + min(length, data.count))]
      switch head >> 3 & 15 {
      case 1: sequence = try SequenceHeader(contents)
      case 3, 6:
        guard let sequence else { throw CodedBits.Unreadable() }
        value = try sequence.quantizer(ofFrame: contents)
        return
      default: break
      }
      at = contents.endIndex
    }
    throw CodedBits.Unreadable()
  }

  /// Reads a number of seven bits per byte (4.10.5).
  private static func length(
    _ data: [UInt8], _ at: inout Int
  ) throws(CodedBits.Unreadable) -> Int {
    var length = 0
    for index in 0..<8 {
      guard at < data.count else { break }
      length |= Int(data[at] & 127) << (7 * index)
      at += 1
      if data[at - 1] & 128 == 0 { return length }
    }
    throw CodedBits.Unreadable()
  }
}

/// A sequence header (5.5.1), limited to the fields that a frame header depends on.
private struct SequenceHeader {
  private var isReduced = false
  private var hasModel = false
  private var idBits = 0
  private var orderBits = 0
  private var widthBits = 0
  private var heightBits = 0
  private var width = 0
  private var height = 0
  private var hasLargeBlocks = false
  /// 0 or 1, or 2 if each frame states it.
  private var screenTools = 2
  private var integerVectors = 2
  private var hasSuperresolution = false

  init(_ bytes: ArraySlice<UInt8>) throws(CodedBits.Unreadable) {
    var bits = CodedBits(bytes)
    try bits.skip(4)
    isReduced = try bits.flag()
    if isReduced { try bits.skip(5) } else { try readOperatingPoints(&bits) }
    widthBits = try bits.number(4) + 1
    heightBits = try bits.number(4) + 1
    width = try bits.number(widthBits) + 1
    height = try bits.number(heightBits) + 1
    if !isReduced, try bits.flag() { idBits = try bits.number(4) + 2 + bits.number(3) + 1 }
    hasLargeBlocks = try bits.flag()
    try bits.skip(2)
    if !isReduced { try readTools(&bits) }
    hasSuperresolution = try bits.flag()
  }

  private mutating func readOperatingPoints(
    _ bits: inout CodedBits
  ) throws(CodedBits.Unreadable) {
    var delayBits = 0
    if try bits.flag() {
      try bits.skip(64)
      if try bits.flag() { try bits.skipGolombs(1) }
      hasModel = try bits.flag()
      if hasModel {
        delayBits = try bits.number(5) + 1
        try bits.skip(42)
      }
    }
    let hasDelay = try bits.flag()
    for _ in 0...(try bits.number(5)) {
      try bits.skip(12)
      let level = try bits.number(5)
      if level > 7 { try bits.skip(1) }
      if hasModel, try bits.flag() { try bits.skip(2 * delayBits + 1) }
      if hasDelay, try bits.flag() { try bits.skip(4) }
    }
  }

  private mutating func readTools(_ bits: inout CodedBits) throws(CodedBits.Unreadable) {
    try bits.skip(4)
    let hasOrder = try bits.flag()
    if hasOrder { try bits.skip(2) }
    screenTools = try bits.flag() ? 2 : bits.number(1)
    if screenTools > 0 { integerVectors = try bits.flag() ? 2 : bits.number(1) }
    if hasOrder { orderBits = try bits.number(3) + 1 }
  }

  /// The index in a frame header (5.9.2).
  func quantizer(ofFrame bytes: ArraySlice<UInt8>) throws(CodedBits.Unreadable) -> Int {
    var bits = CodedBits(bytes)
    if !isReduced {
      // Only a key frame that is shown directly, not a repetition; a decoder model would add timing
      // fields.
      guard try !bits.flag(), try bits.number(2) == 0, try bits.flag(), !hasModel else {
        throw CodedBits.Unreadable()
      }
    }
    let keepsProbabilities = try bits.flag()
    let hasScreenTools = screenTools == 2 ? try bits.flag() : screenTools == 1
    if hasScreenTools, integerVectors == 2 { try bits.skip(1) }
    try bits.skip(idBits)
    var size = (width: width, height: height)
    let hasSize = isReduced ? false : try bits.flag()
    try bits.skip(orderBits)
    if hasSize { size = try (bits.number(widthBits) + 1, bits.number(heightBits) + 1) }
    // With superresolution, the tiles are different.
    if hasSuperresolution, try bits.flag() { throw CodedBits.Unreadable() }
    if try bits.flag() { try bits.skip(32) }
    if hasScreenTools { try bits.skip(1) }
    if !isReduced, !keepsProbabilities { try bits.skip(1) }
    try skipTiles(&bits, width: size.width, height: size.height)
    return try bits.number(8)
  }

  /// Skips the layout of the tiles (5.9.15).
  private func skipTiles(
    _ bits: inout CodedBits, width: Int, height: Int
  ) throws(CodedBits.Unreadable) {
    let shift = hasLargeBlocks ? 7 : 6
    // The number of superblocks; sides are rounded up to units of 8 pixels.
    func blocks(_ side: Int) -> Int { ((side + 7) / 8 * 8 + (1 << shift) - 1) >> shift }
    let (columns, rows) = (blocks(width), blocks(height))
    let widest = 4096 >> shift
    let fewestColumns = Self.steps(from: widest, to: columns)
    let fewest = max(
      fewestColumns, Self.steps(from: (4096 * 2304) >> (2 * shift), to: rows * columns))
    var (across, down) = (fewestColumns, 0)
    if try bits.flag() {
      while across < Self.steps(from: 1, to: min(columns, 64)), try bits.flag() { across += 1 }
      down = max(fewest - across, 0)
      while down < Self.steps(from: 1, to: min(rows, 64)), try bits.flag() { down += 1 }
    } else {
      let (columnCount, found) = try Self.tiles(&bits, in: columns, most: widest)
      let area = fewest > 0 ? (rows * columns) >> (fewest + 1) : rows * columns
      let (rowCount, _) = try Self.tiles(&bits, in: rows, most: max(area / max(found, 1), 1))
      across = Self.steps(from: 1, to: columnCount)
      down = Self.steps(from: 1, to: rowCount)
    }
    if across + down > 0 { try bits.skip(across + down + 2) }
  }

  /// The number of tiles along `count` blocks, and the size of the largest.
  private static func tiles(
    _ bits: inout CodedBits, in count: Int, most: Int
  ) throws(CodedBits.Unreadable) -> (count: Int, largest: Int) {
    var (start, tiles, largest) = (0, 0, 0)
    while start < count {
      let size = try bits.number(below: min(count - start, most)) + 1
      start += size
      largest = max(largest, size)
      tiles += 1
    }
    return (tiles, largest)
  }

  /// How many times `size` must be doubled to reach `target`.
  private static func steps(from size: Int, to target: Int) -> Int {
    var steps = 0
    while size << steps < target { steps += 1 }
    return steps
  }
}
