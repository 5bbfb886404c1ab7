/// A Huffman table as a JPEG stores it: how many codes of each length, and their symbols in order.
///
/// Codes are canonical (ITU-T T.81, annex C): counted up, a longer one following on a shorter one.
struct HuffmanTable: Hashable, Sendable {
  /// `counts[i]` codes have `i + 1` bits; sixteen numbers.
  private(set) var counts: [UInt8]
  /// The symbols in the order of their codes, at most 256.
  private(set) var symbols: [UInt8]

  /// Nil if the counts aren't sixteen, don't match the symbols or claim more codes than there are.
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

  /// Room for codes of 16 bits that are not yet in use, the one of all ones kept free as the
  /// standard demands.
  private var freeCodes: Int {
    var used = 0
    for (index, count) in counts.enumerated() { used += Int(count) << (15 - index) }
    return 0x10000 - used - 1
  }

  /// The same codes, and codes for those of the DC categories 0 to 11 that have none; nil if there
  /// is no room for them.
  ///
  /// New codes have 16 bits, behind all others, so that no code that is there changes.
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
  /// Walks over all codes, shortest first: the code in the low bits, its length, its symbol.
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
