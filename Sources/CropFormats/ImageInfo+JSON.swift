import CropCore

/// The JSON form: every property under its own name, sizes as `{"width", "height"}`, the orientation
/// as its EXIF number, durations in milliseconds.
extension ImageInfo: Codable {
  private enum Key: String, CodingKey {
    case format, byteCount, stored, orientation, shown, bitDepth, color, hasAlpha, frameCount
    case pageCount, subsampling, gridCell, isProgressive, isCuttable, scanCount, profileName,
      colorCoding
    case density, frameDurations, playCount, gainMap, metadata, warnings
  }

  /// Reads the form that ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    let number = try fields.decode(Int.self, forKey: .orientation)
    guard let orientation = Orientation(rawValue: number) else {
      throw DecodingError.dataCorruptedError(
        forKey: .orientation, in: fields, debugDescription: "\(number) is not an orientation")
    }
    self.init(
      format: try fields.decode(ImageFormat.self, forKey: .format),
      byteCount: try fields.decode(Int.self, forKey: .byteCount),
      stored: try fields.decode(SizeFields.self, forKey: .stored).size(),
      orientation: orientation,
      shown: try fields.decode(SizeFields.self, forKey: .shown).size())
    bitDepth = try fields.decode(Int.self, forKey: .bitDepth)
    color = try fields.decode(ColorModel.self, forKey: .color)
    hasAlpha = try fields.decode(Bool.self, forKey: .hasAlpha)
    frameCount = try fields.decode(Int.self, forKey: .frameCount)
    pageCount = try fields.decode(Int.self, forKey: .pageCount)
    subsampling = try fields.decodeIfPresent(ChromaSubsampling.self, forKey: .subsampling)
    gridCell = try fields.decodeIfPresent(SizeFields.self, forKey: .gridCell)?.size()
    isProgressive = try fields.decode(Bool.self, forKey: .isProgressive)
    isCuttable = try fields.decode(Bool.self, forKey: .isCuttable)
    scanCount = try fields.decode(Int.self, forKey: .scanCount)
    profileName = try fields.decodeIfPresent(String.self, forKey: .profileName)
    colorCoding = try fields.decodeIfPresent(ColorCoding.self, forKey: .colorCoding)
    density = try fields.decodeIfPresent(PixelDensity.self, forKey: .density)
    frameDurations = try fields.decode([Int].self, forKey: .frameDurations)
    playCount = try fields.decodeIfPresent(Int.self, forKey: .playCount)
    gainMap = try fields.decodeIfPresent(GainMapInfo.self, forKey: .gainMap)
    metadata = try fields.decode([MetadataKind].self, forKey: .metadata)
    warnings = try fields.decode([CropWarning].self, forKey: .warnings)
  }

  /// Writes every property; unknown values are null.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(format, forKey: .format)
    try fields.encode(byteCount, forKey: .byteCount)
    try fields.encode(SizeFields(stored), forKey: .stored)
    try fields.encode(orientation.rawValue, forKey: .orientation)
    try fields.encode(SizeFields(shown), forKey: .shown)
    try fields.encode(bitDepth, forKey: .bitDepth)
    try fields.encode(color, forKey: .color)
    try fields.encode(hasAlpha, forKey: .hasAlpha)
    try fields.encode(frameCount, forKey: .frameCount)
    try fields.encode(pageCount, forKey: .pageCount)
    try fields.encode(subsampling, forKey: .subsampling)
    try fields.encode(gridCell.map(SizeFields.init), forKey: .gridCell)
    try fields.encode(isProgressive, forKey: .isProgressive)
    try fields.encode(isCuttable, forKey: .isCuttable)
    try fields.encode(scanCount, forKey: .scanCount)
    try fields.encode(profileName, forKey: .profileName)
    try fields.encode(colorCoding, forKey: .colorCoding)
    try fields.encode(density, forKey: .density)
    try fields.encode(frameDurations, forKey: .frameDurations)
    try fields.encode(playCount, forKey: .playCount)
    try fields.encode(gainMap, forKey: .gainMap)
    try fields.encode(metadata, forKey: .metadata)
    try fields.encode(warnings, forKey: .warnings)
  }
}

/// A size of any space as JSON.
package struct SizeFields: Codable, Sendable {
  let width: Int
  let height: Int

  package init<Space>(_ size: PixelSize<Space>) {
    width = size.width
    height = size.height
  }

  package func size<Space>() -> PixelSize<Space> { PixelSize(width: width, height: height) }
}
