import FoundationEssentials

extension FileEditor {
  /// Edits a TIFF: writes its first directory again at the end of the file, with fields for
  /// metadata.
  func tiff(_ file: Data) -> Data? {
    guard metadata.exif != nil || metadata.xmp != nil || metadata.iptc != nil || dropsDensity else {
      return file
    }
    var source = file
    guard file.count < 1 << 31,
      let structure = TIFFStructure(&source, base: 0, length: file.count), !structure.isBig,
      let places = structure.fields(ofDirectoryAt: structure.firstDirectory, &source),
      let next = file.bytes(places.end, 4)
    else { return nil }
    let order = structure.order
    var result = file
    if result.count % 2 == 1 { result.append(0) }
    var news: [[UInt8]] = []
    if let exif = metadata.exif, let tree = TIFFTree(exif: exif) {
      let parts = tree.fields(at: result.count, order)
      result.append(contentsOf: parts.data)
      news += parts.fields
    }
    // The types are bytes, and bytes of an undefined kind.
    for (tag, type, contents) in [(700, 1, metadata.xmp), (33723, 7, metadata.iptc)] {
      guard let contents else { continue }
      // Contents that fit into the field are not a valid packet or record.
      guard contents.count > 4 else { return nil }
      news.append(
        order.field(
          tag: tag, type: type, count: contents.count, slot: order.bytes(result.count, 4)))
      result.append(contentsOf: contents + (contents.count % 2 == 1 ? [0] : []))
    }
    var fields = (0..<places.count).compactMap { file.bytes(places[$0], places.size) }
    func tag(_ field: [UInt8]) -> Int {
      field.number(0, 2, order) ?? 0
    }
    // Pixels per inch across and down, and their unit.
    let tags = Set(news.map(tag) + (dropsDensity ? [282, 283, 296] : []))
    fields.removeAll { tags.contains(tag($0)) }
    fields = (fields + news).sorted { tag($0) < tag($1) }
    let place = order.bytes(result.count, 4)
    result.append(contentsOf: order.directory(fields, next: next))
    result.replaceSubrange(result.startIndex + 4..<result.startIndex + 8, with: place)
    return result
  }
}
