import CVips
import CropCore
import CropImaging
import CropKernels
import FoundationEssentials

extension CropWork {
  /// Crops and re-encodes a gain map in a HEIC.
  func sampled(_ cut: GainMapCut, from reader: SourceReader) throws -> CropResult {
    let stored = try DecodedPicture(
      reader, source: source, info: info, options: options, limits: limits)
    let channels = info.color == .gray ? 1 : 3
    guard cut.map == BitmapSize(width: info.shown.width, height: info.shown.height),
      let needed = cut.needed, stored.picture.bands >= channels,
      stored.picture.format == VIPS_FORMAT_UCHAR
    else {
      throw CropError.unsupportedFeature(file: source.name, feature: "this kind of gain map")
    }
    let made = cut.size.width.multipliedReportingOverflow(by: cut.size.height)
    guard !made.overflow, made.partialValue <= limits.pixels else {
      throw CropError.unsupportedFeature(file: source.name, feature: "so large a gain map")
    }
    try stored.checkMemory(
      info: info, file: source.name,
      held: needed.width * needed.height + made.partialValue, limits: limits)
    let part = ImageRect(x: needed.x, y: needed.y, width: needed.width, height: needed.height)
    let upright = try stored.upright(part).channels(from: 0, count: channels)
    deadline.watch(upright)
    let picture = try upright.inMemory()
    var samples = [UInt8](repeating: 0, count: made.partialValue * channels)
    guard let held = vips_image_get_data(picture.image) else { throw Messages.failure() }
    let rows = GainMapRows(
      held.assumingMemoryBound(to: UInt8.self), of: needed, channels: channels, cut: cut)
    let stride = cut.size.width * channels
    try samples.withUnsafeMutableBufferPointer { all throws(CropError) in
      guard let base = all.baseAddress else { return }
      for row in 0..<cut.size.height {
        try deadline.check(source)
        rows.write(row: row, to: base + row * stride)
      }
    }
    // The pixels are accessed through an unmanaged pointer.
    withExtendedLifetime(picture) {}
    let result = try Picture(
      samples: samples, width: cut.size.width, height: cut.size.height, bands: channels)
    var encoding = Encoding(
      format: format, quality: options.quality?.level ?? ResultOptions.defaultQuality,
      subsampling: .s444, isProgressive: false)
    encoding.isMonochrome = channels == 1
    return CropResult(
      bytes: try encoding.file(of: result), format: format,
      size: FrameSize(width: cut.size.width, height: cut.size.height))
  }
}
