/// What the pixels of one page of a TIFF are coded with.
package struct TIFFCoding: Sendable {
  /// The number of the compression (tag 259), nil where it is missing.
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

extension TIFFStructure {
  /// The directory of the page with this number, from 0, of a chain that was followed to its end before.
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
    compression = try structure.number(found[259], &reader)
    let width = try structure.number(found[322], &reader)
    let height = try structure.number(found[323], &reader)
    if let width, let height { tile = (width, height) } else { tile = nil }
  }
}
