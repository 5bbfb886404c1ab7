import CropJPEG

extension Inspection {
  /// The most pictures behind the first that are looked at, and the most segments of each.
  private static var mostPictures: Int { 16 }
  private static var mostSegments: Int { 64 }

  /// Notes what the pictures are that the table of a multi-picture file leads to (CIPA DC-007, 5.2), whose
  /// TIFF structure is in `length` bytes from `base`; what can't be read counts as nothing.
  mutating func noteFurtherPictures(base: Int, length: Int) throws(CropError) {
    guard !isSummary, let structure = try TIFFStructure(&reader, base: base, length: length),
      let index = try structure.directory(structure.firstDirectory, &reader),
      let table = index[0xB002], let entries = table.values
    else { return }
    // Entries of 16 bytes: attributes, size, place and dependents; the place of the first is 0.
    for number in 1..<max(2, min(table.count / 16, Self.mostPictures + 1)) {
      guard number < table.count / 16,
        let place = try reader.number(
          entries + 16 * number + 8, size: 4, order: structure.order), place > 0
      else { continue }
      try noteFurtherPicture(at: base + place)
    }
  }

  /// Notes what a JPEG behind the first one is, by the segments before its pixels.
  private mutating func noteFurtherPicture(at start: Int) throws(CropError) {
    guard try reader.big16(start) == 0xFFD8 else { return }
    let input = SourceInput(reader.source)
    let markers = JPEGMarkerReader(input.jpeg, at: Int64(start + 2))
    for _ in 0..<Self.mostSegments {
      guard let part = try? markers.next(), part.gap == nil,
        part.marker != JPEGMarker.startOfScan, !JPEGMarker.isEdge(part.marker)
      else { break }
      let content = Int(part.start)
      if part.marker == 0xE1, try reader.matches("http://ns.adobe.com/x", at: content) {
        try noteMaps(inXMP: content, length: part.count)
      } else if part.marker == 0xE2, try reader.matches("urn:iso:std:iso:ts:21496", at: content) {
        kinds.insert(.gainMap)
      }
    }
    if let failure = input.failure { throw failure }
  }

  /// Notes a gain map or depth map that XMP speaks of, as something in the same file.
  mutating func noteMaps(inXMP start: Int, length: Int) throws(CropError) {
    guard let packet = try reader.bytes(start, length) else { return }
    // Adobe's and Apple's names of gain maps, Google's and Apple's of depth maps, and what Google's list of
    // further pictures calls them.
    let gain = ["hdrgm:", "HDRGainMap:", "hdrgainmap", "\"GainMap\"", ">GainMap<"]
    let depth = ["GDepth:", "depthData:", "\"Depth\"", ">Depth<"]
    for (kind, names) in [(MetadataKind.gainMap, gain), (.depthMap, depth)] {
      if names.contains(where: { packet.firstRange(of: Array($0.utf8)) != nil }) {
        kinds.insert(kind)
      }
    }
  }
}
