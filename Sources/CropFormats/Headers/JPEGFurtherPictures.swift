import CropJPEG

extension Inspection {
  /// The largest number of segments of an image after the first that are read.
  private static var mostSegments: Int { 64 }

  /// Records the kinds of the images in the table of a multi-picture file (CIPA DC-007, 5.2), whose
  /// TIFF structure is in `length` bytes from `base`.
  ///
  /// A "large thumbnail" (types 0x010001 to 0x01FFFF) is a preview of the first image. An
  /// unreadable table and unread entries count as further images.
  mutating func noteFurtherPictures(base: Int, length: Int) throws(CropError) {
    guard !isSummary, let table = try PictureTable(&reader, base: base, length: length) else {
      kinds.insert(.multiPicture)
      return
    }
    if table.hasMore { kinds.insert(.multiPicture) }
    for entry in table.entries {
      let isGainMap = entry.place > 0 ? try noteFurtherPicture(at: base + entry.place) : false
      if entry.attributes & 0xFF_0000 == 0x01_0000 {
        kinds.insert(.preview)
      } else if !isGainMap {
        kinds.insert(.multiPicture)
      }
    }
  }

  /// Records the kind of a JPEG after the first one, from the segments before its pixels; true for
  /// a gain map.
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

  /// Records a gain map or depth map that XMP mentions, as part of the same file.
  @discardableResult
  mutating func noteMaps(inXMP start: Int, length: Int) throws(CropError) -> Set<MetadataKind> {
    guard let packet = try reader.bytes(start, length) else { return [] }
    var found: Set<MetadataKind> = []
    // Adobe's and Apple's names of gain maps, Google's and Apple's names of depth maps, and
    // Google's names for both in its list of further images.
    let gain: [StaticString] = [
      "hdrgm:", "HDRGainMap:", "hdrgainmap", "\"GainMap\"", ">GainMap<",
    ]
    let depth: [StaticString] = ["GDepth:", "depthData:", "\"Depth\"", ">Depth<"]
    for (kind, names) in [(MetadataKind.gainMap, gain), (.depthMap, depth)] {
      if names.contains(where: { packet.place(of: $0) != nil }) {
        found.insert(kind)
      }
    }
    kinds.formUnion(found)
    return found
  }
}
