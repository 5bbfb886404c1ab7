import CropCore

/// What a cut was like.
public struct JPEGCutReport: Hashable, Sendable {
  /// How many bytes were written.
  public var byteCount: Int64
  /// What was not as it should be in the source but did no harm to the cut.
  public var warnings: JPEGWarnings
  /// Whether bytes follow the source's end marker; they are not in the result.
  public var hasTrailer: Bool
  /// How many blocks were quantised again because the cut hides a part of them, by component of the frame.
  public var requantized: [Int]
}

/// Cuts rectangles out of a JPEG without loss, by copying bits.
///
/// Only the lengths of codes are read, in memory that doesn't depend on the picture's size: the bits of
/// the wanted MCUs are copied, one DC value for each component is coded anew wherever the prediction
/// begins again, and reading stops after the last row that is needed, or at the scan's end where that is
/// near. The rest of the file is looked through for its end marker.
///
/// Whatever is read is read strictly: bits that are no code, blocks that are too long, coefficients and
/// DC values that 8-bit samples can't have are damage. So is a scan, read to its end, that holds less or
/// more than the picture; bytes at its end that mean nothing are not.
///
/// Coefficients, quantisation and Huffman tables stay as they are (a DC table may gain codes);
/// restart markers are left out.
///
/// Right and bottom edge may lie anywhere. Where they are off the grid, the last column and row of blocks are
/// quantised again from their visible samples alone, with the file's own tables (see `BorderQuantizer`), and
/// blocks that are hidden altogether are emptied. So the pixels of the result depend on nothing that was cut
/// away. Where the cut ends at the source's own right or bottom border, what the source had hidden behind it
/// stays, as all of its blocks there do.
///
/// A cutter remembers where rows begin, so that further cuts of the same file begin there. It is
/// used from one task at a time.
public final class JPEGCutter {
  /// The header of the file.
  public let header: JPEGHeader

  private let reader: ByteReader
  private let window: ScanWindow
  private var scans: [CodedScan] = []
  private var tables: TableStore
  private var warnings: JPEGWarnings
  private let isLenient: Bool
  private var hasTrailer = false
  private var isEndKnown = false

  /// A cutter for `input`, whose header must be the one given or is read.
  ///
  /// With `isFollowed` the caller has looked through the file: it has one scan, with all components,
  /// and its end marker. It is then not read beyond the last row that is needed.
  /// With `isLenient` damage behind what is cut is told in the report instead of refused.
  ///
  /// - Throws: what reading the header throws; `unsupported` for a progressive, arithmetic or
  ///   12-bit picture; `corrupt` for tables that can't be.
  public init(
    _ input: JPEGInput, header known: JPEGHeader? = nil, isFollowed: Bool = false,
    isLenient: Bool = false
  ) throws(JPEGError) {
    let header: JPEGHeader
    if let known { header = known } else { header = try JPEGHeader(reading: input) }
    if let obstacle = header.frame.obstacle { throw .unsupported(obstacle) }
    self.header = header
    isEndKnown = isFollowed
    self.isLenient = isLenient
    reader = ByteReader(input)
    window = ScanWindow(reader)
    tables = header.tables
    warnings = header.warnings
    scans = [try CodedScan(header.firstScan, frame: header.frame, tables: header.tables)]
  }

  /// Cuts `rect` and hands the new file to `sink`, in pieces of at most 64 KiB.
  ///
  /// - Parameters:
  ///   - rect: stored pixels inside the picture; the left and top edges must be on the grid.
  ///   - segments: the application segments and comments to write, in this order; nil for all of the
  ///     source. They may hold pictures of what is cut away: thumbnails, previews.
  ///   - sink: takes the bytes. After an error what it was given is to be thrown away.
  /// - Throws: `offGrid`; `truncated` or `corrupt` if the source is damaged up to the last row
  ///   that is needed, or between scans; what input and sink throw.
  public func cut(
    _ rect: BitmapRect, segments: [JPEGOutputSegment]? = nil, into sink: JPEGSink
  ) throws(JPEGError) -> JPEGCutReport {
    guard header.grid.canCut(rect) else { throw .offGrid }
    let writer = BitWriter()
    var output = OutputTables(writer)
    try writer.raw16(0xFF00 | Int(JPEGMarker.startOfImage), sink)
    for segment in segments ?? header.segments.map({ .copy($0) }) {
      try writer.segment(segment, reader, sink)
    }
    try output.write(header.frame, size: rect.size, tables: header.tables, sink)
    var found: JPEGWarnings = []
    var covered = 0
    var index = 0
    var requantized = [Int](repeating: 0, count: header.frame.components.count)
    while true {
      let coded = scans[index]
      try output.write(coded, frame: header.frame, sink)
      let cutter = ScanCutter(
        coded, plan: ScanCutter.Plan(coded.scan, header.frame, rect), reader: reader,
        window: window, writer: writer)
      try cutter.cut(isLenient: isLenient, sink)
      found.formUnion(cutter.warnings)
      for (number, part) in coded.scan.parts.enumerated() {
        requantized[part.component] = cutter.requantized[number]
      }
      covered += coded.scan.parts.count
      index += 1
      if covered >= header.frame.components.count { break }
      if index == scans.count { try findNextScan() }
    }
    try findEnd()
    try writer.raw16(0xFF00 | Int(JPEGMarker.endOfImage), sink)
    try writer.flush(sink)
    return JPEGCutReport(
      byteCount: writer.written, warnings: warnings.union(found), hasTrailer: hasTrailer,
      requantized: requantized)
  }
}

