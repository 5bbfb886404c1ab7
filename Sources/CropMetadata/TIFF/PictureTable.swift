/// The table of the images in a file (CIPA DC-007, 5.2).
package struct PictureTable {
  /// An image after the first one.
  package struct Entry {
    /// Flags, and the kind of image.
    package let attributes: Int
    /// The position, counted from the start of the TIFF structure; 0 for none.
    package let place: Int
  }

  /// The images after the first one, as far as they are read.
  package private(set) var entries: [Entry] = []
  /// Whether the table has more images than are read.
  package let hasMore: Bool

  /// The largest number of images after the first that are read.
  private static var most: Int { 16 }

  /// Reads the table whose TIFF structure is in `length` bytes from `base`; nil if it is unreadable.
  package init?<Source: ByteSource>(
    _ source: inout Source, base: Int, length: Int
  ) throws(Source.Failure) {
    guard let structure = try TIFFStructure(&source, base: base, length: length),
      let index = try structure.directory(structure.firstDirectory, &source),
      let table = index[0xB002], let start = table.values, table.count >= 16
    else { return nil }
    // Entries of 16 bytes: attributes, size, position and dependents; the first position is 0.
    let count = table.count / 16
    hasMore = count > Self.most + 1
    for number in 1..<max(1, min(count, Self.most + 1)) {
      let entry = start + 16 * number
      entries.append(
        Entry(
          attributes: try source.number(entry, size: 4, order: structure.order) ?? 0,
          place: try source.number(entry + 8, size: 4, order: structure.order) ?? 0))
    }
  }
}
