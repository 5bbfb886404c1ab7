/// The second bytes of the markers that are treated apart (ITU-T T.81, table B.1).
package enum JPEGMarker {
  package static let startOfImage: UInt8 = 0xD8
  package static let endOfImage: UInt8 = 0xD9
  package static let startOfScan: UInt8 = 0xDA
  static let quantizationTables: UInt8 = 0xDB
  static let restartInterval: UInt8 = 0xDD
  static let huffmanTables: UInt8 = 0xC4
  package static let comment: UInt8 = 0xFE

  static func isRestart(_ marker: UInt8) -> Bool { marker & 0xF8 == 0xD0 }
  /// Whether no length follows, and nothing begins or ends.
  package static func isBare(_ marker: UInt8) -> Bool { marker == 0x01 || isRestart(marker) }
  /// Whether it begins or ends a picture.
  package static func isEdge(_ marker: UInt8) -> Bool {
    marker == startOfImage || marker == endOfImage
  }
  /// Whether it is an application segment or a comment.
  package static func isMetadata(_ marker: UInt8) -> Bool {
    isApplication(marker) || marker == comment
  }
  /// Whether it is an application segment.
  package static func isApplication(_ marker: UInt8) -> Bool { marker & 0xF0 == 0xE0 }

  /// Whether it is the frame header of a picture that can be decoded: sequential or progressive, coded by
  /// Huffman or arithmetically.
  package static func isFrame(_ marker: UInt8) -> Bool {
    switch marker {
    case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA: true
    default: false
    }
  }

  /// What a marker says of a picture that nobody here can decode; nil for all others.
  ///
  /// 0xF7 and 0xF8 are those of JPEG-LS (ITU-T T.87), 0xDE begins a hierarchy.
  package static func obstacle(_ marker: UInt8) -> JPEGFeature? {
    switch marker {
    case 0xC3, 0xCB, 0xF7, 0xF8: .lossless
    case 0xC5, 0xC6, 0xC7, 0xCD, 0xCE, 0xCF, 0xDE: .hierarchical
    default: nil
    }
  }
}
