extension ImageSource {
  /// The quantizer of the image of `page`, from 1, of a HEIC or AVIF: the luma QP of HEVC, −48 to
  /// 51, or the base index of AV1, 0 to 255; the middle one if the image consists of tiles. Nil if
  /// the coded data don't state it in the usual way.
  package func heifQuantizer(page: Int) -> Int? {
    guard var heif = try? HEIFContainer(self) else { return nil }
    return try? heif.quantizer(page: page)
  }
}

extension HEIFContainer {
  /// The largest number of tiles that are read.
  private static var mostTiles: Int { 9 }

  fileprivate mutating func quantizer(page: Int) throws(CropError) -> Int? {
    let main = try item(ofPage: page)
    let parts = items.parts(of: main)
    let coded = parts.isEmpty ? [main] : parts
    let step = max(1, coded.count / Self.mostTiles)
    var found: [Int] = []
    for index in stride(from: step / 2, to: coded.count, by: step) {
      if let quantizer = try quantizer(of: coded[index]) { found.append(quantizer) }
    }
    return found.isEmpty ? nil : found.sorted()[found.count / 2]
  }

  private mutating func quantizer(of item: Int) throws(CropError) -> Int? {
    guard let entry = items.items[item], let extent = entry.extents.first, !entry.isInData else {
      return nil
    }
    let rest = max(0, reader.count - extent.offset)
    // Headers come first, but messages to the decoder may precede the image.
    let length = min(extent.length == 0 ? rest : extent.length, rest, 16 << 10)
    guard let data = try reader.bytes(extent.offset, length) else { return nil }
    for property in items.properties(of: item) where property.end - property.start < 1 << 16 {
      guard property.type == "hvcC" || property.type == "av1C",
        let configuration = try reader.bytes(property.start, property.end - property.start)
      else { continue }
      return property.type == "hvcC"
        ? (try? HEVCQuantizer(configuration: configuration, data: data))?.value
        : (try? AV1Quantizer(data))?.value
    }
    return nil
  }
}
