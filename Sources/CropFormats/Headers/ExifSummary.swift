import CropCore

/// The EXIF values that the engine needs.
struct ExifSummary {
  /// The orientation; nil if EXIF does not state a valid one.
  var orientation: Orientation?
  var hasLocation = false
  var hasThumbnail = false
}

extension Inspection {
  /// Reads EXIF (a TIFF structure) from `length` bytes at `base`, and records its contents.
  ///
  /// Damaged parts are ignored.
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
      main[TIFFTag.orientation], &reader)
    // The format's own density, or the first of two, has precedence.
    if density == nil { density = try density(main, structure) }
    try noteCapture(main, structure)
    if let offset = try structure.number(main[TIFFTag.gps], &reader),
      let place = try structure.directory(offset, &reader)
    {
      // A version number without coordinates is not a location.
      summary.hasLocation = place.fields.contains { (1...4).contains($0.tag) }
    }
    if main.next != 0, main.next != structure.firstDirectory,
      let second = try structure.directory(main.next, &reader)
    {
      summary.hasThumbnail =
        second[TIFFTag.jpegOffset] != nil || second[TIFFTag.stripOffsets] != nil
    }
    return summary
  }

  /// The pixels per inch of a directory, if it has both and their unit (TIFF 6.0, ResolutionUnit).
  mutating func density(
    _ directory: TIFFStructure.Directory, _ structure: TIFFStructure
  ) throws(CropError) -> PixelDensity? {
    let unit = try structure.number(directory[TIFFTag.resolutionUnit], &reader) ?? 2
    guard unit == 2 || unit == 3 else { return nil }
    return PixelDensity(
      try structure.fraction(directory[TIFFTag.xResolution], &reader),
      try structure.fraction(directory[TIFFTag.yResolution], &reader),
      inches: unit == 2 ? 1 : PixelDensity.centimeter)
  }
}
