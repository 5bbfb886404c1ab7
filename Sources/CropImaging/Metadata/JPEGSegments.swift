import CropJPEG

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The segments of a JPEG just written, before its first table.
package enum JPEGSegments {
  /// `file` with the given metadata instead of its own EXIF and XMP, and with so many pixels an inch, across
  /// and down, where neither JFIF nor EXIF tells them.
  ///
  /// Order: JFIF, EXIF, XMP, IPTC, then what was there.
  package static func written(
    into file: Data, exif: [UInt8]?, xmp: [UInt8]?, iptc: [UInt8]?,
    texts: [PictureMetadata.TextNote] = [], density: (Int, Int)? = nil
  ) -> Data {
    var at = file.startIndex + 2
    var head: [UInt8] = [0xFF, 0xD8]
    var others = Data()
    // Application segments come first; the first other marker ends them.
    while let segment = application(at: at, in: file) {
      switch file[at + 1] {
      case 0xE0: head += segment
      case 0xE1: break
      default: others += segment
      }
      at = segment.endIndex
    }
    if let density, exif == nil, head.count == 2 { head += segment(0xE0, jfif(density)) }
    if let exif { head += segment(0xE1, Array("Exif\0\0".utf8) + exif) }
    if let xmp { head += segment(0xE1, xmpMark + xmp) }
    if let iptc { head += segment(0xED, IPTCRecords.wrapped(iptc)) }
    var result = Data(capacity: file.count + head.count)
    result.append(contentsOf: head)
    result.append(others)
    for note in texts {
      let text = Array(note.comment.utf8)
      if text.count <= JPEGSegment.mostContent { result.append(contentsOf: segment(0xFE, text)) }
    }
    result.append(file[at...])
    return result
  }

  /// JFIF 1.02 without a thumbnail; unit 1 is an inch.
  private static func jfif(_ density: (Int, Int)) -> [UInt8] {
    let numbers = [density.0, density.1].flatMap {
      [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
    }
    return Array("JFIF\0".utf8) + [1, 2, 1] + numbers + [0, 0]
  }

  /// The application segment that begins at an index of `file`, marker and all; nil for another one.
  private static func application(at start: Data.Index, in file: Data) -> Data? {
    guard file.endIndex - start >= 4, file[start] == 0xFF, (0xE0...0xEF).contains(file[start + 1])
    else { return nil }
    let end = start + 2 + (Int(file[start + 2]) << 8 | Int(file[start + 3]))
    guard end >= start + 4, end <= file.endIndex else { return nil }
    return file[start..<end]
  }

  /// The most bytes of an XMP packet that a segment holds.
  static let mostXMP = 65_533 - xmpMark.count
  static let xmpMark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// The application segments at the start of `file`.
  package static func applications(in file: Data) -> [(marker: UInt8, content: [UInt8])] {
    var all: [(marker: UInt8, content: [UInt8])] = []
    var at = file.startIndex + 2
    while let segment = application(at: at, in: file) {
      all.append((segment[at + 1], Array(segment.dropFirst(4))))
      at = segment.endIndex
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
