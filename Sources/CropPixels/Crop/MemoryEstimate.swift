import CropCore
import CropImaging

/// What decoding a picture costs in memory, estimated from its header.
///
/// The factors are measured peaks per pixel, rounded up (HEIC: 1.2 GB for 200 megapixels).
struct MemoryEstimate {
  /// The estimate, in bytes.
  let bytes: Int

  /// The estimate for decoding `info`, of which `held` pixels are kept as a whole, to be turned or
  /// tilted, as `bytesPerPixel` each.
  init(_ info: ImageInfo, decoded: (width: Int, height: Int), held: Int, bytesPerPixel: Int) {
    // As Double: sizes in headers may lie, and must not overflow on the way to being refused.
    let pixels = Double(decoded.width) * Double(decoded.height)
    let sample = info.bitDepth > 8 ? 2.0 : 1.0
    let decoder: Double
    switch info.format {
    case .jpeg:
      // A progressive file keeps its coefficients, two bytes each.
      decoder = info.isProgressive ? 2 * pixels * Self.planes(info) : 0
    case .png: decoder = info.isProgressive ? pixels * Double(bytesPerPixel) : 0
    case .tiff: decoder = 0
    case .webp: decoder = 4 * pixels + Double(info.byteCount)
    case .gif: decoder = 12 * pixels + Double(info.byteCount)
    case .heic, .avif:
      decoder = (info.hasAlpha ? 8 : 6) * sample * pixels + Double(info.byteCount)
    }
    let whole = decoder + Double(held) * Double(bytesPerPixel)
    bytes = whole < Double(Int.max / 2) ? Int(whole) : Int.max / 2
  }

  /// What coding a picture costs, in bytes: encoders of videos hold one several times (measured peaks per
  /// pixel, rounded up), all others a few rows.
  static func coding(
    width: Int, height: Int, as format: PictureFormat, _ subsampling: ChromaSubsampling
  ) -> Int {
    guard format.isHEIF else { return 0 }
    return width * height * (subsampling == .s444 ? 24 : 16)
  }

  /// How many full-size planes the components of a JPEG amount to.
  private static func planes(_ info: ImageInfo) -> Double {
    switch (info.color, info.subsampling) {
    case (.gray, _): 1
    case (.cmyk, _): 4
    case (_, .s420), (_, .s411): 1.5
    case (_, .s422), (_, .s440): 2
    default: 3
    }
  }
}
