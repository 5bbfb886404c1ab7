/// Reads and writes the AC coefficients of a block with one Huffman table.
final class BlockCoder {
  /// For each symbol, the code in the low 16 bits, and its length above them; 0 if it has none.
  private let codes: UnsafeMutablePointer<UInt32>
  /// The symbol that ends a block early; nil if the table has none.
  private let endOfBlock: UInt8?
  private let search: CodeSearch
  /// For each value of the next eight bits, the symbol in the low byte, and the length of its code
  /// above it; 0 if the code is longer.
  private let heads: UnsafeMutablePointer<UInt16>
  private static var sixteenZeros: UInt8 { 0xF0 }

  /// A coder for `table`; `search` finds its codes.
  init(_ table: HuffmanTable, search: CodeSearch) {
    self.search = search
    let codes = UnsafeMutablePointer<UInt32>.allocate(capacity: 256)
    codes.initialize(repeating: 0, count: 256)
    let heads = UnsafeMutablePointer<UInt16>.allocate(capacity: 256)
    heads.initialize(repeating: 0, count: 256)
    table.forEachCode { code, length, symbol in
      codes[Int(symbol)] = UInt32(length) << 16 | UInt32(truncatingIfNeeded: code)
      guard length <= 8 else { return }
      (heads + code << (8 - length)).update(
        repeating: UInt16(length) << 8 | UInt16(symbol), count: 1 << (8 - length))
    }
    self.codes = codes
    self.heads = heads
    // All decoders end a block at size 0 with any run but 15.
    var end: UInt8?
    for run in (0..<15).reversed() where codes[run << 4] != 0 { end = UInt8(run << 4) }
    endOfBlock = end
  }

  deinit {
    codes.deallocate()
    heads.deallocate()
  }

  /// Reads the coefficients 1 to 63 from bit `position` of `bytes` on. Their codes must be known to
  /// be valid. `body` receives the zigzag index and the value of each coefficient that is not 0.
  @inline(__always)
  func read(
    _ bytes: UnsafePointer<UInt8>, at position: Int, _ body: (_ index: Int, _ value: Int16) -> Void
  ) {
    var position = position
    var index = 1
    while index < 64 {
      let word = Bits(bytes, at: position).word
      var entry = Int(heads[Int(truncatingIfNeeded: word &>> 56)])
      if entry == 0 {
        guard let found = search.symbol(at: word) else { return }
        entry = found.length << 8 | Int(found.symbol)
      }
      let length = entry >> 8
      let size = entry & 15
      let run = entry >> 4 & 15
      position += length + size
      if size == 0 {
        guard run == 15 else { return }
        index += 16
        continue
      }
      index += run
      guard index < 64 else { return }
      let value = Int32(
        truncatingIfNeeded: (word &<< UInt64(truncatingIfNeeded: length))
          &>> UInt64(truncatingIfNeeded: 64 - size))
      // A value whose first bit is 0 is negative (T.81, F.12).
      let half: Int32 = 1 &<< Int32(truncatingIfNeeded: size - 1)
      body(index, Int16(truncatingIfNeeded: value < half ? value &- 2 &* half &+ 1 : value))
      index += 1
    }
  }

  /// Writes the coefficients 1 to 63, in zigzag order, each of at most 10 bits.
  ///
  /// A table made for one image may lack symbols that they need. The nearest coefficients that the
  /// table can code are then written, and stored in `block`; differences are weighted by the
  /// quantizer's steps.
  ///
  /// - Returns: whether the table can code a block at all.
  func write(
    _ block: UnsafeMutablePointer<Int16>, steps: TableStore.Quantization, _ writer: BitWriter,
    _ sink: JPEGSink
  ) throws(JPEGError) -> Bool {
    var places = Self.places(block)
    if !canCode(block, places) {
      guard CodableBlock(block, steps: steps, coder: self).fit() else { return false }
      places = Self.places(block)
    }
    var last = 0
    while places != 0 {
      let index = places.trailingZeroBitCount
      places &= places &- 1
      var run = index &- last &- 1
      last = index
      while run > 15 {
        try put(Self.sixteenZeros, writer, sink)
        run &-= 16
      }
      let value = Int32(block[index])
      let size = Self.size(value)
      let code = codes[run &<< 4 | size]
      let tail =
        UInt64(truncatingIfNeeded: value < 0 ? value &- 1 : value)
        & (1 &<< UInt64(truncatingIfNeeded: size) &- 1)
      try writer.put(
        UInt64(code & 0xFFFF) &<< UInt64(truncatingIfNeeded: size) | tail,
        count: Int(code >> 16) + size, sink)
    }
    guard last < 63 else { return true }
    if let endOfBlock {
      try put(endOfBlock, writer, sink)
    } else {
      for _ in 0..<(63 - last) / 16 { try put(Self.sixteenZeros, writer, sink) }
    }
    return true
  }

  /// A bit mask of the indexes of the coefficients after the first that are not 0.
  private static func places(_ block: UnsafeMutablePointer<Int16>) -> UInt64 {
    var places: UInt64 = 0
    for index in 1..<64 {
      places |= (block[index] == 0 ? 0 : 1) &<< UInt64(truncatingIfNeeded: index)
    }
    return places
  }

  private func put(_ symbol: UInt8, _ writer: BitWriter, _ sink: JPEGSink) throws(JPEGError) {
    let code = codes[Int(symbol)]
    try writer.put(UInt64(code & 0xFFFF), count: Int(code >> 16), sink)
  }

  private func canCode(_ block: UnsafeMutablePointer<Int16>, _ places: UInt64) -> Bool {
    var left = places
    var last = 0
    while left != 0 {
      let index = left.trailingZeroBitCount
      left &= left &- 1
      guard hasCode(from: last, to: index, size: Self.size(Int32(block[index]))) else {
        return false
      }
      last = index
    }
    return canEnd(after: last)
  }

  /// Whether a coefficient of `size` bits at `index` can be coded directly after the one at `last`.
  func hasCode(from last: Int, to index: Int, size: Int) -> Bool {
    let run = index - last - 1
    return codes[(run & 15) << 4 | size] != 0
      && (run < 16 || codes[Int(Self.sixteenZeros)] != 0)
  }

  /// Whether a block can end after the coefficient at `last`.
  func canEnd(after last: Int) -> Bool {
    let rest = 63 - last
    return rest == 0 || endOfBlock != nil
      || (rest % 16 == 0 && codes[Int(Self.sixteenZeros)] != 0)
  }

  /// The number of bits of a coefficient's magnitude.
  @inline(__always)
  static func size(_ value: Int32) -> Int { 32 - value.magnitude.leadingZeroBitCount }
}
