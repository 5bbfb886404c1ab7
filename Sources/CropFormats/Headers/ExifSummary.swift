import CropCore

/// What the engine needs to know of EXIF.
struct ExifSummary {
  /// nil where EXIF says nothing valid.
  var orientation: Orientation?
  var hasLocation = false
  var hasThumbnail = false
}

extension Inspection {
  /// Reads EXIF (a TIFF structure) in `length` bytes from `base` and notes what is in it.
  ///
  /// Damage in it only means that it says less.
  mutating func exif(base: Int, length: Int) throws(CropError) -> Orientation? {
    kinds.insert(.exif)
    let summary = try readExif(base: base, length: length)
    if summary.hasLocation { kinds.insert(.location) }
    if summary.hasThumbnail { kinds.insert(.thumbnail) }
    return summary.orientation
  }

  private mutating func readExif(base: Int, length: Int) throws(CropError) -> ExifSummary {
    var summary = ExifSummary()
    guard let structure = try TIFFStructure(&reader, base: base, length: length),
      let main = try structure.directory(structure.firstDirectory, &reader)
    else { return summary }
    summary.orientation = try structure.orientation(
      main[TIFFStructure.orientationTag], &reader)
    // What the format itself says, or the first of two, counts.
    if density == nil { density = try density(main, structure) }
    try noteCapture(main, structure)
    if let offset = try structure.number(main[0x8825], &reader),
      let place = try structure.directory(offset, &reader)
    {
      // A lone version number is no place.
      summary.hasLocation = place.fields.contains { (1...4).contains($0.tag) }
    }
    if main.next != 0, main.next != structure.firstDirectory,
      let second = try structure.directory(main.next, &reader)
    {
      summary.hasThumbnail = second[0x0201] != nil || second[0x0111] != nil
    }
    return summary
  }

  /// The pixels an inch of a directory, where it has both and their unit (TIFF 6.0, ResolutionUnit).
  mutating func density(
    _ directory: TIFFStructure.Directory, _ structure: TIFFStructure
  ) throws(CropError) -> PixelDensity? {
    let unit = try structure.number(directory[296], &reader) ?? 2
    guard unit == 2 || unit == 3 else { return nil }
    return PixelDensity(
      try structure.fraction(directory[282], &reader),
      try structure.fraction(directory[283], &reader),
      inches: unit == 2 ? 1 : PixelDensity.centimetre)
  }
}
