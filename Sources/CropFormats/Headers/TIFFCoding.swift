/// The compression of one page of a TIFF.
package struct TIFFCoding: Sendable {
  /// The number of the compression (tag 259), nil if it is missing.
  package let compression: Int?
  /// The width and height of its tiles (tags 322 and 323), which can be decoded separately; nil if
  /// the page is stored in strips.
  package let tile: (width: Int, height: Int)?
}

extension ImageSource {
  /// The compression of the page `page`, from 0; nil if it can't be determined.
  package func tiffCoding(page: Int) -> TIFFCoding? {
    var reader = PictureReader(self)
    return try? TIFFCoding(&reader, page: page)
  }
}

extension TIFFStructure {
  /// The directory of a page, from 0, in a chain that is known to be valid.
  package func directory(ofPage page: Int, _ reader: inout PictureReader) throws(CropError)
    -> Directory?
  {
    var next = firstDirectory
    var found: Directory?
    for _ in 0...max(0, page) {
      guard next != 0, let directory = try directory(next, &reader) else { return nil }
      next = directory.next
      found = directory
    }
    return found
  }
}

extension TIFFCoding {
  fileprivate init?(_ reader: inout PictureReader, page: Int) throws(CropError) {
    guard let structure = try TIFFStructure(&reader, base: 0, length: reader.count) else {
      return nil
    }
    guard let found = try structure.directory(ofPage: page, &reader) else { return nil }
    compression = try structure.number(found[TIFFTag.compression], &reader)
    let width = try structure.number(found[TIFFTag.tileWidth], &reader)
    let height = try structure.number(found[TIFFTag.tileHeight], &reader)
    if let width, let height { tile = (width, height) } else { tile = nil }
  }
}
