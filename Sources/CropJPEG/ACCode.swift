/// How far each pattern of bits leads through the AC coefficients of a block.
///
/// Only lengths matter here, no values. The lookup is indexed by the next 13 bits; an entry covers
/// as many symbols as these bits tell in full, up to and with the end of the block:
///
///     bits 0–5    how many bits to skip, the values' own bits included
///     bits 6–12   how many coefficients to advance, at most 63
///     bit 13      the block ends here
///     bit 15      none of it: the first code is longer than 13 bits, or is none
///
/// Advancing is one addition of `entry >> 6`, so what lies past the last coefficient shows in the sum.
final class ACCode {
  static let indexBits = 13
  /// What the end of a block adds to the number of coefficients.
  static let endOfBlock = 128
  private static let unknown: UInt16 = 512 << 6

  let lookup: UnsafeMutablePointer<UInt16>
  private let search: CodeSearch

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
    guard let (symbol, length) = search.symbol(at: word) else { return nil }
    return Self.entry(symbol: symbol, length: length)
  }

  private static func entry(symbol: UInt8, length: Int) -> Int {
    let run = Int(symbol >> 4)
    let size = Int(symbol & 15)
    // Size 0 with a run of 15 is sixteen zeros; with any other run all decoders end the block.
    if size == 0 { return (run == 15 ? 16 : endOfBlock) << 6 | length }
    return (run + 1) << 6 | (length + size)
  }

  private func fill(with table: HuffmanTable) {
    let indexBits = Self.indexBits
    let count = 1 << indexBits
    // One symbol an index first: an entry, and above it the length of the code alone.
    let single = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
    single.initialize(repeating: 0, count: count)
    defer { single.deallocate() }
    table.forEachCode { code, length, symbol in
      guard length <= indexBits else { return }
      let shift = indexBits - length
      let value = UInt32(Self.entry(symbol: symbol, length: length)) | UInt32(length) << 16
      (single + code << shift).update(repeating: value, count: 1 << shift)
    }
    for index in 0..<count where single[index] != 0 {
      lookup[index] = Self.joined(single, index)
    }
  }

  /// The entry for the symbols that the 13 bits of `index` tell in full.
  private static func joined(_ single: UnsafeMutablePointer<UInt32>, _ index: Int) -> UInt16 {
    let first = single[index]
    var bits = Int(first & 63)
    var advance = Int(first & 0xFFFF) >> 6
    while bits < indexBits, advance < endOfBlock {
      let next = single[(index << bits) & (1 << indexBits - 1)]
      let nextAdvance = Int(next & 0xFFFF) >> 6
      // The code must lie within the bits that are known; the value behind it need not.
      guard next != 0, Int(next >> 16) <= indexBits - bits,
        nextAdvance >= endOfBlock || advance + nextAdvance <= 63
      else { break }
      bits += Int(next & 63)
      advance += nextAdvance
    }
    return UInt16(advance << 6 | bits)
  }
}
