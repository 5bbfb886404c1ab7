import CropCore
import CropFormats
import CropJPEG
import FoundationEssentials

extension CropEngine {
  /// A copy of the file that states another density, in pixels per inch of the upright image; its
  /// coded data stay the same byte for byte. Nil if the file's structure does not allow that.
  func restated(
    _ picture: OpenedImage, _ density: PixelDensity
  ) throws(CropError) -> CropResult? {
    let info = picture.info
    // Ignoring damage, for example, is handled as a normal crop.
    guard try checkWhole(picture).isEmpty,
      let bytes = try restated(picture.original.allBytes(), picture, density),
      let made = inspected(bytes, as: info, less: .keep)
    else { return nil }
    let lost = info.metadata.filter { !made.metadata.contains($0) }
    var result = CropResult(
      bytes: bytes, format: info.format,
      size: FrameSize(width: info.shown.width, height: info.shown.height),
      warnings: info.warnings + (lost.isEmpty ? [] : [.metadataDropped(lost)]), isLossless: true)
    result.gainMap = GainMapOutcome(copied: made.gainMap)
    result.pictureCount = info.pictureCount
    return result
  }

  private func restated(
    _ bytes: Data, _ picture: OpenedImage, _ density: PixelDensity
  ) throws(CropError) -> Data? {
    let info = picture.info
    if info.format == .jpeg { return bytes.restatedJPEG(density) }
    let turn = info.format.isTurnedByDecoder ? .up : info.orientation
    let stored = turn.isTransposing ? density.transposed : density
    if info.format == .tiff { return FileEditor.restated(bytes, stored) }
    return EditedMetadata(
      ImageMetadata(picture.original, page: picture.page), stating: stored, format: info.format
    ).flatMap { FileEditor($0, density: .stated(stored)).edited(bytes, info.format) }
  }
}

extension Data {
  /// The JPEG with another density; nil if it can't be changed that way.
  fileprivate func restatedJPEG(_ density: PixelDensity) -> Data? {
    withUnsafeBytes { bytes in
      var result = Data(capacity: count + 128)
      do throws(JPEGError) {
        let file = try JPEGFile(JPEGInput(bytes))
        return try file.restate(density) { (piece) throws(JPEGError) in
          result.append(contentsOf: piece)
        } ? result : nil
      } catch {
        return nil
      }
    }
  }
}
