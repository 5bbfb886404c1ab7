import CropCore
import CropImaging

/// The memory for decoding an image, estimated from its header.
///
/// The factors are measured peaks per pixel, rounded up (HEIC: 1.2 GB for 200 megapixels).
struct MemoryEstimate {
  /// The estimate, in bytes.
  let bytes: Int

  /// The estimate for decoding `info`, with `held` pixels buffered completely, to be turned or
  /// tilted, at `bytesPerPixel` each.
  init(_ info: ImageInfo, decoded: (width: Int, height: Int), held: Int, bytesPerPixel: Int) {
    // As Double: sizes in headers may be wrong, and must not overflow before they are rejected.
    let pixels = Double(decoded.width) * Double(decoded.height)
    let sample = info.bitDepth > 8 && info.format.holdsWideSamples ? 2.0 : 1.0
    let decoder: Double
    switch info.format {
    case .jpeg:
      // A progressive file keeps its coefficients, two bytes each.
      decoder = info.isProgressive ? 2 * pixels * Self.planes(info) : 0
    case .png: decoder = info.isProgressive ? pixels * Double(bytesPerPixel) : 0
    case let other:
      let each = other.decoding(hasAlpha: info.hasAlpha)
      decoder = each > 0 ? each * sample * pixels + Double(info.byteCount) : 0
    }
    let whole = decoder + Double(held) * Double(bytesPerPixel)
    bytes = whole < Double(Int.max / 2) ? Int(whole) : Int.max / 2
  }

  /// The memory for encoding an image, in bytes: some encoders keep several copies, all others a
  /// few rows.
  static func coding(
    width: Int, height: Int, as format: ImageFormat, _ subsampling: ChromaSubsampling
  ) -> Int {
    // Video encoders hold planes.
    width * height * (format.isHEIF && subsampling != .s444 ? format.coding * 2 / 3 : format.coding)
  }

  /// The size of a JPEG's components, as a number of full-size planes.
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
