extension HEIFContainer {
  /// A reference type that decoders ignore.
  static let ignored = Array("skip".utf8)
  /// The most patches of a file, because every read goes through all of them.
  static var mostPatches: Int { 1024 }

  /// The patch that makes an item the main image; nil if the file names none.
  mutating func naming(_ item: Int) throws(CropError) -> BytePatch? {
    guard let place = parts.last(where: { $0.type == "pitm" }) else { return nil }
    let size = try reader.byte(place.start) == 0 ? 2 : 4
    guard item >> (8 * size) == 0 else { throw unsupported("a HEIF file with so many images") }
    return BytePatch(start: place.start + 4, bytes: ByteOrder.big.bytes(item, size))
  }

  /// The patches that make an auxiliary image or a thumbnail an ordinary image: not hidden, and
  /// without a reference to another.
  func shownByItself(_ item: Int) throws(CropError) -> [BytePatch] {
    guard let entry = items.items[item]?.entry else { throw corrupt("an image is missing") }
    var patches = [BytePatch(start: entry + 3, bytes: [0])]
    for reference in items.references
    where ["auxl", "thmb"].contains(reference.type) && reference.from == item {
      patches.append(BytePatch(start: reference.box.name, bytes: Self.ignored))
      guard patches.count <= Self.mostPatches else {
        throw unsupported("a HEIF file with so many auxiliary images")
      }
    }
    return patches
  }

  /// The patch that adds the brand that libheif requires to the `ftyp` box, if it is missing; the
  /// images state their coding themselves. Nil if no change is necessary or possible.
  mutating func acceptedBrand() throws(CropError) -> BytePatch? {
    guard let box = top.first, box.type == "ftyp", box.end - box.start >= 12 else { return nil }
    let length = min(box.end - box.start - 8, 4096) / 4 * 4
    let brands = try reader.bytes(box.start + 8, length) ?? []
    for place in stride(from: 0, to: brands.count, by: 4) {
      let brand = String(decoding: brands[place..<place + 4], as: UTF8.self)
      if ["heic", "heix", "mif1", "avif"].contains(brand) { return nil }
    }
    return BytePatch(start: box.start + 8, bytes: Array("mif1".utf8))
  }
}
