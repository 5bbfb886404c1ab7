/// IPTC-IIM records: a row of `1C record dataset length value`.
package enum IPTCRecords {
  /// The records inside Photoshop's resources (`8BIM`, number 0x0404), or `bytes` itself where they
  /// start with a record.
  package static func unwrapped(_ bytes: [UInt8]) -> [UInt8]? {
    if bytes.first == 0x1C { return bytes }
    let mark = Array("Photoshop 3.0\0".utf8)
    var at = bytes.starts(with: mark) ? mark.count : 0
    while at + 12 <= bytes.count, bytes[at..<at + 4].elementsEqual("8BIM".utf8) {
      let number = Int(bytes[at + 4]) << 8 | Int(bytes[at + 5])
      // A name with its length before it, padded to an even number of bytes.
      let name = at + 6 + (Int(bytes[at + 6]) + 2) / 2 * 2
      guard name + 4 <= bytes.count else { return nil }
      let length = bytes[name..<name + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - name - 4 else { return nil }
      if number == 0x0404 { return Array(bytes[name + 4..<name + 4 + length]) }
      at = name + 4 + (length + 1) / 2 * 2
    }
    return nil
  }

  /// The records but for previews (2:200 to 2:202, and record 8) and, if asked, places.
  static func kept(_ bytes: [UInt8], dropsLocation: Bool) -> [UInt8]? {
    var result: [UInt8] = []
    var at = 0
    while at + 5 <= bytes.count, bytes[at] == 0x1C {
      let (record, dataset) = (bytes[at + 1], bytes[at + 2])
      let length = Int(bytes[at + 3]) << 8 | Int(bytes[at + 4])
      // The highest bit announces a length of more than 32 KiB: nothing a caption needs.
      guard length < 0x8000, at + 5 + length <= bytes.count else { break }
      let isPreview = record > 2 || (record == 2 && (200...202).contains(dataset))
      let isPlace = record == 2 && places.contains(dataset)
      let value = bytes[at + 5..<at + 5 + length]
      if !isPreview, !(dropsLocation && isPlace), !EXIFBlock.holdsPicture(value) {
        result += bytes[at..<at + 5 + length]
      }
      at += 5 + length
    }
    return result.isEmpty ? nil : result
  }

  /// Content location code and name, city, sub-location, province, country code and name.
  private static let places: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

  /// The records as the contents of a JPEG's APP13 segment.
  static func wrapped(_ records: [UInt8]) -> [UInt8] {
    let count = records.count
    return Array("Photoshop 3.0\0".utf8) + Array("8BIM".utf8) + [0x04, 0x04, 0, 0]
      + [UInt8(truncatingIfNeeded: count >> 24), UInt8(truncatingIfNeeded: count >> 16)]
      + [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
      + records + (count % 2 == 1 ? [0] : [])
  }
}
