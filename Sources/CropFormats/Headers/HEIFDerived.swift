import CropCore

/// Images that are made of others: a grid of tiles, or another image as it is (`iden`).
///
/// Everything here is checked before a decoder sees the file, because libheif 1.15 reads and writes
/// outside its planes if a part lies outside its image, and leaves memory of earlier images where
/// no part lies. Overlays (`iovl`) are refused.
extension HEIFContainer {
  /// The most parts of an image that may be smaller than ``leastTileSide``.
  private static var mostSmallTiles: Int { 16 }
  /// The smallest side of a tile in ISO/IEC 23000-22 (MIAF), 7.3.11.4.2.
  private static var leastTileSide: Int { 64 }

  /// Checks that every derived image consists of coded images that cover it, and start in it.
  ///
  /// - Throws: ``CropError/unsupportedFeature(file:feature:)`` for images that decoders can't be
  ///   trusted with, ``CropError/corrupt(file:detail:)`` for a derived image without its parts.
  mutating func checkDerived() throws(CropError) {
    var parts: [Int: [[Int]]] = [:]
    for reference in items.references where reference.type == "dimg" {
      parts[reference.from, default: []].append(reference.to)
    }
    for (number, item) in items.items {
      switch item.type {
      case "iovl": throw unsupported("a HEIF image that overlays others")
      case "grid": try checkGrid(number, item, of: parts[number] ?? [])
      case "iden": try checkIdentity(number, of: parts[number] ?? [])
      default: break
      }
    }
  }

  private mutating func checkGrid(
    _ number: Int, _ item: HEIFItems.Item, of lists: [[Int]]
  ) throws(CropError) {
    // No decoder can read a layout that is not in the file.
    guard isInFile(item) else { return }
    let grid = try gridLayout(item)
    guard lists.count == 1, lists[0].count == grid.rows * grid.columns else {
      throw corrupt("a grid of \(grid.columns) × \(grid.rows) tiles does not have that many")
    }
    let canvas = try extents(of: number)
    let tile = try extents(of: lists[0][0])
    for part in Set(lists[0]) {
      guard let type = items.items[part]?.type, !type.isEmpty else {
        throw corrupt("a tile is missing")
      }
      guard !["grid", "iden"].contains(type) else {
        throw unsupported("a HEIF grid whose tiles consist of others")
      }
      guard try extents(of: part) == tile else {
        throw unsupported("a HEIF grid whose tiles have several sizes")
      }
    }
    let covers =
      grid.columns * tile.width >= grid.size.width && grid.rows * tile.height >= grid.size.height
    let isInside =
      (grid.columns - 1) * tile.width < grid.size.width
      && (grid.rows - 1) * tile.height < grid.size.height
    guard canvas == grid.size, covers, isInside else {
      throw unsupported("a HEIF grid whose tiles do not cover it, or leave it")
    }
    let isSmall = min(tile.width, tile.height) < Self.leastTileSide
    guard !isSmall || lists[0].count <= Self.mostSmallTiles else {
      throw unsupported("a HEIF grid of more than \(Self.mostSmallTiles) small tiles")
    }
  }

  private mutating func checkIdentity(
    _ number: Int, of lists: [[Int]]
  ) throws(CropError) {
    guard lists.count == 1, lists[0].count == 1, let other = items.items[lists[0][0]],
      !other.type.isEmpty
    else { throw corrupt("an image that is another one does not name it") }
    let changes: Set<String> = ["irot", "imir", "clap"]
    let isPlain = !items.properties(of: lists[0][0]).contains { changes.contains($0.type) }
    guard other.type != "iden", isPlain,
      try extents(of: number) == extents(of: lists[0][0])
    else { throw unsupported("a HEIF image that is derived from another one in this way") }
  }

  /// The size of an item, which its properties state in one way.
  private mutating func extents(of item: Int) throws(CropError) -> BitmapSize {
    var found: BitmapSize?
    for property in items.properties(of: item) where property.type == "ispe" {
      let stated = try size(
        need(reader.big32(property.start + 4), "a size"),
        need(reader.big32(property.start + 8), "a size"))
      guard found == nil || found == stated else { throw corrupt("an image has several sizes") }
      found = stated
    }
    guard let found else { throw corrupt("the size of an image is missing") }
    return found
  }

  /// The rows, columns and size of a grid (ISO/IEC 23008-12, 6.6.2.3.2).
  private mutating func gridLayout(
    _ item: HEIFItems.Item
  ) throws(CropError) -> (rows: Int, columns: Int, size: BitmapSize) {
    var bytes: [UInt8] = []
    for extent in item.extents where bytes.count < 12 {
      let count = min(extent.length, 12 - bytes.count)
      let start = items.start(of: item) + extent.offset
      bytes += try need(reader.bytes(start, count), "the layout of a grid")
    }
    let isWide = bytes.count > 1 && bytes[1] & 1 == 1
    guard bytes.count >= (isWide ? 12 : 8) else { throw corrupt("the layout of a grid is missing") }
    let side = isWide ? 4 : 2
    let extents = try size(
      bytes.number(4, side, .big) ?? 0, bytes.number(4 + side, side, .big) ?? 0)
    return (Int(bytes[2]) + 1, Int(bytes[3]) + 1, extents)
  }
}
