import CropCore
import CropImaging
import FoundationEssentials

extension EditedMetadata {
  var warnings: [CropWarning] { dropped.isEmpty ? [] : [.metadataDropped(dropped)] }

  /// The file with the metadata that libvips does not write, or writes differently.
  ///
  /// libvips always states a density; if `density` is nil, it is removed.
  func written(into file: Data, format: ImageFormat, density: PixelDensity? = nil) -> Data {
    if format == .jpeg { return JPEGSegments.written(self, into: file, density: density) }
    let stated = density.map { DensityEdit.stated($0) } ?? .dropped
    // libvips adds its own EXIF to the other formats; for these, that might be a large useless
    // copy.
    let isBare = format == .png || format == .gif || format == .tiff
    if isBare, isEmpty, !format.holdsDensity { return file }
    return FileEditor(self, density: stated).edited(file, format) ?? file
  }
}
