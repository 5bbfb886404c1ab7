import CropJPEG

extension Inspection {
  /// The most pictures behind the first that are looked at, and the most segments of each.
  private static var mostPictures: Int { 16 }
  private static var mostSegments: Int { 64 }

  /// Notes what the pictures are that the table of a multi-picture file leads to (CIPA DC-007, 5.2), whose
  /// TIFF structure is in `length` bytes from `base`.
  ///
  /// A "large thumbnail" (types 0x010001 to 0x01FFFF) is a preview of the first picture. A table that can't be
  /// read, and entries that are not read, count as further pictures.
  mutating func noteFurtherPictures(base: Int, length: Int) throws(CropError) {
    guard !isSummary, let structure = try TIFFStructure(&reader, base: base, length: length),
      let index = try structure.directory(structure.firstDirectory, &reader),
      let table = index[0xB002], let entries = table.values, table.count >= 16
    else {
      kinds.insert(.multiPicture)
      return
    }
    // Entries of 16 bytes: attributes, size, place and dependents; the place of the first is 0.
    let count = table.count / 16
    if count > Self.mostPictures + 1 { kinds.insert(.multiPicture) }
    var number = 1
    while number < min(count, Self.mostPictures + 1) {
      let entry = entries + 16 * number
      number += 1
      let attributes = try reader.number(entry, size: 4, order: structure.order) ?? 0
      var isGainMap = false
      if let place = try reader.number(entry + 8, size: 4, order: structure.order), place > 0 {
        isGainMap = try noteFurtherPicture(at: base + place)
      }
      if attributes & 0xFF_0000 == 0x01_0000 {
        kinds.insert(.preview)
      } else if !isGainMap {
        kinds.insert(.multiPicture)
      }
    }
  }

  /// Notes what a JPEG behind the first one is, by the segments before its pixels; true for a gain map.
  private mutating func noteFurtherPicture(at start: Int) throws(CropError) -> Bool {
    guard try reader.big16(start) == 0xFFD8 else { return false }
    var isGainMap = false
    furtherPictures.append(start)
    let input = SourceInput(reader.source)
    let markers = JPEGMarkerReader(input.jpeg, at: Int64(start + 2))
    for _ in 0..<Self.mostSegments {
      guard let part = try? markers.next(), part.gap == nil,
        part.marker != JPEGMarker.startOfScan, !JPEGMarker.isEdge(part.marker)
      else { break }
      let content = Int(part.start)
      if part.marker == 0xE1, try reader.matches("http://ns.adobe.com/x", at: content) {
        if try noteMaps(inXMP: content, length: part.count).contains(.gainMap) { isGainMap = true }
      } else if part.marker == 0xE2, try reader.matches("urn:iso:std:iso:ts:21496", at: content) {
        kinds.insert(.gainMap)
        isGainMap = true
      }
    }
    if let failure = input.failure { throw failure }
    return isGainMap
  }

  /// Notes a gain map or depth map that XMP speaks of, as something in the same file.
  @discardableResult
  mutating func noteMaps(inXMP start: Int, length: Int) throws(CropError) -> Set<MetadataKind> {
    guard let packet = try reader.bytes(start, length) else { return [] }
    var found: Set<MetadataKind> = []
    // Adobe's and Apple's names of gain maps, Google's and Apple's of depth maps, and what Google's list of
    // further pictures calls them.
    let gain = ["hdrgm:", "HDRGainMap:", "hdrgainmap", "\"GainMap\"", ">GainMap<"]
    let depth = ["GDepth:", "depthData:", "\"Depth\"", ">Depth<"]
    for (kind, names) in [(MetadataKind.gainMap, gain), (.depthMap, depth)] {
      if names.contains(where: { packet.firstRange(of: Array($0.utf8)) != nil }) {
        found.insert(kind)
      }
    }
    kinds.formUnion(found)
    return found
  }
}
