/// Reads a JPEG from marker to marker, including coded data.
///
/// It reads only markers and lengths; the caller checks which segments are allowed in which order.
package final class JPEGMarkerReader {
  /// A marker and its segment.
  package struct Part {
    /// The second byte of the marker.
    package let marker: UInt8
    /// Stray bytes before the marker; nil if there are none.
    package let gap: Range<Int64>?
    /// The position of the content, after marker and length, in bytes from the start of the input.
    package let start: Int64
    /// The length of the content in bytes, as stated; the input may be shorter. 0 for a marker
    /// without a segment.
    package let count: Int
  }

  private let reader: ByteReader
  private var isInData = false

  /// A reader that starts at `offset`; 2 is after the marker at the start of a file.
  package init(_ input: JPEGInput, at offset: Int64 = 2) {
    reader = ByteReader(input)
    reader.seek(offset)
  }

  /// The next marker; nil at the end of the input. Restart markers inside coded data are skipped.
  ///
  /// - Throws: `corrupt(.segmentLength)`, `truncated` if the input ends inside a length, or what
  ///   the input throws.
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

  /// Parses `part` as a frame header; the next marker is still the one after it.
  ///
  /// - Throws: `corrupt(.frameHeader)` if it has a wrong length, `truncated`, or what the input
  ///   throws.
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
      // Fill bytes before stray bytes are stray too.
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
