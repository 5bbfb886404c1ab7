import CropCore

/// The thumbnail that a HEIC or AVIF stores of its main image.
package enum HEIFThumbnail {
  /// The changes to the file that make its largest thumbnail the main image; nil if it has none that
  /// shows the complete image in the same orientation.
  ///
  /// - Throws: an error if the file is invalid or can't be read.
  package static func patches(in source: ImageSource) throws(CropError) -> [BytePatch]? {
    var inspection = Inspection(source, limits: Limits(), isLenient: true)
    let top = try inspection.boxes(from: 0, to: source.byteCount)
    guard let meta = try inspection.metaBox(among: top) else { return nil }
    let items = try inspection.items(in: meta)
    guard let main = items.primary else { return nil }
    let whole = try inspection.heifPicture(
      items, of: main, coded: items.parts(of: main).first ?? main)
    var largest: (item: Int, width: Int)?
    for reference in items.references.lazy.filter({ $0.type == "thmb" }).prefix(most)
    where reference.to.contains(main) && items.parts(of: reference.from).isEmpty {
      let small = try inspection.heifPicture(items, of: reference.from, coded: reference.from)
      guard small.shows(whole), let width = small.shown?.width, width > largest?.width ?? 0 else {
        continue
      }
      largest = (reference.from, width)
    }
    let boxes = try inspection.boxes(from: meta.start + 4, to: meta.end)
    guard let item = largest?.item, let name = try inspection.naming(item, in: boxes) else {
      return nil
    }
    return try inspection.shownByItself(item, items) + [name]
  }

  /// The largest number of thumbnails that are read.
  private static var most: Int { 16 }
}

extension HEIFPicture {
  /// Whether it may show all of a larger image: with the same orientation, and the same ratio up to two
  /// of its pixels.
  fileprivate func shows(_ whole: HEIFPicture) -> Bool {
    guard let small = shown, let large = whole.shown, orientation == whole.orientation,
      small.width <= large.width
    else { return false }
    let difference = abs(small.width * large.height - small.height * large.width)
    return difference <= 2 * max(large.width, large.height)
  }
}
