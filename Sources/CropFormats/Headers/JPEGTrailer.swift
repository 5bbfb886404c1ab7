extension Inspection {
  /// The most bytes that are searched for the start of a video.
  private static var mostLookedThrough: Int { 64 << 20 }

  /// Records the kinds of the bytes after a JPEG's end marker, which ends at `end`.
  ///
  /// Images that the file's table or XMP lists are recorded as such; anything unexplained is a
  /// trailer.
  mutating func noteTrailer(from end: Int) throws(CropError) {
    let count = reader.count
    guard end < count else { return }
    var isKnown = furtherPictures.contains { $0 >= end }
    if try reader.big16(end) == 0xFFD8, !kinds.isDisjoint(with: [.gainMap, .depthMap]) {
      isKnown = true
    }
    // Samsung's directory of data after the image is at the end of the file.
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

  /// Whether an MP4 or QuickTime file starts at or after `start`: an `ftyp` box of a plausible size
  /// (ISO/IEC 14496-12, 4.3) whose brand is not one of a still image.
  private mutating func hasVideo(from start: Int) throws(CropError) -> Bool {
    let step = 1 << 16
    let end = min(reader.count, start + Self.mostLookedThrough)
    var at = start
    while at + 12 <= end {
      // Pieces overlap by the size of a box's header, so that none is missed where two meet.
      guard let piece = try reader.bytes(at, min(step, end - at)) else { return false }
      var next = 0
      while let found = piece.place(of: "ftyp", from: next) {
        let place = at + found - 4
        if place >= start, let size = try reader.big32(place), (16...1024).contains(size),
          size % 4 == 0, let brand = try reader.bytes(place + 8, 4),
          !Self.stillBrands.contains(String(decoding: brand, as: UTF8.self))
        {
          return true
        }
        next = found + 4
      }
      if at + piece.count >= end { return false }
      at += max(piece.count - 11, 1)
    }
    return false
  }

  /// Brands of HEIF still images.
  private static var stillBrands: [String] { ["heic", "heix", "mif1", "avif", "heim", "heis"] }
}
