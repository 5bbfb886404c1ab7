import CropCore

/// Writes the headers of a new JPEG. Each table is written once, and again only if another one has
/// replaced it.
struct OutputTables {
  private let writer: BitWriter
  private var quantization: [TableStore.Quantization?] = [nil, nil, nil, nil]
  private var dc: [HuffmanTable?] = [nil, nil, nil, nil]
  private var ac: [HuffmanTable?] = [nil, nil, nil, nil]

  init(_ writer: BitWriter) { self.writer = writer }

  /// Writes the quantization tables that are defined before the frame header, and that header with
  /// a new size.
  mutating func write(
    _ frame: JPEGFrame, size: BitmapSize, tables: TableStore, _ sink: JPEGSink
  ) throws(JPEGError) {
    for component in frame.components where quantization[component.quantization] == nil {
      guard let steps = tables.quantization[component.quantization] else { continue }
      try write(steps, as: component.quantization, sink)
    }
    try writer.raw16(frame.process == .baseline ? 0xFFC0 : 0xFFC1, sink)
    try writer.raw16(8 + 3 * frame.components.count, sink)
    try writer.raw(UInt8(truncatingIfNeeded: frame.precision), sink)
    try writer.raw16(size.height, sink)
    try writer.raw16(size.width, sink)
    try writer.raw(UInt8(truncatingIfNeeded: frame.components.count), sink)
    for component in frame.components {
      try writer.raw(component.id, sink)
      try writer.raw16(
        component.horizontal << 12 | component.vertical << 8 | component.quantization, sink)
    }
  }

  /// Writes the header of a scan, preceded by the tables that it needs.
  mutating func write(
    _ coded: CodedScan, frame: JPEGFrame, _ sink: JPEGSink
  ) throws(JPEGError) {
    let parts = coded.scan.parts
    for (index, part) in parts.enumerated() {
      let slot = frame.components[part.component].quantization
      if quantization[slot] != coded.quantization[index] {
        try write(coded.quantization[index], as: slot, sink)
      }
    }
    for (part, output) in zip(parts, coded.outputs) {
      if dc[part.dcTable] != output.dcTable {
        dc[part.dcTable] = output.dcTable
        try write(output.dcTable, as: part.dcTable, sink)
      }
      if ac[part.acTable] != output.acTable {
        ac[part.acTable] = output.acTable
        try write(output.acTable, as: 0x10 | part.acTable, sink)
      }
    }
    try writer.raw16(0xFF00 | Int(JPEGMarker.startOfScan), sink)
    try writer.raw16(6 + 2 * parts.count, sink)
    try writer.raw(UInt8(truncatingIfNeeded: parts.count), sink)
    for part in parts {
      try writer.raw(frame.components[part.component].id, sink)
      try writer.raw(UInt8(truncatingIfNeeded: part.dcTable << 4 | part.acTable), sink)
    }
    // All coefficients, with all their bits.
    for byte: UInt8 in [0, 63, 0] { try writer.raw(byte, sink) }
  }

  private mutating func write(
    _ steps: TableStore.Quantization, as slot: Int, _ sink: JPEGSink
  ) throws(JPEGError) {
    quantization[slot] = steps
    let isWide = steps.contains { $0 > 255 }
    try writer.raw16(0xFF00 | Int(JPEGMarker.quantizationTables), sink)
    try writer.raw16(isWide ? 131 : 67, sink)
    try writer.raw(UInt8(truncatingIfNeeded: (isWide ? 0x10 : 0) | slot), sink)
    for step in steps {
      if isWide {
        try writer.raw16(Int(step), sink)
      } else {
        try writer.raw(UInt8(truncatingIfNeeded: step), sink)
      }
    }
  }

  private func write(
    _ table: HuffmanTable, as slot: Int, _ sink: JPEGSink
  ) throws(JPEGError) {
    try writer.raw16(0xFF00 | Int(JPEGMarker.huffmanTables), sink)
    try writer.raw16(19 + table.symbols.count, sink)
    try writer.raw(UInt8(truncatingIfNeeded: slot), sink)
    for count in table.counts { try writer.raw(count, sink) }
    for symbol in table.symbols { try writer.raw(symbol, sink) }
  }
}

extension ScanCutter.Plan {
  /// The MCUs of `scan` that make up `rect`, whose left and top edges are on the frame's grid.
  init(_ scan: JPEGScan, _ frame: JPEGFrame, _ rect: BitmapRect) {
    let grid = frame.grid
    let column = rect.x / grid.cellWidth
    let row = rect.y / grid.cellHeight
    let border = ScanBorder(scan, frame, rect)
    func up(_ length: Int, _ unit: Int) -> Int { (length + unit - 1) / unit }
    if scan.parts.count > 1 || frame.components.count == 1 {
      self.init(
        rowLength: up(frame.size.width, grid.cellWidth),
        rowCount: up(frame.size.height, grid.cellHeight),
        columns: column..<column + up(rect.width, grid.cellWidth),
        rows: row..<row + up(rect.height, grid.cellHeight), border: border)
      return
    }
    // A single component in a scan has its own grid of blocks, without the blocks that fill up MCUs
    // (T.81, A.2.2).
    let component = frame.components[scan.parts[0].component]
    func across(_ width: Int) -> Int {
      up(up(width * component.horizontal, frame.maxHorizontal), 8)
    }
    func down(_ height: Int) -> Int { up(up(height * component.vertical, frame.maxVertical), 8) }
    let left = column * component.horizontal
    let top = row * component.vertical
    self.init(
      rowLength: across(frame.size.width), rowCount: down(frame.size.height),
      columns: left..<left + across(rect.width), rows: top..<top + down(rect.height),
      border: border)
  }
}
