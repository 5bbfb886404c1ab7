import CropCore
import CropFormats
import CropJPEG
import FoundationEssentials

extension CopiedFile {
  /// A copy that states another density, in pixels per inch of the upright image; nil if the file's
  /// structure does not allow that.
  func restated(_ density: PixelDensity) throws(CropError) -> CropResult? {
    // Ignoring damage, for example, is handled as a normal crop.
    guard try engine.checkWhole(picture).isEmpty,
      let bytes = restated(try picture.original.allBytes(), density),
      let made = inspected(bytes, less: .keep)
    else { return nil }
    let lost = info.metadata.filter { !made.metadata.contains($0) }
    return result(
      bytes, warnings: info.warnings + (lost.isEmpty ? [] : [.metadataDropped(lost)]),
      gainMap: made.gainMap)
  }

  private func restated(_ bytes: Data, _ density: PixelDensity) -> Data? {
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
