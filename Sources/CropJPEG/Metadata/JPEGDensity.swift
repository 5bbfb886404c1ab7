import CropCore

// The density in a JPEG: in JFIF, EXIF, XMP and Photoshop's resources.

extension [UInt8] {
  /// Sets the density in the content of a JFIF segment of at least 12 bytes, rounded to whole
  /// pixels per inch; without one, or if it does not fit, that pixels are square.
  mutating func setJFIFDensity(_ density: PixelDensity?) {
    var (unit, across, down) = (0, 1, 1)
    if let density {
      let sides = (density.across.rounded(), density.down.rounded())
      if sides.0 >= 1, sides.0 <= 65_535, sides.1 >= 1, sides.1 <= 65_535 {
        (unit, across, down) = (1, Int(sides.0), Int(sides.1))
      }
    }
    store(unit, 1, at: 7, .big)
    store(across, 2, at: 8, .big)
    store(down, 2, at: 10, .big)
  }

  /// Whether the content of a segment is JFIF's.
  var isJFIF: Bool { count >= 14 && has("JFIF\0") }
}

extension JPEGFile {
  /// Writes the complete file with another density, in pixels per inch of the upright image, to
  /// `sink`. Everything else stays the same byte for byte: coded data, further images, trailers.
  ///
  /// - Returns: false, before anything is written, if a segment would be too long, or if the file
  ///   has a table of images whose sizes would be wrong.
  /// - Throws: any error of the input and the sink.
  public func restate(
    _ density: PixelDensity, into sink: JPEGSink
  ) throws(JPEGError) -> Bool {
    let stored = orientation.isTransposing ? density.transposed : density
    let reader = ByteReader(input)
    var changes: [(segment: JPEGSegment, content: [UInt8])] = []
    var (hasJFIF, hasEXIF, hasTable) = (false, false, false)
    var growth = 0
    for segment in header.segments {
      guard let content = try segment.content(reader) else { continue }
      var new = content
      switch segment.marker {
      case 0xE0 where !hasJFIF && content.isJFIF:
        hasJFIF = true
        new.setJFIFDensity(stored)
      case 0xE1 where !hasEXIF && content.has("Exif\0\0"):
        guard let stated = EXIFBlock.stating(stored, in: content) else { continue }
        hasEXIF = true
        new = stated
      case 0xE1: new = XMPPacket.withoutDensity(inSegment: content) ?? content
      case 0xE2: if content.has("MPF\0") { hasTable = true }
      case 0xED: IPTCRecords.state(stored, in: &new)
      default: break
      }
      if new.count > JPEGSegment.mostContent { return false }
      growth += new.count - content.count
      changes.append((segment, new))
    }
    var added: [UInt8] = []
    if !hasJFIF, !hasEXIF {
      added.append("Exif\0\0")
      let block = EXIFBlock.block(stored)
      added.append(block, from: 0, to: block.count)
      growth += added.count + 4
    }
    if hasTable, growth != 0 { return false }
    let writer = BitWriter()
    try writer.raw16(0xFF00 | Int(JPEGMarker.startOfImage), sink)
    if !added.isEmpty { try writer.segment(.new(marker: 0xE1, content: added), reader, sink) }
    var at: Int64 = 2
    for (segment, content) in changes {
      try reader.copy(from: at, to: segment.start, writer, sink)
      try writer.segment(.new(marker: segment.marker, content: content), reader, sink)
      at = segment.end
    }
    try reader.copy(from: at, to: .max, writer, sink)
    try writer.flush(sink)
    return true
  }
}
