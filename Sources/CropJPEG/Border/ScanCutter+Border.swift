// Blocks that the right and bottom edges of the crop divide: the samples outside are hidden.
extension ScanCutter {
  /// Writes `count` MCUs, which are adjacent in the source and in the result, block by block.
  /// Blocks at the edge are requantized from their visible samples, or emptied.
  ///
  /// - Parameters:
  ///   - column: the column of the first MCU in the cut.
  ///   - row: their row in the cut.
  func writeBorder(
    _ count: Int, column: Int, row: Int, _ border: ScanBorder, _ sink: JPEGSink
  ) throws(JPEGError) {
    for offset in 0..<count {
      if next == nextRestart { try passRestart(sink) }
      try writeBorderMCU(column: column + offset, row: row, border, sink)
    }
  }

  private func writeBorderMCU(
    column: Int, row: Int, _ border: ScanBorder, _ sink: JPEGSink
  ) throws(JPEGError) {
    try makeMCUReady(sink)
    // The crop's DC values in this MCU, as written; an MCU has at most ten blocks.
    var values = SIMD16<Int32>()
    var part = -1
    var number = 0
    for block in scan.blocks {
      if let damage = scan.passDC(block) { throw scan.failure(damage) }
      let coefficients = scan.position
      if let damage = scan.passAC(block.ac) { throw scan.failure(damage) }
      if block.part != part {
        part = block.part
        number = 0
      }
      let coder = coded.outputs[part].border
      var value = scan.predictors[part]
      switch border.fate(number, of: part, column: column, row: row) {
      case .kept:
        try writeDC(value, of: part, sink)
        try writer.copy(window.bytes, from: coefficients, to: scan.position, sink)
      case .requantized(let columns, let rows):
        value = coder.requantize(
          dc: value, window.bytes, at: coefficients, columns: columns, rows: rows)
        try writeDC(value, of: part, sink)
        guard try coder.write(writer, sink) else { throw scan.failure(.code) }
        requantized[part] += 1
      case .empty(let like):
        value = values[like]
        coder.clear()
        try writeDC(value, of: part, sink)
        guard try coder.write(writer, sink) else { throw scan.failure(.code) }
      }
      values[number] = value
      number += 1
    }
    try finishMCU()
  }
}
