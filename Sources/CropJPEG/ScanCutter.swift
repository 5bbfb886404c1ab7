/// Cuts a rectangle of MCUs out of one scan.
final class ScanCutter {
  /// The MCUs of a scan, and those that are wanted of them.
  struct Plan {
    /// MCUs in a row.
    var rowLength: Int
    /// Rows of MCUs.
    var rowCount: Int
    /// The columns that are wanted.
    var columns: Range<Int>
    /// The rows that are wanted.
    var rows: Range<Int>
    /// What the last of them hide; nil if nothing.
    var border: ScanBorder?
  }

  let coded: CodedScan
  private let plan: Plan
  private let reader: ByteReader
  let window: ScanWindow
  let scan: ScanReader
  let writer: BitWriter
  /// The DC values of the last written block, by part.
  private var written = SIMD4<Int32>()
  /// How many blocks were quantised again, by part.
  var requantized = SIMD4<Int>()
  /// The number of the next MCU.
  private(set) var next = 0
  /// The number of the MCU before which the next restart marker stands; past all if there are none.
  private(set) var nextRestart: Int
  /// The first bit of the window that is wanted and not copied yet, while copying.
  private var copyStart: Int?
  private(set) var warnings: JPEGWarnings = []

  init(
    _ coded: CodedScan, plan: Plan, reader: ByteReader, window: ScanWindow, writer: BitWriter
  ) {
    self.coded = coded
    self.plan = plan
    self.reader = reader
    self.window = window
    self.writer = writer
    scan = ScanReader(reader, window: window, coded: coded)
    nextRestart = coded.scan.restartInterval > 0 ? coded.scan.restartInterval : .max
  }

  /// Writes the wanted MCUs and leaves the reader behind the last of them, before the next marker
  /// that is no restart marker.
  ///
  /// Of damage behind them a `isLenient` cut only warns.
  func cut(isLenient: Bool, _ sink: JPEGSink) throws(JPEGError) {
    try begin()
    for row in plan.rows {
      try advance(to: row * plan.rowLength + plan.columns.lowerBound, sink)
      try write(row, sink)
    }
    try writer.align(sink)
    do throws(JPEGError) {
      try readToEnd(sink)
    } catch .corrupt(let damage, let offset) {
      guard isLenient else { throw .corrupt(damage, offset: offset) }
      warnings.insert(.damagedEnd)
    }
  }

  /// Writes the wanted MCUs of a row, the next ones.
  private func write(_ row: Int, _ sink: JPEGSink) throws(JPEGError) {
    guard let border = plan.border else { return try copyRun(plan.columns.count, sink) }
    let isLast = row == plan.rows.upperBound - 1
    let edge =
      isLast && border.hidesRows ? plan.columns.count : border.hidesColumns ? 1 : 0
    try copyRun(plan.columns.count - edge, sink)
    try writeBorder(
      edge, column: plan.columns.count - edge, row: row - plan.rows.lowerBound, border, sink)
  }

  /// Goes to the nearest known place before the first wanted MCU.
  private func begin() throws(JPEGError) {
    let first = plan.rows.lowerBound * plan.rowLength + plan.columns.lowerBound
    guard let mark = coded.nearestMark(before: first) else {
      return try window.start(at: coded.scan.dataOffset)
    }
    try window.start(at: mark.place.chunk)
    scan.position = mark.place.bit
    for part in 0..<4 { scan.predictors[part] = mark.predictors[part] }
    next = mark.mcu
    nextRestart = mark.nextRestart
  }

}

// What the end of a scan tells of all that comes before it.
extension ScanCutter {
  /// Reads on to the end of the scan where that is little beside what was read: codes that are damaged
  /// soon make sense again, and often only their number tells.
  private func readToEnd(_ sink: JPEGSink) throws(JPEGError) {
    let isNear = (plan.rowCount - plan.rows.upperBound) * 16 <= plan.rows.upperBound
    if coded.scan.restartInterval == 0, isNear {
      try advance(to: plan.rowLength * plan.rowCount, sink)
    }
    if next == plan.rowLength * plan.rowCount { try checkEnd(sink) }
  }

  /// Looks at the bytes before the marker, though every MCU up to it was read: there are none, or some
  /// that mean nothing, or more MCUs, of which one then was lost or made by damage before.
  private func checkEnd(_ sink: JPEGSink) throws(JPEGError) {
    if !window.isSegmentEnd, scan.position > (window.count - ScanWindow.margin) * 8 {
      try moveWindow(sink)
    }
    let rest = (scan.position + 7) >> 3
    if window.isSegmentEnd, rest >= window.count { return }
    warnings.insert(.extraBytes)
    guard !window.isSegmentEnd || !window.isPadding(from: rest) else { return }
    while !window.isSegmentEnd || window.count * 8 - scan.position >= 8 {
      switch scan.skip(1).stop {
      case .done: break
      case .window: try moveWindow(sink)
      case .segmentEnd, .damage: return
      }
    }
    throw scan.failure(.dataLeft)
  }
}

// Passing over what is not wanted.
extension ScanCutter {
  private func advance(to target: Int, _ sink: JPEGSink) throws(JPEGError) {
    while next < target {
      if nextRestart <= target {
        try jump(to: target)
        continue
      }
      let rowEnd = (next / plan.rowLength + 1) * plan.rowLength
      try pass(min(target, rowEnd) - next, sink)
      if next == rowEnd { remember() }
    }
  }

