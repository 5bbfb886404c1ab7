/// A Huffman table as a JPEG stores it: the number of codes of each length, and their symbols in
/// order.
///
/// Codes are canonical (ITU-T T.81, annex C): they count up, and longer codes follow shorter ones.
struct HuffmanTable: Hashable, Sendable {
  /// `counts[i]` codes have `i + 1` bits; sixteen numbers.
  private(set) var counts: [UInt8]
  /// The symbols in the order of their codes, at most 256.
  private(set) var symbols: [UInt8]

  /// Nil unless there are sixteen counts that match the symbols and do not exceed the possible
  /// codes.
  init?(counts: [UInt8], symbols: [UInt8]) {
    guard counts.count == 16, symbols.count <= 256 else { return nil }
    var total = 0
    var code = 0
    for count in counts {
      code = code << 1 + Int(count)
      total += Int(count)
      // Counts of at most 255 keep `code` below 2^24.
      guard code <= 0x10000 else { return nil }
    }
    guard total == symbols.count, Self.fits(counts) else { return nil }
    self.counts = counts
    self.symbols = symbols
  }

  private static func fits(_ counts: [UInt8]) -> Bool {
    var code = 0
    for (index, count) in counts.enumerated() {
      code = code << 1 + Int(count)
      if count > 0, code > 1 << (index + 1) { return false }
    }
    return true
  }

  /// The number of unused codes of 16 bits, except for the one of all ones, which the standard
  /// reserves.
  private var freeCodes: Int {
    var used = 0
    for (index, count) in counts.enumerated() { used += Int(count) << (15 - index) }
    return 0x10000 - used - 1
  }

  /// The same codes, with codes added for the DC categories 0 to 11 that have none; nil if they do
  /// not fit.
  ///
  /// New codes have 16 bits and come after all others, so that no existing code changes.
  func withAllCategories() -> Self? {
    var table = self
    var missing: UInt8 = 0
    for category: UInt8 in 0...11 where !symbols.contains(category) {
      table.symbols.append(category)
      missing += 1
    }
    if missing == 0 { return self }
    guard Int(missing) <= freeCodes, Int(table.counts[15]) + Int(missing) <= 255 else { return nil }
    table.counts[15] += missing
    return table
  }
}

extension HuffmanTable {
  /// Calls `body` for each code, shortest first: the code in the low bits, its length, its symbol.
  func forEachCode(_ body: (_ code: Int, _ length: Int, _ symbol: UInt8) -> Void) {
    var code = 0
    var next = 0
    for (index, count) in counts.enumerated() {
      for _ in 0..<Int(count) {
        body(code, index + 1, symbols[next])
        code += 1
        next += 1
      }
      code <<= 1
    }
  }
}

extension HuffmanTable {
  /// The tables of ITU-T T.81, annex K.3: for luminance (0) and chrominance (1).
  ///
  /// Nearly all cameras use them, and they are the default for files without tables (frames of
  /// Motion JPEG).
  static func standardDC(_ index: Int) -> Self? {
    let symbols: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    return index == 0
      ? Self(counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], symbols: symbols)
      : Self(counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], symbols: symbols)
  }

  /// The AC tables from the same annex.
  static func standardAC(_ index: Int) -> Self? {
    index == 0
      ? Self(counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125], symbols: luminanceAC)
      : Self(counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119], symbols: chrominanceAC)
  }

  private static var luminanceAC: [UInt8] {
    completed([
      0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61,
      0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52,
      0xD1, 0xF0, 0x24, 0x33, 0x62, 0x72, 0x82,
    ])
  }

  private static var chrominanceAC: [UInt8] {
    completed([
      0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61,
      0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33,
      0x52, 0xF0, 0x15, 0x62, 0x72, 0xD1, 0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25, 0xF1,
    ])
  }

  /// The symbols with short codes, then all others of baseline in ascending order: runs of 0 to 15
  /// with sizes of 1 to 10.
  private static func completed(_ short: [UInt8]) -> [UInt8] {
    var symbols = short
    for symbol: UInt8 in 0x01...0xFA where (1...10).contains(symbol & 15) {
      if !short.contains(symbol) { symbols.append(symbol) }
    }
    return symbols
  }
}
