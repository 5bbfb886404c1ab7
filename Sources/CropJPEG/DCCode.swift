/// The length of each code of a DC difference, and the codes to write other differences.
///
/// The lookup is indexed by the next 10 bits. An entry is 0 if the code is longer or invalid,
/// otherwise:
///
///     bits 0–5    the length of code and value together
///     bits 6–9    the length of the value, its category
///     bits 10–14  the length of the code
final class DCCode {
  static let indexBits = 10
  /// The shift that turns the highest bits of a word into an index.
  static var indexShift: UInt64 { 54 }

  /// The largest category that differences of 8-bit samples can need (T.81, F.1.2.1.1).
  private static let mostCategory: UInt8 = 11

  let lookup: UnsafeMutablePointer<UInt16>
  private let search: CodeSearch
  private var codes = [UInt16](repeating: 0, count: 16)
  private var lengths = [UInt8](repeating: 0, count: 16)

  /// Nil if a symbol is not a category.
  init?(_ table: HuffmanTable) {
    guard !table.symbols.contains(where: { $0 > 15 }) else { return nil }
    search = CodeSearch(table)
    let indexBits = Self.indexBits
    let count = 1 << indexBits
    let lookup = UnsafeMutablePointer<UInt16>.allocate(capacity: count)
    lookup.initialize(repeating: 0, count: count)
    self.lookup = lookup
    var codes = codes
    var lengths = lengths
    table.forEachCode { code, length, symbol in
      codes[Int(symbol)] = UInt16(truncatingIfNeeded: code)
      lengths[Int(symbol)] = UInt8(length)
      guard length <= indexBits, symbol <= Self.mostCategory else { return }
      let shift = indexBits - length
      (lookup + code << shift).update(
        repeating: UInt16(Self.entry(symbol: symbol, length: length)), count: 1 << shift)
    }
    self.codes = codes
    self.lengths = lengths
  }

  deinit { lookup.deallocate() }

  /// The entry, in the same format, for the code at the highest bits of `word`; nil if they are not
  /// a code.
  func entry(at word: UInt64) -> Int? {
    guard let (symbol, length) = search.symbol(at: word), symbol <= Self.mostCategory else {
      return nil
    }
    return Self.entry(symbol: symbol, length: length)
  }

  private static func entry(symbol: UInt8, length: Int) -> Int {
    length << 10 | Int(symbol) << 6 | (length + Int(symbol))
  }

  /// The difference whose code, with `entry`, is in the highest bits of `word`.
  @inline(__always)
  static func difference(_ entry: UInt64, _ word: UInt64) -> Int32 {
    let size = entry &>> 6 & 15
    let length = entry &>> 10
    // Shifts twice, since a size of 0 would shift by 64.
    let value = Int32(truncatingIfNeeded: ((word &<< length) &>> 1) &>> (63 &- size))
    let half = Int32(truncatingIfNeeded: (1 as UInt64) &<< size) &>> 1
    // A value whose first bit is 0 is negative (T.81, F.12).
    return value < half ? value &- 2 &* half &+ 1 : value
  }

  /// The code of `difference` and its number of bits; nil if its category has no code, or 8-bit
  /// samples can't need it.
  func bits(for difference: Int32) -> (bits: UInt64, count: Int)? {
    let magnitude = difference.magnitude
    guard magnitude < 2048 else { return nil }
    let category = 32 - magnitude.leadingZeroBitCount
    let length = Int(lengths[category])
    guard length > 0 else { return nil }
    let value = difference < 0 ? difference - 1 : difference
    let tail = UInt64(truncatingIfNeeded: value) & (1 << UInt64(category) - 1)
    return (UInt64(codes[category]) << UInt64(category) | tail, length + category)
  }
}
