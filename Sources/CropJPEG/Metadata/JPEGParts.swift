import CropCore

/// The segments of a JPEG before its tables, by kind.
package struct JPEGParts {
  /// EXIF (after its leading `Exif`), XMP and IPTC; if there are several of a kind, the first one.
  package private(set) var metadata = MetadataBlocks()
  /// The position of the EXIF block, in bytes from the start of the file.
  private(set) var exifOffset: Int64 = 0
  /// JFIF's version and density, without its thumbnail.
  private(set) var jfif: [UInt8]?
  /// The 12 bytes of Adobe's segment, which state how colors are stored.
  private(set) var adobe: [UInt8]?
  /// Photoshop's settings for saving for the web: quality, comment and copyright.
  private(set) var ducky: [UInt8]?
  private(set) var comments: [[UInt8]] = []
  /// The chunks of the ICC profile, each after its number.
  private var profileParts: [[UInt8]] = []

  /// The segments listed in `header`, read from `input`.
  ///
  /// - Throws: what `input` throws.
  package init(_ header: JPEGHeader, reading input: JPEGInput) throws(JPEGError) {
    let reader = ByteReader(input)
    for segment in header.segments {
      switch segment.marker {
      case 0xE0, 0xE1, 0xE2, 0xEC, 0xED, 0xEE, 0xFE:
        let hadEXIF = metadata.exif != nil
        if let content = try segment.content(reader) { add(segment.marker, content) }
        if !hadEXIF, metadata.exif != nil { exifOffset = segment.contentOffset + 6 }
      default: break
      }
    }
  }

  private mutating func add(_ marker: UInt8, _ content: [UInt8]) {
    func rest(_ start: Int) -> [UInt8] { content.part(from: start, to: content.count) }
    switch marker {
    case 0xE0:
      guard jfif == nil, content.isJFIF else { return }
      // Drops the thumbnail that may follow.
      var head = content.part(from: 0, to: 12)
      head.append("\0\0")
      jfif = head
    case 0xE1:
      if content.count >= 6, content.has("Exif\0") {
        if metadata.exif == nil { metadata.exif = rest(6) }
      } else if content.has("http://ns.adobe.com/xap/1.0/\0"), metadata.xmp == nil {
        metadata.xmp = rest(29)
      }
    case 0xE2:
      guard content.count > 14, content.has("ICC_PROFILE\0") else { return }
      profileParts.append(rest(12))
    case 0xED:
      guard content.has("Photoshop 3.0\0") else { return }
      if metadata.iptc == nil { metadata.iptc = IPTCRecords.unwrapped(content) }
      if metadata.rights == nil { metadata.rights = IPTCRecords.rights(content) }
    case 0xEC:
      guard ducky == nil, content.has("Ducky"), content.count <= 1024,
        !content.holdsPicture(to: content.count)
      else { return }
      ducky = content
    case 0xEE:
      guard adobe == nil, content.count >= 12, content.has("Adobe") else { return }
      adobe = content.part(from: 0, to: 12)
    default: comments.append(content)
    }
  }

  /// The ICC profile, cut to the length that it states; nil if it is invalid.
  var profile: [UInt8]? { Self.profile(of: profileParts) }

  /// The profile in these chunks, each after its number.
  static func profile(of parts: [[UInt8]]) -> [UInt8]? {
    var all: [UInt8] = []
    // Pieces with the same number keep their order.
    for number in 0..<256 {
      for part in parts where Int(part[0]) == number {
        all.append(part, from: 2, to: part.count)
      }
    }
    guard all.has("acsp", at: 36), let length = all.number(0, size: 4, order: .big),
      length >= 128, length <= all.count, length <= 255 * JPEGKeptSegments.mostProfile
    else { return nil }
    return all.part(from: 0, to: length)
  }
}

extension JPEGSegment {
  /// The content; nil if the input ends first.
  func content(_ reader: ByteReader) throws(JPEGError) -> [UInt8]? {
    reader.seek(contentOffset)
    guard try reader.need(contentCount) else { return nil }
    return [UInt8](
      UnsafeBufferPointer(start: reader.buffer + reader.cursor, count: contentCount))
  }
}
