/// What the pixels of one page of a TIFF are coded with.
package struct TIFFCoding: Sendable {
  /// The number of the compression (tag 259), nil where it is not told.
  package let compression: Int?
  /// The columns and rows of its tiles (tags 322 and 323), which can be decoded one by one; nil where it
  /// is stored in strips.
  package let tile: (width: Int, height: Int)?
}

extension PictureSource {
  /// How the page with this number, from 0, is coded; nil where there is none to be found.
  package func tiffCoding(page: Int) -> TIFFCoding? {
    var reader = PictureReader(self)
    return try? TIFFCoding(&reader, page: page)
  }
}

extension TIFFCoding {
  fileprivate init?(_ reader: inout PictureReader, page: Int) throws(CropError) {
    guard let structure = try TIFFStructure(&reader, base: 0, length: reader.count) else {
      return nil
    }
    var next = structure.firstDirectory
    var found: TIFFStructure.Directory?
    // The chain was followed to its end before.
    for _ in 0...max(0, page) {
      guard next != 0, let directory = try structure.directory(next, &reader) else { return nil }
      next = directory.next
      found = directory
    }
    guard let found else { return nil }
    compression = try structure.number(found[259], &reader)
    let width = try structure.number(found[322], &reader)
    let height = try structure.number(found[323], &reader)
    if let width, let height { tile = (width, height) } else { tile = nil }
  }
}
