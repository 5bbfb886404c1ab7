import CVips
import CropImaging
import FoundationEssentials

/// A JPEG whose chroma is coarser than its luma in a way that libvips does not write: 4:2:2, 4:4:0 or
/// 4:1:1.
struct JPEGSampling {
  private let encoding: Encoding
  private let picture: Picture

  /// Nil where libvips writes what is asked for.
  init?(_ encoding: Encoding, _ picture: Picture) {
    guard encoding.format == .jpeg, [.s422, .s440, .s411].contains(encoding.subsampling),
      picture.bands == 3, picture.format == VIPS_FORMAT_UCHAR
    else { return nil }
    self.encoding = encoding
    self.picture = picture
  }

  /// The file, with the same first segments as libvips gives to its own.
  func file() throws(VipsFailure) -> Data {
    var plain = encoding
    plain.subsampling = .s444
    // All at once: rows may come only once.
    let samples = try picture.samples()
    let pixel = try Picture(samples: [0, 0, 0], width: 1, height: 1, bands: 3).relabelled()
    if let profile = picture.bytes(Field.profile) { pixel.set(Field.profile, to: profile) }
    let head = JPEGSegments.applications(in: try plain.file(of: pixel))
    let coded = JPEGRows.coded(
      samples, width: picture.width, height: picture.height,
      subsampling: encoding.subsampling, quality: encoding.quality,
      isProgressive: encoding.isProgressive, segments: head)
    guard let coded else { throw VipsFailure(words: "out of memory while a JPEG was coded") }
    return coded
  }
}
