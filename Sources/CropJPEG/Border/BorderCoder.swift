/// Codes blocks of one part of a scan again.
final class BorderCoder {
  private let coder: BlockCoder
  private let quantizer = BorderQuantizer()
  private let steps: TableStore.Quantization
  private let order = ZigzagOrder.indices()
  /// 64 coefficients in zigzag order, and 64 row by row.
  private let coefficients = UnsafeMutablePointer<Int16>.allocate(capacity: 64)
  private let block = UnsafeMutablePointer<Int16>.allocate(capacity: 64)

  init(_ table: HuffmanTable, search: CodeSearch, steps: TableStore.Quantization) {
    coder = BlockCoder(table, search: search)
    self.steps = steps
    coefficients.initialize(repeating: 0, count: 64)
    block.initialize(repeating: 0, count: 64)
    var rows = [UInt16](repeating: 1, count: 64)
    for index in 0..<64 { rows[Int(order[index])] = steps[index] }
    quantizer.setSteps { rows[$0] }
  }

  deinit {
    coefficients.deallocate()
    block.deallocate()
  }

  /// Quantises a block again, whose AC codes stand at bit `position` of `bytes`.
  ///
  /// - Returns: its new DC value; the other new coefficients are kept for `write`.
  func requantize(
    dc: Int32, _ bytes: UnsafePointer<UInt8>, at position: Int, columns: Int, rows: Int
  ) -> Int32 {
    coder.read(bytes, at: position, into: coefficients)
    coefficients[0] = Int16(truncatingIfNeeded: dc)
    for index in 0..<64 { block[Int(order[index])] = coefficients[index] }
    quantizer.requantize(block, columns: columns, rows: rows)
    for index in 0..<64 { coefficients[index] = block[Int(order[index])] }
    return Int32(coefficients[0])
  }

  /// Makes all coefficients 0 that `write` will write.
  func clear() { coefficients.update(repeating: 0, count: 64) }

  /// Writes the coefficients behind the DC; false if the table can code none.
  func write(_ writer: BitWriter, _ sink: JPEGSink) throws(JPEGError) -> Bool {
    try coder.write(coefficients, steps: steps, writer, sink)
  }
}