// What comes behind a scan.
extension JPEGCutter {
  /// Reads on to the header of the next scan, which must hold components that none has held.
  private func findNextScan() throws(JPEGError) {
    while let marker = try reader.seekMarker() {
      reader.cursor += 2
      if JPEGMarker.isBare(marker) { continue }
      if marker == JPEGMarker.endOfImage || marker == JPEGMarker.startOfImage {
        throw .corrupt(.noPicture, offset: reader.offset)
      }
      let count = try reader.segmentCount()
      let content = reader.offset
      if marker == JPEGMarker.startOfScan {
        let scan = try JPEGScan(
          reading: reader, count: count, frame: header.frame,
          restartInterval: tables.restartInterval)
        for part in scan.parts {
          for earlier in scans
          where earlier.scan.parts.contains(where: { $0.component == part.component }) {
            throw .corrupt(.scanHeader, offset: content)
          }
        }
        scans.append(try CodedScan(scan, frame: header.frame, tables: tables))
        return
      }
      if try !tables.read(marker, count: count, from: reader) {
        reader.seek(content + Int64(count))
      }
    }
    throw .truncated(offset: reader.offset)
  }

  /// Looks for the end marker behind the last scan, once for all cuts.
  private func findEnd() throws(JPEGError) {
    if isEndKnown { return }
    var isBehindData = true
    while true {
      // Behind coded data, which may be unread, any byte may come.
      let found = isBehindData ? try reader.seekMarker() : try reader.nextMarker(&warnings)
      guard let marker = found, marker != JPEGMarker.startOfImage else {
        warnings.insert(.truncated)
        break
      }
      if isBehindData { reader.cursor += 2 }
      if JPEGMarker.isBare(marker) { continue }
      if marker == JPEGMarker.endOfImage {
        hasTrailer = try reader.need(1)
        break
      }
      guard try reader.need(2) else {
        warnings.insert(.truncated)
        break
      }
      let count = try reader.segmentCount()
      if marker == JPEGMarker.startOfScan { throw .corrupt(.scanHeader, offset: reader.offset) }
      reader.seek(reader.offset + Int64(count))
      isBehindData = false
    }
    isEndKnown = true
  }
}

extension BitWriter {
  /// Writes a segment of the file that `reader` reads, or a new one.
  func segment(
    _ segment: JPEGOutputSegment, _ reader: ByteReader, _ sink: JPEGSink
  ) throws(JPEGError) {
    switch segment {
    case .copy(let source):
      guard source.contentCount >= 0, source.contentCount <= JPEGSegment.mostContent else {
        throw .corrupt(.segmentLength, offset: source.contentOffset)
      }
      try raw16(0xFF00 | Int(source.marker), sink)
      try raw16(source.contentCount + 2, sink)
      reader.seek(source.contentOffset)
      guard try reader.need(source.contentCount) else {
        throw .truncated(offset: source.contentOffset)
      }
      try raw(
        UnsafeRawBufferPointer(start: reader.buffer + reader.cursor, count: source.contentCount),
        sink)
    case .new(let marker, let content):
      guard content.count <= JPEGSegment.mostContent else {
        throw .corrupt(.segmentLength, offset: 0)
      }
      try raw16(0xFF00 | Int(marker), sink)
      try raw16(content.count + 2, sink)
      for byte in content { try raw(byte, sink) }
    }
  }
}
