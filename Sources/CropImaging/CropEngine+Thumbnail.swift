import CropCore
import CropFormats
import FoundationEssentials

extension CropEngine {
  /// The thumbnail that a HEIC or AVIF stores of its main image, as a small upright JPEG in sRGB;
  /// nil for other formats, and if it has none that shows the complete image.
  ///
  /// Decoding it takes a fraction of the time of a preview, for which the complete image is decoded.
  /// Another program may have changed the image without its thumbnail.
  ///
  /// - Throws: an error for an invalid file or thumbnail.
  @available(*, noasync, message: "it blocks its thread; call it in engine.scheduler.perform")
  public func thumbnail(_ source: ImageSource) throws(CropError) -> CropResult? {
    let info = try open(source).info
    guard info.format.isHEIF, info.metadata.contains(.thumbnail),
      let patches = try HEIFThumbnail.patches(in: source)
    else { return nil }
    var bytes = try source.allBytes()
    bytes.withUnsafeMutableBytes { all in
      for patch in patches { patch.apply(to: all, at: 0) }
    }
    return try preview(
      ImageSource(bytes: bytes, name: source.name), maxSide: Self.largestThumbnail)
  }

  private static var largestThumbnail: Int { 1024 }
}
