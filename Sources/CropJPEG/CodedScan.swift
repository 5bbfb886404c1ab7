/// A scan of a file, prepared to be read any number of times.
final class CodedScan {
  /// How one part of the scan is written.
  struct Output {
    /// The DC table to write: the source's, with codes for all categories.
    let dcTable: HuffmanTable
    let dcCode: DCCode
    /// Whether every DC code must be rewritten, since the source's table had no space for more
    /// codes.
    let isRecoded: Bool
    let acTable: HuffmanTable
    /// Recodes the blocks that the edge of a cut divides.
    let border: BorderCoder
  }

  let scan: JPEGScan
  /// The blocks of an MCU.
  let blocks: [ScanReader.Block]
  /// The output of each part.
  let outputs: [Output]
  /// The largest magnitudes that DC values can have, by part.
  let mostDC: SIMD4<Int32>
  let quantization: [TableStore.Quantization]
  /// The positions of rows that were read, in MCU order.
  private(set) var marks: [Mark] = []

  /// A position at the start of an MCU.
  struct Mark {
    /// The number of the MCU.
    var mcu: Int
    /// The number of the MCU after the next restart marker.
    var nextRestart: Int
    var place: ScanWindow.Mark
    /// The DC values at that position, by part.
    var predictors: SIMD4<Int32>
  }

  init(_ scan: JPEGScan, frame: JPEGFrame, tables: TableStore) throws(JPEGError) {
    self.scan = scan
    var blocks: [ScanReader.Block] = []
    var outputs: [Output] = []
    var quantization: [TableStore.Quantization] = []
    var mostDC = SIMD4<Int32>()
    for (index, part) in scan.parts.enumerated() {
      let component = frame.components[part.component]
      guard let steps = tables.quantization[component.quantization],
        let dcTable = tables.dc[part.dcTable], let acTable = tables.ac[part.acTable]
      else { throw .corrupt(.missingTable, offset: scan.dataOffset) }
      quantization.append(steps)
      mostDC[index] = Self.mostDC(steps)
      let twin = scan.parts[..<index].firstIndex { $0.acTable == part.acTable }
      let ac = twin.map { blocks[Self.first(blocks, $0)].ac } ?? ACCode(acTable)
      guard let dc = DCCode(dcTable) else { throw .corrupt(.table, offset: scan.dataOffset) }
      guard
        let output = Self.output(
          dcTable, dc, acTable, BorderCoder(acTable, search: ac.search, steps: steps))
      else {
        throw .corrupt(.table, offset: scan.dataOffset)
      }
      outputs.append(output)
      let count = scan.parts.count == 1 ? 1 : component.horizontal * component.vertical
      for _ in 0..<count { blocks.append(ScanReader.Block(dc: dc, ac: ac, part: index)) }
    }
    // The standard's limit; the parser's tail relies on it.
    guard blocks.count <= 10 else { throw .unsupported(.components) }
    self.blocks = blocks
    self.outputs = outputs
    self.quantization = quantization
    self.mostDC = mostDC
  }

  /// The largest valid DC value. A block that is completely black or white has a DC of 8 × 128,
  /// divided by its step; a quarter more, plus two steps for rounding, is more than any image of
  /// 8-bit samples has.
  private static func mostDC(_ steps: TableStore.Quantization) -> Int32 {
    1280 / Int32(max(1, steps.first ?? 1)) + 2
  }

  private static func first(_ blocks: [ScanReader.Block], _ part: Int) -> Int {
    blocks.firstIndex { $0.part == part } ?? 0
  }

  private static func output(
    _ dcTable: HuffmanTable, _ dc: DCCode, _ acTable: HuffmanTable, _ border: BorderCoder
  ) -> Output? {
    if let whole = dcTable.withAllCategories() {
      let isSame = whole == dcTable
      guard let code = isSame ? dc : DCCode(whole) else { return nil }
      return Output(
        dcTable: whole, dcCode: code, isRecoded: false, acTable: acTable, border: border)
    }
    guard let standard = HuffmanTable.standardDC(0), let code = DCCode(standard) else { return nil }
    return Output(
      dcTable: standard, dcCode: code, isRecoded: true, acTable: acTable, border: border)
  }
}

extension CodedScan {
  /// Stores a position if it is after all stored ones.
  func remember(_ mark: Mark) {
    if let last = marks.last, last.mcu >= mark.mcu { return }
    marks.append(mark)
  }

  /// The last stored position at or before an MCU; nil if the scan's start is the nearest.
  func nearestMark(before mcu: Int) -> Mark? {
    var low = 0
    var high = marks.count
    while low < high {
      let middle = (low + high) / 2
      if marks[middle].mcu <= mcu { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? marks[low - 1] : nil
  }
}
