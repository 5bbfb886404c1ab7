// Made by Scripts/schema.mjs of Schema/formats.json; change that.

/// Names of formats in messages of this module, which knows no format.
enum FormatNames {
  /// All that are read.
  static let all = "JPEG, PNG, WebP, GIF, TIFF, HEIC and AVIF"

  /// Those that are coded at a chosen quality.
  static let withQuality = "JPEG, WebP, HEIC or AVIF"
}
