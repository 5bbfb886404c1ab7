/// The second bytes of the markers that are treated apart.
enum Marker {
  static let startOfImage: UInt8 = 0xD8
  static let endOfImage: UInt8 = 0xD9
  static let startOfScan: UInt8 = 0xDA
  static let quantizationTables: UInt8 = 0xDB
  static let restartInterval: UInt8 = 0xDD
  static let huffmanTables: UInt8 = 0xC4
  static let comment: UInt8 = 0xFE

  static func isRestart(_ marker: UInt8) -> Bool { marker & 0xF8 == 0xD0 }
  /// Whether no length follows.
  static func isBare(_ marker: UInt8) -> Bool { marker == 0x01 || isRestart(marker) }
  /// Whether it is an application segment or a comment.
  static func isMetadata(_ marker: UInt8) -> Bool { marker & 0xF0 == 0xE0 || marker == comment }
}

extension ByteReader {
  /// Goes to the 0xFF of the next marker and answers its second byte; nil at the end of the file.
  ///
  /// Passes over everything else: coded data with their stuffed zeros, and fill bytes.
  func seekMarker() throws(JPEGError) -> UInt8? {
    while true {
      guard try need(2) else {
        cursor = filled
        return nil
      }
      // Leaves the last byte for the next round: it may be half a marker.
      var at = cursor
      let end = filled - 1
      while end - at >= 32 {
        let bytes = buffer + at
        let found =
          maskOfFF(little64(bytes)) | maskOfFF(little64(bytes + 8))
          | maskOfFF(little64(bytes + 16)) | maskOfFF(little64(bytes + 24))
        if found != 0 { break }
        at += 32
      }
      // At most 32 bytes: the block that holds the 0xFF, or the rest.
      let stop = min(end, at + 32)
      while at < stop, buffer[at] != 0xFF { at += 1 }
      cursor = at
      if at == stop { continue }
      switch buffer[at + 1] {
      case 0: cursor = at + 2
      case 0xFF: cursor = at + 1
      case let marker: return marker
      }
    }
  }

  /// Passes the next marker and answers its second byte; nil at the end of the file.
  ///
  /// Fill bytes before it are part of the format, other bytes give a warning.
  func nextMarker(_ warnings: inout JPEGWarnings) throws(JPEGError) -> UInt8? {
    let start = offset
    while try need(1), buffer[cursor] == 0xFF {
      guard try need(2) else { break }
      if buffer[cursor + 1] != 0xFF { break }
      cursor += 1
    }
    let expected = offset
    guard let marker = try seekMarker() else {
      if offset > start { warnings.insert(.extraBytes) }
      return nil
    }
    if offset > expected { warnings.insert(.extraBytes) }
    cursor += 2
    return marker
  }

  /// The length of the content of the segment that begins here, and goes behind the length.
  func segmentCount() throws(JPEGError) -> Int {
    let start = offset
    let length = try big16()
    guard length >= 2 else { throw .corrupt(.segmentLength, offset: start) }
    return length - 2
  }
}
