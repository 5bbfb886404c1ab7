/// Goes through a JPEG from marker to marker, coded data included.
///
/// Only markers and lengths are read; what a file may hold and in which order is the caller's business.
package final class JPEGMarkerReader {
  /// One marker and what belongs to it.
  package struct Part {
    /// The second byte of the marker.
    package let marker: UInt8
    /// Bytes before the marker that belong to nothing; nil where there are none.
    package let gap: Range<Int64>?
    /// Where the content begins, behind marker and length, in bytes from the start of the input.
    package let start: Int64
    /// The length of the content in bytes, which the input need not have; 0 for a marker alone.
    package let count: Int
  }

  private let reader: ByteReader
  private var isInData = false

  /// A reader from `offset` on; 2 is behind the marker that begins a file.
  package init(_ input: JPEGInput, at offset: Int64 = 2) {
    reader = ByteReader(input)
    reader.seek(offset)
  }

  /// The next marker; nil at the end of the input. Restart markers inside coded data are passed over.
  ///
  /// - Throws: `corrupt(.segmentLength)`, `truncated` where the input ends inside a length, or what the
  ///   input throws.
  package func next() throws(JPEGError) -> Part? {
    var gap: Range<Int64>?
    guard let marker = try nextMarker(&gap) else { return nil }
    if JPEGMarker.isBare(marker) || JPEGMarker.isEdge(marker) {
      return Part(marker: marker, gap: gap, start: reader.offset, count: 0)
    }
    let count = try reader.segmentCount()
    let start = reader.offset
    reader.seek(start + Int64(count))
    isInData = marker == JPEGMarker.startOfScan
    return Part(marker: marker, gap: gap, start: start, count: count)
  }

  /// The frame header that `part` is; the next marker stays the one behind it.
  ///
  /// - Throws: `corrupt(.frameHeader)` where it has a wrong length, `truncated`, or what the input throws.
  package func frameHeader(_ part: Part) throws(JPEGError) -> JPEGFrameHeader {
    let next = reader.offset
    defer { reader.seek(next) }
    reader.seek(part.start)
    return try JPEGFrameHeader(reading: reader, marker: part.marker, count: part.count)
  }

  private func nextMarker(_ gap: inout Range<Int64>?) throws(JPEGError) -> UInt8? {
    guard isInData else {
      let expected = reader.offset
      var warnings: JPEGWarnings = []
      guard let marker = try reader.nextMarker(&warnings) else { return nil }
      // Fill bytes that stand before the others belong to nothing either.
      if warnings.contains(.extraBytes) { gap = expected..<reader.offset - 2 }
      return marker
    }
    while let marker = try reader.seekMarker() {
      reader.cursor += 2
      if JPEGMarker.isRestart(marker) { continue }
      isInData = false
      return marker
    }
    return nil
  }
}
