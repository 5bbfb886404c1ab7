import CropCore

/// IPTC-IIM records: a sequence of `1C record dataset length value`.
package enum IPTCRecords {
  /// The records inside Photoshop's resources (`8BIM`, number 0x0404), or `bytes` if they start
  /// with a record.
  package static func unwrapped(_ bytes: [UInt8]) -> [UInt8]? {
    if bytes.first == 0x1C { return bytes }
    return contents(of: 0x0404, in: bytes)
  }

  /// Photoshop's copyright flag and URL (resources 0x040A and 0x040B) as resources; nil if `bytes`
  /// has none.
  package static func rights(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    for number in [0x040A, 0x040B] {
      guard let content = contents(of: number, in: bytes), content.count > 0,
        content.count <= 2048, !content.holdsPicture(to: content.count)
      else { continue }
      add(content, as: number, to: &result)
    }
    return result.isEmpty ? nil : result
  }

  /// Sets the density in Photoshop's resources (0x03ED), if they state one.
  package static func state(_ density: PixelDensity, in bytes: inout [UInt8]) {
    guard let place = place(of: 0x03ED, in: bytes), place.end - place.start >= 16 else { return }
    // Pixels per inch, as 16.16 fixed-point numbers.
    bytes.store(Int(min(density.across * 65_536, 2e9)), 4, at: place.start, .big)
    bytes.store(Int(min(density.down * 65_536, 2e9)), 4, at: place.start + 8, .big)
  }

  /// The contents of a Photoshop resource; nil if there is none of this number.
  private static func contents(of wanted: Int, in bytes: [UInt8]) -> [UInt8]? {
    place(of: wanted, in: bytes).map { bytes.part(from: $0.start, to: $0.end) }
  }

  /// The position of the contents of a Photoshop resource; nil if there is none of this number.
  private static func place(of wanted: Int, in bytes: [UInt8]) -> (start: Int, end: Int)? {
    var at = bytes.has("Photoshop 3.0\0") ? 14 : 0
    while at + 12 <= bytes.count, bytes.has("8BIM", at: at) {
      let number = bytes.number(at + 4, size: 2, order: .big)
      // A name with its length in front, padded to an even number of bytes.
      let name = at + 6 + (Int(bytes[at + 6]) + 2) / 2 * 2
      guard let length = bytes.number(name, size: 4, order: .big), length <= bytes.count - name - 4
      else { return nil }
      if number == wanted { return (name + 4, name + 4 + length) }
      at = name + 4 + (length + 1) / 2 * 2
    }
    return nil
  }

  /// The records without previews (2:200 to 2:202, and record 8) and, if requested, without
  /// locations. `lost` is set for images other than previews.
  package static func kept(
    _ bytes: [UInt8], dropsLocation: Bool, lost: inout MetadataLoss
  ) -> [UInt8]? {
    var result: [UInt8] = []
    var at = 0
    while at + 5 <= bytes.count, bytes[at] == 0x1C {
      let record = bytes[at + 1]
      let dataset = bytes[at + 2]
      // The highest bit marks a length above 32 KiB, which no caption needs.
      guard let length = bytes.number(at + 3, size: 2, order: .big), length < 0x8000,
        length <= bytes.count - at - 5
      else { break }
      let end = at + 5 + length
      let isPreview = record > 2 || (record == 2 && dataset >= 200 && dataset <= 202)
      let isPlace = record == 2 && isPlace(dataset)
      if !isPreview, !(dropsLocation && isPlace) {
        if bytes.holdsPicture(from: at + 5, to: end) {
          lost.insert(.pictures)
        } else {
          result.append(bytes, from: at, to: end)
        }
      }
      at = end
    }
    return result.isEmpty ? nil : result
  }

  /// Whether the dataset states a location: content location code and name, city, sub-location,
  /// province, country code or name.
  private static func isPlace(_ dataset: UInt8) -> Bool {
    switch dataset {
    case 26, 27, 90, 92, 95, 100, 101: true
    default: false
    }
  }

  /// Records and copyright resources as the content of a JPEG's APP13 segment.
  package static func wrapped(_ records: [UInt8]?, rights: [UInt8]? = nil) -> [UInt8] {
    var result: [UInt8] = []
    result.append("Photoshop 3.0\0")
    if let rights { result.append(rights, from: 0, to: rights.count) }
    if let records { add(records, as: 0x0404, to: &result) }
    return result
  }

  /// Appends a resource without a name.
  private static func add(_ content: [UInt8], as number: Int, to result: inout [UInt8]) {
    let count = content.count
    result.append("8BIM\0\0\0\0\0\0\0\0")
    result.store(number, 2, at: result.count - 8, .big)
    result.store(count, 4, at: result.count - 4, .big)
    result.append(content, from: 0, to: count)
    if count % 2 == 1 { result.append(0) }
  }
}
