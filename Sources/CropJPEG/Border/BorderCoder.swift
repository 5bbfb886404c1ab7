/// Codes blocks of one part of a scan again.
final class BorderCoder {
  private let coder: BlockCoder
  private let quantizer = BorderQuantizer()
  private let steps: TableStore.Quantization
  /// By place in zigzag order: the index with frequencies exchanged.
  private let order = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
  /// 64 coefficients in zigzag order.
  private let coefficients = UnsafeMutablePointer<Int16>.allocate(capacity: 64)

  init(_ table: HuffmanTable, search: CodeSearch, steps: TableStore.Quantization) {
    coder = BlockCoder(table, search: search)
    self.steps = steps
    coefficients.initialize(repeating: 0, count: 64)
    ZigzagOrder.write(to: order)
    // By row: the quantiser takes them so.
    var rows = steps
    for index in 0..<64 { rows[BorderQuantizer.exchanged(Int(order[index]))] = steps[index] }
    quantizer.setSteps { rows[$0] }
  }

  deinit {
    order.deallocate()
    coefficients.deallocate()
  }

  /// Quantises a block again, whose AC codes stand at bit `position` of `bytes`.
  ///
  /// - Returns: its new DC value; the other new coefficients are kept for `write`.
  func requantize(
    dc: Int32, _ bytes: UnsafePointer<UInt8>, at position: Int, columns: Int, rows: Int
  ) -> Int32 {
    let (quantizer, order, coefficients) = (quantizer, order, coefficients)
    quantizer.clear()
    quantizer.set(Int16(truncatingIfNeeded: dc), at: 0)
    coder.read(bytes, at: position) { index, value in
      quantizer.set(value, at: Int(order[index]))
    }
    quantizer.requantize(columns: columns, rows: rows)
    for index in 0..<64 { coefficients[index] = quantizer.value(at: Int(order[index])) }
    return Int32(coefficients[0])
  }

  /// Makes all coefficients 0 that `write` will write.
  func clear() { coefficients.update(repeating: 0, count: 64) }

  /// Writes the coefficients behind the DC; false if the table can code none.
  func write(_ writer: BitWriter, _ sink: JPEGSink) throws(JPEGError) -> Bool {
    try coder.write(coefficients, steps: steps, writer, sink)
  }
}
