/// Reads and writes the AC coefficients of a block with one Huffman table.
final class BlockCoder {
  /// By symbol: the code in the low 16 bits, its length above them; 0 for no code.
  private let codes: UnsafeMutablePointer<UInt32>
  /// What ends a block early; nil if the table has no such symbol.
  private let endOfBlock: UInt8?
  private let search: CodeSearch
  /// What sixteen zeros are coded as.
  private static var sixteenZeros: UInt8 { 0xF0 }

  /// A coder with `table`, in which `search` finds codes.
  init(_ table: HuffmanTable, search: CodeSearch) {
    self.search = search
    let codes = UnsafeMutablePointer<UInt32>.allocate(capacity: 256)
    codes.initialize(repeating: 0, count: 256)
    table.forEachCode { code, length, symbol in
      codes[Int(symbol)] = UInt32(length) << 16 | UInt32(truncatingIfNeeded: code)
    }
    self.codes = codes
    // All decoders end a block at size 0 with any run but 15.
    var end: UInt8?
    for run in (0..<15).reversed() where codes[run << 4] != 0 { end = UInt8(run << 4) }
    endOfBlock = end
  }

  deinit { codes.deallocate() }

  /// Reads the coefficients 1 to 63, in zigzag order, from bit `position` of `bytes` on; their codes
  /// must have been found sound.
  func read(
    _ bytes: UnsafePointer<UInt8>, at position: Int, into block: UnsafeMutablePointer<Int16>
  ) {
    for index in 1..<64 { block[index] = 0 }
    var position = position
    var index = 1
    while index < 64 {
      let word = Bits(bytes, at: position).word
      guard let (symbol, length) = search.symbol(at: word) else { return }
      let size = Int(symbol & 15)
      let run = Int(symbol >> 4)
      position += length + size
      if size == 0 {
        guard run == 15 else { return }
        index += 16
        continue
      }
      index += run
      guard index < 64 else { return }
      let value = Int32(
        truncatingIfNeeded: (word << UInt64(length)) >> UInt64(truncatingIfNeeded: 64 - size))
      // A value whose first bit is 0 is negative (T.81, F.12).
      block[index] = Int16(
        truncatingIfNeeded: value < 1 << (size - 1) ? value - 1 << size + 1 : value)
      index += 1
    }
  }

  /// Writes the coefficients 1 to 63, in zigzag order, each of at most 10 bits.
  ///
  /// A table made for one picture may lack symbols that they need. Then those coefficients are written
  /// and left in `block` that the table can code and that differ least, each weighed by its step.
  ///
  /// - Returns: whether the table can code a block at all.
  func write(
    _ block: UnsafeMutablePointer<Int16>, steps: TableStore.Quantization, _ writer: BitWriter,
    _ sink: JPEGSink
  ) throws(JPEGError) -> Bool {
    if !canCode(block) {
      guard CodableBlock(block, steps: steps, coder: self).fit() else { return false }
    }
    var run = 0
    for index in 1..<64 {
      let value = Int32(block[index])
      if value == 0 {
        run += 1
        continue
      }
      while run > 15 {
        try put(Self.sixteenZeros, writer, sink)
        run -= 16
      }
      let size = Self.size(value)
      let code = codes[run << 4 | size]
      let tail = UInt64(truncatingIfNeeded: value < 0 ? value - 1 : value) & (1 << UInt64(size) - 1)
      try writer.put(
        UInt64(code & 0xFFFF) << UInt64(size) | tail, count: Int(code >> 16) + size, sink)
      run = 0
    }
    guard run > 0 else { return true }
    if let endOfBlock {
      try put(endOfBlock, writer, sink)
    } else {
      for _ in 0..<run / 16 { try put(Self.sixteenZeros, writer, sink) }
    }
    return true
  }

  private func put(_ symbol: UInt8, _ writer: BitWriter, _ sink: JPEGSink) throws(JPEGError) {
    let code = codes[Int(symbol)]
    try writer.put(UInt64(code & 0xFFFF), count: Int(code >> 16), sink)
  }

  private func canCode(_ block: UnsafeMutablePointer<Int16>) -> Bool {
    var last = 0
    for index in 1..<64 where block[index] != 0 {
      guard hasCode(from: last, to: index, size: Self.size(Int32(block[index]))) else {
        return false
      }
      last = index
    }
    return canEnd(after: last)
  }

  /// Whether a coefficient at `index` of that size can be coded next after the one at `last`.
  func hasCode(from last: Int, to index: Int, size: Int) -> Bool {
    let run = index - last - 1
    return codes[(run & 15) << 4 | size] != 0
      && (run < 16 || codes[Int(Self.sixteenZeros)] != 0)
  }

  /// Whether a block can end behind the coefficient at `last`.
  func canEnd(after last: Int) -> Bool {
    let rest = 63 - last
    return rest == 0 || endOfBlock != nil
      || (rest % 16 == 0 && codes[Int(Self.sixteenZeros)] != 0)
  }

  /// The number of bits of a coefficient's magnitude.
  @inline(__always)
  static func size(_ value: Int32) -> Int { 32 - value.magnitude.leadingZeroBitCount }
}
