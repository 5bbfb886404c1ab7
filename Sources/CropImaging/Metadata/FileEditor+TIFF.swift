#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FileEditor {
  /// A TIFF whose first directory is written anew at its end, with fields for metadata.
  func tiff(_ file: Data) -> Data? {
    let bytes = FileBytes(data: file)
    guard metadata.exif != nil || metadata.xmp != nil || metadata.iptc != nil else { return file }
    guard bytes.count > 8, bytes.count < 1 << 31 else { return nil }
    let isLittle = bytes[0] == 0x49
    guard bytes.number(2, 2, isLittle: isLittle) == 42,
      let start = bytes.number(4, 4, isLittle: isLittle),
      let count = bytes.number(start, 2, isLittle: isLittle), start + 6 + 12 * count <= bytes.count
    else { return nil }
    var result = file
    if result.count % 2 == 1 { result.append(0) }
    var news: [[UInt8]] = []
    if let exif = metadata.exif, let tree = TIFFTree(exif: exif) {
      let parts = tree.fields(at: result.count, isLittle: isLittle)
      result.append(contentsOf: parts.data)
      news += parts.entries
    }
    // Bytes, and bytes of which nobody says what they are.
    for (tag, type, contents) in [(700, 1, metadata.xmp), (33723, 7, metadata.iptc)] {
      guard let contents else { continue }
      news.append(
        TIFFTree.number(tag, 2, isLittle) + TIFFTree.number(type, 2, isLittle)
          + TIFFTree.number(contents.count, 4, isLittle)
          + TIFFTree.number(result.count, 4, isLittle))
      // What fits into the field itself is no packet and no record.
      guard contents.count > 4 else { return nil }
      result.append(contentsOf: contents + (contents.count % 2 == 1 ? [0] : []))
    }
    var fields = (0..<count).map { Array(bytes[start + 2 + 12 * $0..<start + 14 + 12 * $0]) }
    func tag(_ field: [UInt8]) -> Int {
      isLittle ? Int(field[1]) << 8 | Int(field[0]) : Int(field[0]) << 8 | Int(field[1])
    }
    let tags = Set(news.map(tag))
    fields.removeAll { tags.contains(tag($0)) }
    fields = (fields + news).sorted { tag($0) < tag($1) }
    let next = Array(bytes[start + 2 + 12 * count..<start + 6 + 12 * count])
    let place = TIFFTree.number(result.count, 4, isLittle)
    result.append(contentsOf: TIFFTree.number(fields.count, 2, isLittle))
    result.append(contentsOf: fields.joined())
    result.append(contentsOf: next)
    result.replaceSubrange(result.startIndex + 4..<result.startIndex + 8, with: place)
    return result
  }
}
