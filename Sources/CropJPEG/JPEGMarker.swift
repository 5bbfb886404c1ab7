/// The second bytes of the markers that are handled specially (ITU-T T.81, table B.1).
package enum JPEGMarker {
  package static let startOfImage: UInt8 = 0xD8
  package static let endOfImage: UInt8 = 0xD9
  package static let startOfScan: UInt8 = 0xDA
  static let quantizationTables: UInt8 = 0xDB
  static let restartInterval: UInt8 = 0xDD
  static let huffmanTables: UInt8 = 0xC4
  package static let comment: UInt8 = 0xFE

  static func isRestart(_ marker: UInt8) -> Bool { marker & 0xF8 == 0xD0 }
  /// Whether the marker has no length, and does not start or end an image.
  package static func isBare(_ marker: UInt8) -> Bool { marker == 0x01 || isRestart(marker) }
  /// Whether it starts or ends an image.
  package static func isEdge(_ marker: UInt8) -> Bool {
    marker == startOfImage || marker == endOfImage
  }
  /// Whether it is an application segment or a comment.
  package static func isMetadata(_ marker: UInt8) -> Bool {
    isApplication(marker) || marker == comment
  }
  /// Whether it is an application segment.
  package static func isApplication(_ marker: UInt8) -> Bool { marker & 0xF0 == 0xE0 }

  /// Whether it is the frame header of an image that can be decoded: sequential or progressive,
  /// with Huffman or arithmetic coding.
  package static func isFrame(_ marker: UInt8) -> Bool {
    switch marker {
    case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA: true
    default: false
    }
  }

  /// The feature that a marker indicates and that can't be decoded here; nil for all others.
  ///
  /// 0xF7 and 0xF8 are those of JPEG-LS (ITU-T T.87), 0xDE starts a hierarchy.
  package static func obstacle(_ marker: UInt8) -> JPEGFeature? {
    switch marker {
    case 0xC3, 0xCB, 0xF7, 0xF8: .lossless
    case 0xC5, 0xC6, 0xC7, 0xCD, 0xCE, 0xCF, 0xDE: .hierarchical
    default: nil
    }
  }
}

/// An application segment (APP0 to APP15) or comment of a JPEG, by its position in the file.
public struct JPEGSegment: Hashable, Sendable {
  /// The largest content of a segment, in bytes.
  public static var mostContent: Int { 65_533 }
  /// The second byte of the marker: 0xE0 to 0xEF, or 0xFE for a comment.
  public let marker: UInt8
  /// The offset of the content, after marker and length, in bytes from the start of the file.
  public let contentOffset: Int64
  /// The length of the content in bytes, 0 to 65,533.
  public let contentCount: Int
}

/// A segment to write into a new JPEG, before its tables.
public enum JPEGOutputSegment: Hashable, Sendable {
  /// A segment that is copied from the input.
  case copy(JPEGSegment)
  /// A segment with new content of at most 65,533 bytes; a longer one causes the error
  /// `corrupt(.segmentLength)`. The marker is the second byte, 0xE0 to 0xEF or 0xFE.
  case new(marker: UInt8, content: [UInt8])
}
