/// A lookup table that tells how far each bit pattern advances in the AC coefficients of a block.
///
/// Only lengths matter here, not values. The table is indexed by the next 13 bits; an entry covers
/// as many symbols as these bits contain completely, up to and including the end of the block:
///
///     low byte    how many bits to skip, including those of the values, at most 28
///     high byte   how many coefficients to advance, at most 63; 128 more if the block ends here;
///                 255 if the first code is invalid or longer than 13 bits (then the low byte is 0)
///
/// Advancing adds the high byte, so moving past the last coefficient shows in the sum.
final class ACCode {
  static let indexBits = 13
  /// The shift that turns the highest bits of a word into an index.
  static var indexShift: UInt64 { 51 }
  /// The number that the end of a block adds to the number of coefficients.
  static let endOfBlock = 128
  private static let unknown: UInt16 = 255 << 8

  let lookup: UnsafeMutablePointer<UInt16>
  let search: CodeSearch

  init(_ table: HuffmanTable) {
    search = CodeSearch(table)
    let count = 1 << Self.indexBits
    lookup = .allocate(capacity: count)
    lookup.initialize(repeating: Self.unknown, count: count)
    fill(with: table)
  }

  deinit { lookup.deallocate() }

  /// The entry, in the same format, for the one symbol at the highest bits of `word`; nil if they
  /// are not a code.
  ///
  /// A run may extend past the block; the sum of advances, 65 to 127, then shows this.
  func entry(at word: UInt64) -> Int? {
    guard let (symbol, length) = search.symbol(at: word), Self.isPossible(symbol) else {
      return nil
    }
    return Self.entry(symbol: symbol, length: length)
  }

  /// Whether 8-bit samples can need the symbol: no coefficient has more than 10 bits (T.81,
  /// F.1.2.2.1).
  private static func isPossible(_ symbol: UInt8) -> Bool { symbol & 15 <= 10 }

  private static func entry(symbol: UInt8, length: Int) -> Int {
    let run = Int(symbol >> 4)
    let size = Int(symbol & 15)
    // Size 0 with a run of 15 is sixteen zeros; with any other run, all decoders end the block.
    if size == 0 { return (run == 15 ? 16 : endOfBlock) << 8 | length }
    return (run + 1) << 8 | (length + size)
  }

  private func fill(with table: HuffmanTable) {
    let indexBits = Self.indexBits
    let count = 1 << indexBits
    // First, one symbol per index: an entry, with the length of its code above it.
    let single = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
    single.initialize(repeating: 0, count: count)
    defer { single.deallocate() }
    table.forEachCode { code, length, symbol in
      guard length <= indexBits, Self.isPossible(symbol) else { return }
      let shift = indexBits - length
      let value = UInt32(Self.entry(symbol: symbol, length: length)) | UInt32(length) << 16
      (single + code << shift).update(repeating: value, count: 1 << shift)
    }
    for index in 0..<count {
      lookup[index] = single[index] == 0 ? Self.unknown : Self.joined(single, UInt32(index))
    }
  }

  /// The entry for the symbols that the 13 bits of `index` contain completely.
  @inline(__always)
  private static func joined(_ single: UnsafeMutablePointer<UInt32>, _ index: UInt32) -> UInt16 {
    let known = UInt32(indexBits)
    // Both bytes of an entry are sums, so entries can be added as integers; no sum overflows its
    // byte.
    var sum = single[Int(index)] & 0xFFFF
    while sum & 255 < known, sum < UInt32(endOfBlock) << 8 {
      let next = single[Int((index &<< (sum & 255)) & (1 &<< known &- 1))]
      // The code must be within the known bits; the value after it need not be.
      let isKnown = next != 0 && next &>> 16 <= known &- sum & 255
      let advance = next &>> 8 & 255
      guard isKnown, advance >= UInt32(endOfBlock) || advance &+ sum &>> 8 < 64 else { break }
      sum &+= next & 0xFFFF
    }
    return UInt16(truncatingIfNeeded: sum)
  }
}
