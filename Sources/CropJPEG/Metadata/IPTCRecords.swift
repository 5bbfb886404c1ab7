/// IPTC-IIM records: a row of `1C record dataset length value`.
package enum IPTCRecords {
  /// The records inside Photoshop's resources (`8BIM`, number 0x0404), or `bytes` itself where they
  /// start with a record.
  package static func unwrapped(_ bytes: [UInt8]) -> [UInt8]? {
    if bytes.first == 0x1C { return bytes }
    var at = bytes.has("Photoshop 3.0\0") ? 14 : 0
    while at + 12 <= bytes.count, bytes.has("8BIM", at: at) {
      let number = bytes.big16(at + 4)
      // A name with its length before it, padded to an even number of bytes.
      let name = at + 6 + (Int(bytes[at + 6]) + 2) / 2 * 2
      guard name + 4 <= bytes.count, let length = bytes.big32(name),
        length <= bytes.count - name - 4
      else { return nil }
      if number == 0x0404 { return bytes.part(from: name + 4, to: name + 4 + length) }
      at = name + 4 + (length + 1) / 2 * 2
    }
    return nil
  }

  /// The records but for previews (2:200 to 2:202, and record 8) and, if asked, places.
  package static func kept(_ bytes: [UInt8], dropsLocation: Bool) -> [UInt8]? {
    var result: [UInt8] = []
    var at = 0
    while at + 5 <= bytes.count, bytes[at] == 0x1C {
      let record = bytes[at + 1]
      let dataset = bytes[at + 2]
      let end = at + 5 + bytes.big16(at + 3)
      // The highest bit announces a length of more than 32 KiB: nothing a caption needs.
      guard bytes[at + 3] < 0x80, end <= bytes.count else { break }
      let isPreview = record > 2 || (record == 2 && dataset >= 200 && dataset <= 202)
      let isPlace = record == 2 && isPlace(dataset)
      if !isPreview, !(dropsLocation && isPlace), !bytes.holdsPicture(from: at + 5, to: end) {
        result.append(bytes, from: at, to: end)
      }
      at = end
    }
    return result.isEmpty ? nil : result
  }

  /// Content location code and name, city, sub-location, province, country code and name.
  private static func isPlace(_ dataset: UInt8) -> Bool {
    switch dataset {
    case 26, 27, 90, 92, 95, 100, 101: true
    default: false
    }
  }

  /// The records as the contents of a JPEG's APP13 segment.
  package static func wrapped(_ records: [UInt8]) -> [UInt8] {
    let count = records.count
    var result: [UInt8] = []
    result.append("Photoshop 3.0\08BIM\u{4}\u{4}\0\0")
    for shift in [24, 16, 8, 0] { result.append(UInt8(truncatingIfNeeded: count >> shift)) }
    result.append(records, from: 0, to: count)
    if count % 2 == 1 { result.append(0) }
    return result
  }
}
