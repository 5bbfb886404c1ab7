import CropJPEG
import FoundationEssentials

/// The segments of a JPEG just written, before its first table.
package enum JPEGSegments {
  /// `file` with the given metadata instead of its own EXIF and XMP, and with a JFIF segment that tells
  /// `density`, or none, instead of its own; one that has none gets one where EXIF does not tell it.
  ///
  /// Order: JFIF, EXIF, XMP, IPTC, then what was there.
  package static func written(
    into file: Data, exif: [UInt8]?, xmp: [UInt8]?, iptc: [UInt8]?, rights: [UInt8]? = nil,
    texts: [PictureMetadata.TextNote] = [], density: PixelDensity? = nil
  ) -> Data {
    var head: [UInt8] = [0xFF, 0xD8]
    var others = Data()
    var hasJFIF = density != nil && exif == nil
    // Application segments come first; the first other marker ends them.
    let (applications, end) = leading(of: file)
    for (marker, content) in applications {
      switch marker {
      case 0xE0: hasJFIF = true
      case 0xE1: break
      default: others.append(contentsOf: segment(marker, content))
      }
    }
    if hasJFIF { head += segment(0xE0, jfif(density)) }
    if let exif { head += segment(0xE1, Array("Exif\0\0".utf8) + exif) }
    if let xmp { head += segment(0xE1, xmpMark + xmp) }
    if iptc != nil || rights != nil {
      head += segment(0xED, IPTCRecords.wrapped(iptc, rights: rights))
    }
    var result = Data(capacity: file.count + head.count)
    result.append(contentsOf: head)
    result.append(others)
    for note in texts {
      result.append(contentsOf: segment(0xFE, Array(note.comment.utf8)))
    }
    result.append(file.dropFirst(end))
    return result
  }

  /// JFIF 1.02 without a thumbnail. Unit 1 is an inch; with unit 0 pixels are as high as wide and nothing
  /// else is said.
  private static func jfif(_ density: PixelDensity?) -> [UInt8] {
    let sides = density.map { [$0.across.rounded(), $0.down.rounded()] } ?? []
    let isTold = !sides.isEmpty && sides.allSatisfy { (1...65_535).contains($0) }
    let numbers = (isTold ? sides.map { Int($0) } : [1, 1]).flatMap {
      ByteOrder.big.bytes($0, 2)
    }
    return Array("JFIF\0".utf8) + [1, 2, isTold ? 1 : 0] + numbers + [0, 0]
  }

  /// The application segments that a file begins with, and how many bytes they and the start marker have.
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

  /// The most bytes of an XMP packet that a segment holds.
  package static let mostXMP = 65_533 - xmpMark.count
  package static let xmpMark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// The application segments at the start of `file`.
  package static func applications(in file: Data) -> [(marker: UInt8, content: [UInt8])] {
    leading(of: file).segments
  }

  static func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
    [0xFF, marker] + ByteOrder.big.bytes(contents.count + 2, 2) + contents
  }

  /// Where the XMP packet lies in `file`, without its segment's head; nil where it has none.
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

  /// `file` with `packet` in place of the one at `old`, or in a new segment behind JFIF and EXIF.
  package static func replacingPacket(
    at old: Range<Int>?, by packet: [UInt8], in file: Data
  ) -> Data {
    let new = segment(0xE1, xmpMark + packet)
    guard let old else {
      var place = 2
      for (marker, content) in applications(in: file) {
        let isEXIF = marker == 0xE1 && content.starts(with: "Exif".utf8)
        guard marker == 0xE0 || isEXIF else { break }
        place += content.count + 4
      }
      return file.prefix(place) + new + file.dropFirst(place)
    }
    return file.prefix(old.lowerBound - xmpMark.count - 4) + new + file.dropFirst(old.upperBound)
  }
}
