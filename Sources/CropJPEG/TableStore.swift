/// The tables that are valid at a position while a JPEG is read from marker to marker.
struct TableStore {
  /// A quantization table: 64 steps in zigzag order, each at least 1 in a valid file.
  typealias Quantization = [UInt16]

  private(set) var quantization: [Quantization?] = [nil, nil, nil, nil]
  private(set) var dc: [HuffmanTable?]
  private(set) var ac: [HuffmanTable?]
  /// The number of MCUs between restart markers, 0 for none.
  private(set) var restartInterval = 0

  init() {
    dc = [.standardDC(0), .standardDC(1), nil, nil]
    ac = [.standardAC(0), .standardAC(1), nil, nil]
  }

  /// The standard Huffman tables, and one quantization table, number 0.
  init(quantization steps: Quantization) {
    self.init()
    quantization[0] = steps
  }

  /// Reads the segment of `marker`, whose content starts at `reader` and has `count` bytes, if it
  /// defines tables; otherwise returns false and reads nothing.
  mutating func read(
    _ marker: UInt8, count: Int, from reader: ByteReader
  ) throws(JPEGError) -> Bool {
    let end = reader.offset + Int64(count)
    switch marker {
    case JPEGMarker.quantizationTables:
      while reader.offset < end { try readQuantization(from: reader, end: end) }
    case JPEGMarker.huffmanTables:
      while reader.offset < end { try readHuffman(from: reader, end: end) }
    case JPEGMarker.restartInterval:
      guard count == 2 else { throw .corrupt(.segmentLength, offset: reader.offset) }
      restartInterval = try reader.big16()
    default: return false
    }
    guard reader.offset == end else { throw .corrupt(.segmentLength, offset: reader.offset) }
    return true
  }

  private mutating func readQuantization(
    from reader: ByteReader, end: Int64
  ) throws(JPEGError) {
    let kind = try reader.byte()
    let index = Int(kind & 15)
    guard index < 4, kind >> 4 < 2 else { throw .corrupt(.table, offset: reader.offset) }
    guard reader.offset + (kind >> 4 == 0 ? 64 : 128) <= end else {
      throw .corrupt(.segmentLength, offset: reader.offset)
    }
    var steps: Quantization = []
    steps.reserveCapacity(64)
    for _ in 0..<64 {
      steps.append(UInt16(kind >> 4 == 0 ? Int(try reader.byte()) : try reader.big16()))
    }
    quantization[index] = steps
  }

  private mutating func readHuffman(from reader: ByteReader, end: Int64) throws(JPEGError) {
    let kind = try reader.byte()
    let index = Int(kind & 15)
    guard index < 4, kind >> 4 < 2 else { throw .corrupt(.table, offset: reader.offset) }
    var counts: [UInt8] = []
    var total = 0
    for _ in 0..<16 {
      let count = try reader.byte()
      counts.append(count)
      total += Int(count)
    }
    guard total <= 256, reader.offset + Int64(total) <= end else {
      throw .corrupt(.table, offset: reader.offset)
    }
    var symbols: [UInt8] = []
    for _ in 0..<total { symbols.append(try reader.byte()) }
    guard let table = HuffmanTable(counts: counts, symbols: symbols) else {
      throw .corrupt(.table, offset: reader.offset)
    }
    if kind >> 4 == 0 { dc[index] = table } else { ac[index] = table }
  }
}
