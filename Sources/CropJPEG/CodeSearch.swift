/// Finds the symbol of a Huffman code of any length, bit by bit, for codes that are too long for a
/// lookup table.
struct CodeSearch {
  /// The code behind the last one of each length, aligned to 16 bits; index 0 is for one bit.
  private var ends: [UInt32] = []
  /// The number to add to a code of each length to get the index of its symbol.
  private var shifts: [Int] = []
  private let symbols: [UInt8]

  init(_ table: HuffmanTable) {
    symbols = table.symbols
    var code = 0
    var index = 0
    for (bits, count) in table.counts.enumerated() {
      shifts.append(index - code)
      code += Int(count)
      index += Int(count)
      ends.append(UInt32(code) << UInt32(15 - bits))
      code <<= 1
    }
  }

  /// The symbol whose code is in the highest bits of `word`, and its length; nil for an invalid
  /// code.
  func symbol(at word: UInt64) -> (symbol: UInt8, length: Int)? {
    let head = UInt32(truncatingIfNeeded: word >> 48)
    for (bits, end) in ends.enumerated() where head < end {
      let index = Int(head >> UInt32(15 - bits)) + shifts[bits]
      guard index >= 0, index < symbols.count else { return nil }
      return (symbols[index], bits + 1)
    }
    return nil
  }
}
