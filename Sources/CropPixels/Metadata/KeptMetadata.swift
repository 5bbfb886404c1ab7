import CropImaging
import FoundationEssentials

/// The metadata that a result keeps, as libvips or this module writes it.
struct KeptMetadata {
  private let edited: EditedMetadata

  /// Nothing.
  init() { edited = EditedMetadata() }

  /// What of `source` stays in a result of `size` pixels and the given format.
  init(
    _ source: PictureMetadata, policy: MetadataPolicy, info: ImageInfo, format: PictureFormat,
    size: (width: Int, height: Int), isSRGB: Bool, provenance: Provenance? = nil
  ) {
    edited = EditedMetadata(
      source, policy: policy, info: info, format: format, size: size, isSRGB: isSRGB,
      provenance: provenance)
  }

  /// What a person should know.
  var warnings: [CropWarning] {
    edited.dropped.isEmpty ? [] : [.metadataDropped(edited.dropped)]
  }

  /// `file` with the metadata that libvips does not write, or writes in its own way.
  ///
  /// libvips always states a density; where `density` is nil the result states none.
  func written(into file: Data, format: PictureFormat, density: PixelDensity? = nil) -> Data {
    if format == .jpeg {
      return JPEGSegments.written(
        into: file, exif: edited.exif, xmp: edited.xmp, iptc: edited.iptc,
        rights: edited.rights, texts: edited.texts, density: density)
    }
    let dropsDensity = density == nil && (format == .png || format == .tiff)
    // libvips puts EXIF of its own into the other formats; these may be too large to copy for nothing.
    let isBare = format == .png || format == .gif || format == .tiff
    if isBare, edited.isEmpty, !dropsDensity { return file }
    return FileEditor(edited, dropsDensity: dropsDensity).edited(file, format) ?? file
  }
}
