extension Inspection {
  /// The most bytes that are looked through for the start of a video.
  private static var mostLookedThrough: Int { 64 << 20 }

  /// Notes what the bytes are that follow a JPEG's end marker, which ends at `end`.
  ///
  /// Pictures that the file's table or XMP speaks of are noted as what they are; what nothing explains is a
  /// trailer.
  mutating func noteTrailer(from end: Int) throws(CropError) {
    let count = reader.count
    guard end < count else { return }
    var isKnown = furtherPictures.contains { $0 >= end }
    if try reader.big16(end) == 0xFFD8, !kinds.isDisjoint(with: [.gainMap, .depthMap]) {
      isKnown = true
    }
    // Samsung's list of what it has put behind the picture ends the file.
    if count - end >= 8, try reader.matches("SEFT", at: count - 4) {
      kinds.insert(.samsungTrailer)
      isKnown = true
    }
    if try hasVideo(from: end) {
      kinds.insert(.video)
      isKnown = true
    }
    if !isKnown { kinds.insert(.trailer) }
  }

  /// Whether an MP4 or QuickTime file begins at or behind `start`: a box `ftyp` of a plausible size
  /// (ISO/IEC 14496-12, 4.3) whose brand is not one of a still picture.
  private mutating func hasVideo(from start: Int) throws(CropError) -> Bool {
    let (mark, step) = (Array("ftyp".utf8), 1 << 16)
    let end = min(reader.count, start + Self.mostLookedThrough)
    var at = start
    while at + 12 <= end {
      // Pieces overlap by a box's head, so that none hides on the border of two.
      guard let piece = try reader.bytes(at, min(step, end - at)) else { return false }
      var rest = piece[...]
      while let found = rest.firstRange(of: mark) {
        let place = at + found.lowerBound - 4
        if place >= start, let size = try reader.big32(place), (16...1024).contains(size),
          size % 4 == 0, let brand = try reader.bytes(place + 8, 4),
          !Self.stillBrands.contains(String(decoding: brand, as: UTF8.self))
        {
          return true
        }
        rest = rest[found.upperBound...]
      }
      if at + piece.count >= end { return false }
      at += max(piece.count - 11, 1)
    }
    return false
  }

  /// Brands of HEIF's still pictures.
  private static var stillBrands: [String] { ["heic", "heix", "mif1", "avif", "heim", "heis"] }
}
