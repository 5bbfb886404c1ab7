import CropJPEG

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The segments of a JPEG just written, before its first table.
package enum JPEGSegments {
  /// `file` with the given metadata instead of its own EXIF and XMP.
  ///
  /// Order: JFIF, EXIF, XMP, IPTC, then what was there.
  package static func written(
    into file: Data, exif: [UInt8]?, xmp: [UInt8]?, iptc: [UInt8]?,
    texts: [PictureMetadata.TextNote] = []
  ) -> Data {
    let bytes = [UInt8](file.prefix(1 << 18))
    var at = 2
    var head: [UInt8] = [0xFF, 0xD8]
    var others: [UInt8] = []
    // Application segments come first; the first other marker ends them.
    while at + 4 <= bytes.count, bytes[at] == 0xFF, (0xE0...0xEF).contains(bytes[at + 1]) {
      let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
      guard length >= 2, at + 2 + length <= bytes.count else { return file }
      let segment = bytes[at..<at + 2 + length]
      switch bytes[at + 1] {
      case 0xE0: head += segment
      case 0xE1: break
      default: others += segment
      }
      at += 2 + length
    }
    if let exif { head += segment(0xE1, Array("Exif\0\0".utf8) + exif) }
    if let xmp { head += segment(0xE1, xmpMark + xmp) }
    if let iptc { head += segment(0xED, IPTCRecords.wrapped(iptc)) }
    var result = Data(capacity: file.count + head.count)
    result.append(contentsOf: head)
    result.append(contentsOf: others)
    for note in texts {
      let text = Array(note.comment.utf8)
      if text.count <= JPEGSegment.mostContent { result.append(contentsOf: segment(0xFE, text)) }
    }
    result.append(file[(file.startIndex + at)...])
    return result
  }

  /// The most bytes of an XMP packet that a segment holds.
  static let mostXMP = 65_533 - xmpMark.count
  static let xmpMark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// The application segments at the start of `file`.
  package static func applications(in file: Data) -> [(marker: UInt8, content: [UInt8])] {
    let bytes = [UInt8](file.prefix(1 << 23))
    var all: [(marker: UInt8, content: [UInt8])] = []
    var at = 2
    while at + 4 <= bytes.count, bytes[at] == 0xFF, (0xE0...0xEF).contains(bytes[at + 1]) {
      let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
      guard length >= 2, at + 2 + length <= bytes.count else { break }
      all.append((bytes[at + 1], Array(bytes[at + 4..<at + 2 + length])))
      at += 2 + length
    }
    return all
  }

  private static func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
    let length = contents.count + 2
    return [
      0xFF, marker, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length),
    ]
      + contents
  }
}
