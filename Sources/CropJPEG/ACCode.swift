/// How far each pattern of bits leads through the AC coefficients of a block.
///
/// Only lengths matter here, no values. The lookup is indexed by the next 13 bits; an entry covers
/// as many symbols as these bits tell in full, up to and with the end of the block:
///
///     low byte    how many bits to skip, the values' own bits included, at most 28
///     high byte   how many coefficients to advance, at most 63; 128 more if the block ends here;
///                 255 if the first code is longer than 13 bits, or is none (then the low byte is 0)
///
/// Advancing is one addition of the high byte, so what lies past the last coefficient shows in the sum.
final class ACCode {
  static let indexBits = 13
  /// Brings the highest bits of a word down to an index.
  static var indexShift: UInt64 { 51 }
  /// What the end of a block adds to the number of coefficients.
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

  /// The entry, of the same form, for the one symbol at the highest bits of `word`; nil for no code.
  ///
  /// A run may go past the block; that shows in the sum of advances, 65 to 127.
  func entry(at word: UInt64) -> Int? {
    guard let (symbol, length) = search.symbol(at: word), Self.isPossible(symbol) else {
      return nil
    }
    return Self.entry(symbol: symbol, length: length)
  }

  /// Whether 8-bit samples can need it: no coefficient has more than 10 bits (T.81, F.1.2.2.1).
  private static func isPossible(_ symbol: UInt8) -> Bool { symbol & 15 <= 10 }

  private static func entry(symbol: UInt8, length: Int) -> Int {
    let run = Int(symbol >> 4)
    let size = Int(symbol & 15)
    // Size 0 with a run of 15 is sixteen zeros; with any other run all decoders end the block.
    if size == 0 { return (run == 15 ? 16 : endOfBlock) << 8 | length }
    return (run + 1) << 8 | (length + size)
  }

  private func fill(with table: HuffmanTable) {
    let indexBits = Self.indexBits
    let count = 1 << indexBits
    // One symbol an index first: an entry, and above it the length of the code alone.
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

  /// The entry for the symbols that the 13 bits of `index` tell in full.
  @inline(__always)
  private static func joined(_ single: UnsafeMutablePointer<UInt32>, _ index: UInt32) -> UInt16 {
    let known = UInt32(indexBits)
    // Both bytes of an entry are sums, so entries are added whole; no sum passes its byte.
    var sum = single[Int(index)] & 0xFFFF
    while sum & 255 < known, sum < UInt32(endOfBlock) << 8 {
      let next = single[Int((index &<< (sum & 255)) & (1 &<< known &- 1))]
      // The code must lie within the bits that are known; the value behind it need not.
      let isKnown = next != 0 && next &>> 16 <= known &- sum & 255
      let advance = next &>> 8 & 255
      guard isKnown, advance >= UInt32(endOfBlock) || advance &+ sum &>> 8 < 64 else { break }
      sum &+= next & 0xFFFF
    }
    return UInt16(truncatingIfNeeded: sum)
  }
}
