import CropCore
import CropJPEG
import FoundationEssentials

/// The segments of a JPEG just written, before its first table.
package enum JPEGSegments {
  /// `file` with its EXIF and XMP replaced by `metadata`, and with a JFIF segment for
  /// `density`, or none, instead of its current one; a file without one gets one if EXIF does not
  /// state the density.
  ///
  /// Order: JFIF, EXIF, XMP, IPTC, then the existing segments.
  package static func written(
    _ metadata: EditedMetadata, into file: Data, density: PixelDensity? = nil
  ) -> Data {
    var head: [UInt8] = [0xFF, 0xD8]
    var others = Data()
    var hasJFIF = density != nil && metadata.exif == nil
    // Application segments come first, up to the first other marker.
    let (applications, end) = leading(of: file)
    for (marker, content) in applications {
      switch marker {
      case 0xE0: hasJFIF = true
      case 0xE1: break
      default: others.append(contentsOf: segment(marker, content))
      }
    }
    if hasJFIF { head += segment(0xE0, jfif(density)) }
    if let exif = metadata.exif { head += segment(0xE1, Array("Exif\0\0".utf8) + exif) }
    if let xmp = metadata.xmp { head += segment(0xE1, xmpMark + xmp) }
    if metadata.iptc != nil || metadata.rights != nil {
      head += segment(0xED, IPTCRecords.wrapped(metadata.iptc, rights: metadata.rights))
    }
    var result = Data(capacity: file.count + head.count)
    result.append(contentsOf: head)
    result.append(others)
    for note in metadata.texts {
      result.append(contentsOf: segment(0xFE, Array(note.comment.utf8)))
    }
    result.append(file.dropFirst(end))
    return result
  }

  /// JFIF 1.02 without a thumbnail. Unit 1 is an inch; unit 0 only states that pixels are square.
  private static func jfif(_ density: PixelDensity?) -> [UInt8] {
    let sides = density.map { [$0.across.rounded(), $0.down.rounded()] } ?? []
    let isTold = !sides.isEmpty && sides.allSatisfy { (1...65_535).contains($0) }
    let numbers = (isTold ? sides.map { Int($0) } : [1, 1]).flatMap {
      ByteOrder.big.bytes($0, 2)
    }
    return Array("JFIF\0".utf8) + [1, 2, isTold ? 1 : 0] + numbers + [0, 0]
  }

  /// The application segments at the start of a file, and their number of bytes including the start
  /// marker.
  private static func leading(
    of file: Data
  ) -> (segments: [(marker: UInt8, content: [UInt8])], byteCount: Int) {
    file.withUnsafeBytes { bytes in
      var all: [(marker: UInt8, content: [UInt8])] = []
      var end = min(2, bytes.count)
      let markers = JPEGMarkerReader(JPEGInput(bytes))
      while let part = try? markers.next(), part.gap == nil, JPEGMarker.isApplication(part.marker),
        Int(part.start) + part.count <= bytes.count
      {
        all.append((part.marker, Array(bytes[Int(part.start)...].prefix(part.count))))
        end = Int(part.start) + part.count
      }
      return (all, end)
    }
  }

  /// The largest XMP packet that fits in a segment, in bytes.
  package static let mostXMP = 65_533 - xmpMark.count
  package static let xmpMark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// The application segments at the start of `file`.
  package static func applications(in file: Data) -> [(marker: UInt8, content: [UInt8])] {
    leading(of: file).segments
  }

  static func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
    [0xFF, marker] + ByteOrder.big.bytes(contents.count + 2, 2) + contents
  }

  /// The range of the XMP packet in `file`, without its segment's header; nil if it has none.
  package static func packet(in file: Data) -> Range<Int>? {
    file.withUnsafeBytes { bytes in
      let markers = JPEGMarkerReader(JPEGInput(bytes))
      while let part = try? markers.next(),
        JPEGMarker.isApplication(part.marker) || part.marker == 0xFE,
        Int(part.start) + part.count <= bytes.count
      {
        let start = Int(part.start)
        if part.marker == 0xE1, bytes[start..<start + part.count].starts(with: xmpMark) {
          return start + xmpMark.count..<start + part.count
        }
      }
      return nil
    }
  }

  /// Whether a table of images is before the packet at `packet` in `file`, so that images after the
  /// packet change their position relative to the table if its length changes.
  package static func hasTable(before packet: Range<Int>?, in file: Data) -> Bool {
    guard let packet else { return false }
    return file.prefix(packet.lowerBound).firstRange(of: Array("MPF\0".utf8)) != nil
  }

  /// `file` with the packet at `old` replaced by `packet`, or with a new segment after JFIF and
  /// EXIF.
  package static func replacingPacket(
    at old: Range<Int>?, by packet: [UInt8], in file: Data
  ) -> Data {
    let new = Data(segment(0xE1, xmpMark + packet))
    guard let old else {
      var place = 2
      for (marker, content) in applications(in: file) {
        let isEXIF = marker == 0xE1 && content.starts(with: "Exif".utf8)
        guard marker == 0xE0 || isEXIF else { break }
        place += content.count + 4
      }
      return file.prefix(place) + new + Data(file.dropFirst(place))
    }
    return file.prefix(old.lowerBound - xmpMark.count - 4) + new
      + Data(file.dropFirst(old.upperBound))
  }
}
