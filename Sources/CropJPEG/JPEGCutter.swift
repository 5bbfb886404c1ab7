import CropCore

/// The outcome of a cut.
public struct JPEGCutReport: Hashable, Sendable {
  /// The number of bytes written.
  public var byteCount: Int64
  /// Defects of the source that did not affect the cut.
  public var warnings: JPEGWarnings
  /// Whether the source has bytes after its end marker; they are not in the result.
  public var hasTrailer: Bool
  /// The number of blocks that were requantized because the cut hides part of them, per component
  /// of the frame.
  public var requantized: [Int]
}

/// Cuts rectangles out of a JPEG losslessly, by copying bits.
///
/// It reads only the lengths of codes, in memory that does not depend on the image's size. It
/// copies the bits of the requested MCUs, and recodes one DC value per component where the
/// prediction restarts. It stops reading after the last necessary row, or at the scan's end if that
/// is near, and searches the rest of the file for its end marker.
///
/// Parsing is strict: invalid codes, blocks that are too long, and coefficients and DC values out
/// of the range of 8-bit samples count as damage. If a scan is read to its end, so does having less
/// or more data than the image needs; stray bytes at its end are allowed.
///
/// Coefficients, quantization tables and Huffman tables do not change (a DC table may gain codes).
/// Restart markers are removed.
///
/// The right and bottom edges may be anywhere. If they are off the grid, the last column and row of
/// blocks are requantized from their visible samples only, with the file's tables (see
/// `BorderQuantizer`), and completely hidden blocks are emptied, so the result's pixels do not
/// depend on anything that was cut off. If the cut ends at the source's right or bottom border, all
/// blocks there are copied, with the hidden samples that the source has beyond the border.
///
/// A cutter remembers the positions of rows, so that further cuts of the same file start there. It
/// is not thread-safe.
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

  /// A cutter for `input`. If `header` is nil, the header is read.
  ///
  /// With `isFollowed`, the caller has already parsed the file: it has one scan with all
  /// components, and an end marker. The file is then not read beyond the last necessary row. With
  /// `isLenient`, damage after the cut area is a warning and not an error.
  ///
  /// - Throws: as ``JPEGHeader/init(reading:)``; `unsupported` for a progressive, arithmetic or
  ///   12-bit image; `corrupt` for invalid tables.
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

  /// Cuts `rect` and passes the new file to `sink`, in chunks of at most 64 KiB.
  ///
  /// - Parameters:
  ///   - rect: the rectangle, in stored pixels, inside the image; the left and top edges must be
  ///     on the grid.
  ///   - segments: the application segments and comments to write, in this order; nil for all of
  ///     the source. They may contain images of the part that is cut off, such as thumbnails and
  ///     previews.
  ///   - sink: receives the bytes. After an error, discard what it received.
  /// - Throws: `offGrid`; `truncated` or `corrupt` if the source is damaged between scans, or
  ///   before the end of the last necessary row; any error of the input and the sink.
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

// The data after a scan.
extension JPEGCutter {
  /// Finds the header of the next scan, which must contain components that no earlier scan has.
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

  /// Finds the end marker after the last scan, once for all cuts.
  private func findEnd() throws(JPEGError) {
    if isEndKnown { return }
    var isBehindData = true
    while true {
      // After coded data, which may not have been read to its end, any byte is possible.
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
  /// Writes a segment of the file that `reader` reads, or a new segment.
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
