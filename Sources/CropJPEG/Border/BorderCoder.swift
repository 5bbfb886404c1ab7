/// Recodes blocks of one part of a scan.
final class BorderCoder {
  private let coder: BlockCoder
  private let quantizer = BorderQuantizer()
  private let steps: TableStore.Quantization
  /// For each zigzag index, the index with horizontal and vertical frequency exchanged.
  private let order = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
  /// 64 coefficients in zigzag order.
  private let coefficients = UnsafeMutablePointer<Int16>.allocate(capacity: 64)

  init(_ table: HuffmanTable, search: CodeSearch, steps: TableStore.Quantization) {
    coder = BlockCoder(table, search: search)
    self.steps = steps
    coefficients.initialize(repeating: 0, count: 64)
    ZigzagOrder.write(to: order)
    // In row order, which the quantizer expects.
    var rows = steps
    for index in 0..<64 { rows[BorderQuantizer.exchanged(Int(order[index]))] = steps[index] }
    quantizer.setSteps { rows[$0] }
  }

  deinit {
    order.deallocate()
    coefficients.deallocate()
  }

  /// Requantizes a block whose AC codes start at bit `position` of `bytes`.
  ///
  /// - Returns: its new DC value. The other new coefficients are stored for `write`.
  func requantize(
    dc: Int32, _ bytes: UnsafePointer<UInt8>, at position: Int, columns: Int, rows: Int
  ) -> Int32 {
    setCoefficients(dc: dc, bytes, at: position)
    quantizer.requantize(columns: columns, rows: rows)
    return takeCoefficients()
  }

  /// Sets the quantizer's coefficients to those of a block.
  private func setCoefficients(dc: Int32, _ bytes: UnsafePointer<UInt8>, at position: Int) {
    let (quantizer, order) = (quantizer, order)
    quantizer.clear()
    quantizer.set(Int16(truncatingIfNeeded: dc), at: 0)
    coder.read(bytes, at: position) { index, value in
      quantizer.set(value, at: Int(order[index]))
    }
  }

  /// Stores the quantizer's coefficients for `write`, and returns the DC value.
  private func takeCoefficients() -> Int32 {
    let (quantizer, order, coefficients) = (quantizer, order, coefficients)
    for index in 0..<64 { coefficients[index] = quantizer.value(at: Int(order[index])) }
    return Int32(coefficients[0])
  }

  /// Sets all coefficients to 0 that `write` writes.
  func clear() { coefficients.update(repeating: 0, count: 64) }

  /// Writes the coefficients after the DC; false if the table can code none.
  func write(_ writer: BitWriter, _ sink: JPEGSink) throws(JPEGError) -> Bool {
    try coder.write(coefficients, steps: steps, writer, sink)
  }
}

// Complete blocks.
extension BorderCoder {
  /// Decodes a block whose AC codes start at bit `position` of `bytes`, to 8 rows of 8 samples.
  func decode(
    dc: Int32, _ bytes: UnsafePointer<UInt8>, at position: Int,
    to samples: UnsafeMutablePointer<UInt8>, stride: Int
  ) {
    setCoefficients(dc: dc, bytes, at: position)
    quantizer.decode(to: samples, stride: stride)
  }

  /// Quantizes 8 rows of 8 samples.
  ///
  /// - Returns: the DC value. The other coefficients are stored for `write`.
  func encode(_ samples: UnsafePointer<UInt8>, stride: Int) -> Int32 {
    quantizer.encode(samples, stride: stride)
    return takeCoefficients()
  }
}

/// The order in which a JPEG stores the coefficients of a block (ITU-T T.81, figure 5).
enum ZigzagOrder {
  /// Writes the 64 column-by-column indexes of the coefficients, in the order of the file.
  static func write(to indices: UnsafeMutablePointer<UInt8>) {
    var place = 0
    for diagonal in 0..<15 {
      let first = max(0, diagonal - 7)
      let last = min(7, diagonal)
      for step in first...last {
        // Even diagonals go up, odd ones down.
        let row = diagonal & 1 == 0 ? first + last - step : step
        indices[place] = UInt8(truncatingIfNeeded: (diagonal - row) * 8 + row)
        place += 1
      }
    }
  }
}
