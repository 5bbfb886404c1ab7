/// Cuts a rectangle of MCUs out of one scan.
final class ScanCutter {
  /// The MCUs of a scan, and the requested ones among them.
  struct Plan {
    /// The number of MCUs per row.
    var rowLength: Int
    /// The number of rows of MCUs.
    var rowCount: Int
    var columns: Range<Int>
    var rows: Range<Int>
    /// The hidden part of the last MCUs; nil if nothing is hidden.
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
  /// The number of requantized blocks, by part.
  var requantized = SIMD4<Int>()
  /// The number of the next MCU.
  private(set) var next = 0
  /// The number of the MCU after the next restart marker; larger than any MCU if there are no
  /// restart markers.
  private(set) var nextRestart: Int
  /// While copying, the first bit of the window that is requested and not copied yet.
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

  /// Writes the requested MCUs and leaves the reader after the last of them, before the next marker
  /// other than a restart marker.
  ///
  /// With `isLenient`, damage after them is only a warning.
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

  /// Writes the requested MCUs of a row, which come next.
  private func write(_ row: Int, _ sink: JPEGSink) throws(JPEGError) {
    guard let border = plan.border else { return try copyRun(plan.columns.count, sink) }
    let isLast = row == plan.rows.upperBound - 1
    let edge =
      isLast && border.hidesRows ? plan.columns.count : border.hidesColumns ? 1 : 0
    try copyRun(plan.columns.count - edge, sink)
    try writeBorder(
      edge, column: plan.columns.count - edge, row: row - plan.rows.lowerBound, border, sink)
  }

  /// Moves to the nearest stored position before the first requested MCU.
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

// Checks that are only possible at the end of a scan.
extension ScanCutter {
  /// Reads to the end of the scan if that takes little time compared with the reading so far: damaged
  /// codes soon look valid again, and often only their number reveals the damage.
  private func readToEnd(_ sink: JPEGSink) throws(JPEGError) {
    let isNear = (plan.rowCount - plan.rows.upperBound) * 16 <= plan.rows.upperBound
    if coded.scan.restartInterval == 0, isNear {
      try advance(to: plan.rowLength * plan.rowCount, sink)
    }
    if next == plan.rowLength * plan.rowCount { try checkEnd(sink) }
  }

  /// Checks the bytes before the marker, after all MCUs were read. There may be none, padding, or
  /// more MCUs: then damage lost or added one earlier.
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

// Skipping what is outside the crop.
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

  /// Skips `count` MCUs; the requested ones are copied whenever the window moves.
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

  /// Moves to the start of the restart interval that contains an MCU, using only markers.
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

  /// Skips the next restart marker, which must be the expected one.
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

// Copying what is inside the crop.
extension ScanCutter {
  /// Copies `count` MCUs, which are adjacent in the source and in the result.
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

  /// Copies one MCU block by block. The DC code of a component's first block after a gap or a
  /// restart is recoded with its difference to the last written block; so is any code whose table
  /// changes.
  private func recode(isFirst: Bool, _ sink: JPEGSink) throws(JPEGError) {
    try makeMCUReady(sink)
    var seen = -1
    for block in scan.blocks {
      let start = scan.position
      if let damage = scan.passDC(block) { throw scan.failure(damage) }
      let coefficients = scan.position
      if let damage = scan.passAC(block.ac) { throw scan.failure(damage) }
      // The blocks of a part are adjacent, and parts are in ascending order.
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

  /// Continues in the next restart interval, if the current one ends here.
  func passRestart(_ sink: JPEGSink) throws(JPEGError) {
    try checkEnd(sink)
    try passRestartMarker()
    try beginInterval()
  }

  /// Loads the complete next MCU into the window.
  func makeMCUReady(_ sink: JPEGSink) throws(JPEGError) {
    if !window.isSegmentEnd, scan.position > (window.count - ScanWindow.margin) * 8 {
      try moveWindow(sink)
    }
  }

  /// Checks for errors in an MCU that was read block by block.
  func finishMCU() throws(JPEGError) {
    guard scan.position <= window.count * 8 else { throw scan.failure(.shortData) }
    guard !scan.roomForDC.isNegative else { throw scan.failure(.dcRange) }
    next += 1
  }
}