  /// Reads over `count` MCUs; those that are wanted are copied whenever the window moves on.
  private func pass(_ count: Int, _ sink: JPEGSink) throws(JPEGError) {
    var left = count
    while left > 0 {
      let (passed, stop) = scan.skip(left)
      left -= passed
      next += passed
      switch stop {
      case .done: return
      case .window: try moveWindow(sink)
      case .segmentEnd: throw scan.failure(.shortData)
      case .damage(let damage): throw scan.failure(damage)
      }
    }
  }

  private func moveWindow(_ sink: JPEGSink) throws(JPEGError) {
    if let start = copyStart {
      try writer.copy(window.bytes, from: start, to: scan.position, sink)
    }
    let first = scan.position >> 3
    try window.advance(keepingFrom: first)
    scan.position -= first * 8
    if copyStart != nil { copyStart = scan.position }
  }

  private func remember() {
    coded.remember(
      CodedScan.Mark(
        mcu: next, nextRestart: nextRestart, place: window.mark(scan.position),
        predictors: SIMD4(
          scan.predictors[0], scan.predictors[1], scan.predictors[2], scan.predictors[3])))
  }

  /// Goes to the start of the restart interval that holds an MCU, by its markers alone.
  private func jump(to target: Int) throws(JPEGError) {
    var row = next / plan.rowLength
    while nextRestart <= target {
      try passRestartMarker()
      if next / plan.rowLength > row {
        row = next / plan.rowLength
        coded.remember(
          CodedScan.Mark(
            mcu: next, nextRestart: nextRestart,
            place: ScanWindow.Mark(chunk: reader.offset, bit: 0), predictors: SIMD4()))
      }
    }
    try beginInterval()
  }

  /// Goes behind the next restart marker, which must be the one whose turn it is.
  private func passRestartMarker() throws(JPEGError) {
    let interval = coded.scan.restartInterval
    guard let marker = try reader.seekMarker() else { throw .truncated(offset: reader.offset) }
    guard marker == 0xD0 + UInt8((nextRestart / interval - 1) & 7) else {
      throw .corrupt(.restartMarker, offset: reader.offset)
    }
    reader.cursor += 2
    next = nextRestart
    nextRestart += interval
  }

  private func beginInterval() throws(JPEGError) {
    try window.startHere()
    scan.position = 0
    scan.resetPredictors()
  }
}

// Copying what is wanted.
extension ScanCutter {
  /// Copies `count` MCUs, which follow each other in the source as in the result.
  private func copyRun(_ count: Int, _ sink: JPEGSink) throws(JPEGError) {
    let recodesAll = coded.outputs.contains { $0.isRecoded }
    var left = count
    while left > 0 {
      if next == nextRestart { try passRestart(sink) }
      try recode(isFirst: true, sink)
      let more = min(left - 1, nextRestart - next)
      left -= 1 + more
      if recodesAll {
        for _ in 0..<more { try recode(isFirst: false, sink) }
      } else {
        copyStart = scan.position
        try pass(more, sink)
        try writer.copy(window.bytes, from: copyStart ?? scan.position, to: scan.position, sink)
        copyStart = nil
      }
      for part in 0..<4 { written[part] = scan.predictors[part] }
    }
  }

  /// Copies one MCU block by block. The DC code of a component's first block after a gap or a restart
  /// is written anew, for its difference to the last block written; so is any whose table changes.
  private func recode(isFirst: Bool, _ sink: JPEGSink) throws(JPEGError) {
    try makeMCUReady(sink)
    var seen = -1
    for block in scan.blocks {
      let start = scan.position
      if let damage = scan.passDC(block) { throw scan.failure(damage) }
      let coefficients = scan.position
      if let damage = scan.passAC(block.ac) { throw scan.failure(damage) }
      // Blocks of a part stand together and parts in ascending order.
      let isFirstOfPart = block.part > seen
      seen = block.part
      let value = scan.predictors[block.part]
      let output = coded.outputs[block.part]
      if output.isRecoded || (isFirst && isFirstOfPart) {
        try writeDC(value, of: block.part, sink)
        try writer.copy(window.bytes, from: coefficients, to: scan.position, sink)
      } else {
        try writer.copy(window.bytes, from: start, to: scan.position, sink)
      }
      written[block.part] = value
    }
    try finishMCU()
  }

  /// Writes the DC code of the part's next block.
  func writeDC(_ value: Int32, of part: Int, _ sink: JPEGSink) throws(JPEGError) {
    let code = coded.outputs[part].dcCode
    guard let (bits, count) = code.bits(for: value &- written[part]) else {
      throw scan.failure(.dcRange)
    }
    try writer.put(bits, count: count, sink)
    written[part] = value
  }

  /// Goes into the next restart interval, where one ends here.
  func passRestart(_ sink: JPEGSink) throws(JPEGError) {
    try checkEnd(sink)
    try passRestartMarker()
    try beginInterval()
  }

  /// Brings the next MCU into the window whole.
  func makeMCUReady(_ sink: JPEGSink) throws(JPEGError) {
    if !window.isSegmentEnd, scan.position > (window.count - ScanWindow.margin) * 8 {
      try moveWindow(sink)
    }
  }

  /// Looks at what an MCU that was passed block by block has shown.
  func finishMCU() throws(JPEGError) {
    guard scan.position <= window.count * 8 else { throw scan.failure(.shortData) }
    guard !scan.roomForDC.isNegative else { throw scan.failure(.dcRange) }
    next += 1
  }
}
