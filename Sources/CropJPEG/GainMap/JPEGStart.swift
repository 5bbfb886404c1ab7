/// The application segments at the start of a JPEG.
struct JPEGStart {
  typealias Segment = (marker: UInt8, content: [UInt8])

  var segments: [Segment] = []

  /// What an XMP segment starts with.
  static var xmpMark: StaticString { "http://ns.adobe.com/xap/1.0/\0" }
  static var xmpMarkCount: Int { 29 }
  /// The largest XMP packet that fits in a segment, in bytes.
  static var mostXMP: Int { JPEGSegment.mostContent - xmpMarkCount }

  /// Reads the segments up to the first other marker, or the first that is not complete.
  init(_ input: JPEGInput) throws(JPEGError) {
    let reader = ByteReader(input)
    reader.seek(2)
    var warnings: JPEGWarnings = []
    while let marker = try reader.nextMarker(&warnings), warnings.isEmpty,
      JPEGMarker.isApplication(marker)
    {
      let count = try reader.segmentCount()
      guard try reader.need(count) else { return }
      segments.append(
        (
          marker,
          [UInt8](UnsafeBufferPointer(start: reader.buffer + reader.cursor, count: count))
        ))
      reader.cursor += count
    }
  }

  static func xmp(_ packet: [UInt8]) -> Segment {
    var content: [UInt8] = []
    content.append(xmpMark)
    content += packet
    return (0xE1, content)
  }

  /// The number of bytes of the start marker and these segments.
  var byteCount: Int { offset(of: segments.count) - 4 }

  /// The offset of a segment's content in the file.
  func offset(of index: Int) -> Int {
    var offset = 2 + 4
    for segment in segments[..<index] { offset += 4 + segment.content.count }
    return offset
  }

  var bytes: [UInt8] {
    var all: [UInt8] = [0xFF, 0xD8]
    all.reserveCapacity(byteCount)
    for (marker, content) in segments {
      all += [0xFF, marker]
      all += ByteOrder.big.bytes(content.count + 2, 2)
      all += content
    }
    return all
  }

  /// Removes the segments that start with `mark`, and returns the first one.
  mutating func remove(_ marker: UInt8, _ mark: StaticString) -> [UInt8]? {
    let found = segments.first { $0.marker == marker && $0.content.has(mark) }
    segments.removeAll { $0.marker == marker && $0.content.has(mark) }
    return found?.content
  }

  /// Inserts segments after JFIF and EXIF; returns the index of the last one.
  @discardableResult
  mutating func insert(_ added: [Segment]) -> Int {
    let place = segments.firstIndex { $0.marker > 0xE1 } ?? segments.count
    segments.insert(contentsOf: added, at: place)
    return place + added.count - 1
  }
}
