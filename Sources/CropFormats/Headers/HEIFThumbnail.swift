import CropCore

/// The thumbnail that a HEIC or AVIF stores of its main image.
package enum HEIFThumbnail {
  /// The changes to the file that make its largest thumbnail the main image; nil if it has none that
  /// shows the complete image in the same orientation.
  ///
  /// - Throws: an error if the file is invalid or can't be read.
  package static func patches(in source: ImageSource) throws(CropError) -> [BytePatch]? {
    var heif = try HEIFContainer(source)
    let items = heif.items
    let main = items.primary
    let whole = try heif.picture(main, coded: items.parts(of: main).first ?? main)
    var largest: (item: Int, width: Int)?
    for reference in items.references.lazy.filter({ $0.type == "thmb" }).prefix(most)
    where reference.to.contains(main) && items.parts(of: reference.from).isEmpty {
      let small = try heif.picture(reference.from, coded: reference.from)
      guard small.shows(whole), let width = small.shown?.width, width > largest?.width ?? 0 else {
        continue
      }
      largest = (reference.from, width)
    }
    guard let item = largest?.item, let name = try heif.naming(item) else { return nil }
    return try heif.shownByItself(item) + [name]
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
