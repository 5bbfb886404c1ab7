import CropCore

/// The part of a JPEG before its coded data.
///
/// The time to read it is proportional to its length and does not depend on the image's size.
public struct JPEGHeader: Sendable {
  /// The frame header: size, components and coding.
  public let frame: JPEGFrame
  /// The first scan; most files that are not progressive have no other.
  public let firstScan: JPEGScan
  /// The application segments and comments before the first scan, in file order.
  public let segments: [JPEGSegment]
  /// Defects in the header that do not affect a cut.
  public let warnings: JPEGWarnings
  /// The tables that are valid at the first scan.
  let tables: TableStore

  /// The largest number of segments before the first scan; real files have a few dozen.
  public static var mostSegments: Int { 4096 }

  /// Reads the header of `input`.
  ///
  /// - Throws: `notJPEG`, `truncated`, `corrupt`, `unsupported` (lossless, hierarchical, more than
  ///   four components, a height stated later) or `readFailed`.
  public init(reading input: JPEGInput) throws(JPEGError) {
    let reader = ByteReader(input)
    guard try reader.need(2), reader.buffer[0] == 0xFF, reader.buffer[1] == JPEGMarker.startOfImage
    else { throw .notJPEG }
    reader.cursor = 2
    var parsed = HeaderParts()
    while true {
      guard let marker = try reader.nextMarker(&parsed.warnings) else {
        throw .truncated(offset: reader.offset)
      }
      if JPEGMarker.isBare(marker) { continue }
      if marker == JPEGMarker.startOfImage || marker == JPEGMarker.endOfImage {
        throw .corrupt(.noPicture, offset: reader.offset)
      }
      let count = try reader.segmentCount()
      if marker == JPEGMarker.startOfScan {
        guard let frame = parsed.frame else {
          throw .corrupt(.scanBeforeFrame, offset: reader.offset)
        }
        firstScan = try JPEGScan(
          reading: reader, count: count, frame: frame,
          restartInterval: parsed.tables.restartInterval)
        self.frame = frame
        break
      }
      try parsed.read(marker, count: count, from: reader)
    }
    segments = parsed.segments
    warnings = parsed.warnings
    tables = parsed.tables
  }
}

extension JPEGHeader {
  /// The grid on which the image can be cut losslessly.
  public var grid: JPEGGrid { frame.grid }
  /// The stored size, in pixels.
  public var size: BitmapSize { frame.size }
  /// Whether the coefficients are coded in several passes.
  public var isProgressive: Bool { frame.process == .progressive }
}

/// The parts of a header that have been read.
private struct HeaderParts {
  var frame: JPEGFrame?
  var segments: [JPEGSegment] = []
  var tables = TableStore()
  var warnings: JPEGWarnings = []
  var others = 0

  mutating func read(
    _ marker: UInt8, count: Int, from reader: ByteReader
  ) throws(JPEGError) {
    let content = reader.offset
    guard segments.count + others < JPEGHeader.mostSegments else {
      throw .corrupt(.tooManySegments, offset: content)
    }
    if JPEGMarker.isMetadata(marker) {
      segments.append(JPEGSegment(marker: marker, contentOffset: content, contentCount: count))
    } else {
      others += 1
      if try tables.read(marker, count: count, from: reader) { return }
      if let obstacle = JPEGMarker.obstacle(marker) { throw .unsupported(obstacle) }
      if JPEGMarker.isFrame(marker) {
        guard frame == nil else { throw .corrupt(.frameHeader, offset: content) }
        frame = try JPEGFrame(reading: reader, marker: marker, count: count)
        return
      }
    }
    reader.seek(content + Int64(count))
  }
}
