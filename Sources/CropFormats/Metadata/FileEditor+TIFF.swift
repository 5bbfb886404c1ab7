import CropCore
import FoundationEssentials

extension FileEditor {
  /// Edits a TIFF: writes its first directory again at the end of the file, with fields for
  /// metadata.
  func tiff(_ file: Data) -> Data? {
    guard metadata.exif != nil || metadata.xmp != nil || metadata.iptc != nil || density != .kept
    else { return file }
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
    for (tag, type, contents) in [(TIFFTag.xmp, 1, metadata.xmp), (TIFFTag.iptc, 7, metadata.iptc)]
    {
      guard let contents else { continue }
      // Contents that fit into the field are not a valid packet or record.
      guard contents.count > 4 else { return nil }
      news.append(
        order.field(
          tag: tag, type: type, count: contents.count, slot: order.bytes(result.count, 4)))
      result.append(contentsOf: contents + (contents.count % 2 == 1 ? [0] : []))
    }
    if let density = density.density {
      let place = result.count
      result.append(contentsOf: density.fractions(order))
      news += [(TIFFTag.xResolution, place), (TIFFTag.yResolution, place + 8)].map {
        order.field(tag: $0.0, type: 5, count: 1, slot: order.bytes($0.1, 4))
      }
      news.append(
        order.field(tag: TIFFTag.resolutionUnit, type: 3, count: 1, slot: order.bytes(2, 2)))
    }
    var fields = (0..<places.count).compactMap { file.bytes(places[$0], places.size) }
    func tag(_ field: [UInt8]) -> Int {
      field.number(0, 2, order) ?? 0
    }
    // Pixels per inch across and down, and their unit.
    let tags = Set(
      news.map(tag)
        + (density == .kept
          ? [] : [TIFFTag.xResolution, TIFFTag.yResolution, TIFFTag.resolutionUnit]))
    fields.removeAll { tags.contains(tag($0)) }
    fields = (fields + news).sorted { tag($0) < tag($1) }
    let place = order.bytes(result.count, 4)
    result.append(contentsOf: order.directory(fields, next: next))
    result.replaceSubrange(result.startIndex + 4..<result.startIndex + 8, with: place)
    return result
  }

  /// A TIFF, with all its pages, whose directories state another density in place; nil if one of
  /// them has no fields for it.
  package static func restated(_ file: Data, _ density: PixelDensity) -> Data? {
    var result = file
    guard let structure = TIFFStructure(&result, base: 0, length: file.count) else { return nil }
    let order = structure.order
    let fractions = density.fractions(order)
    var directory = structure.firstDirectory
    var seen: Set<Int> = []
    while directory != 0, seen.insert(directory).inserted {
      guard seen.count <= 10_000,
        let fields = structure.fields(ofDirectoryAt: directory, &result)
      else { return nil }
      var count = 0
      func write(_ bytes: ArraySlice<UInt8>, at place: Int) {
        let start = result.startIndex + place
        result.replaceSubrange(start..<start + bytes.count, with: bytes)
        count += 1
      }
      for index in 0..<fields.count {
        let field = structure.field(at: fields[index], &result)
        guard field.count == 1, let place = field.values else { continue }
        switch (field.tag, field.type) {
        case (282, 5): write(fractions[..<8], at: place)
        case (283, 5): write(fractions[8...], at: place)
        case (296, 3): write(order.bytes(2, 2)[...], at: place)
        default: break
        }
      }
      guard count == 3 else { return nil }
      directory = structure.offset(in: fields.end, &result)
    }
    return result
  }
}
