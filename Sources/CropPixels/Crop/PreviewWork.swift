import CVips
import CropCore
import CropImaging
import CropKernels

/// One preview, from the bytes of the source to those of the result: the complete image, small,
/// upright, in sRGB.
struct PreviewWork {
  let source: ImageSource
  let info: ImageInfo
  let maxSide: Int
  let options: ResultOptions
  let limits: Limits

  /// The small image.
  private struct Small {
    let picture: Picture
    let size: FrameSize
    let warnings: [CropWarning]
  }

  func run() throws(CropError) -> CropResult {
    try reading { reader in try encoded(small(from: reader)) }
  }

  /// The corners of the sheet that stands out most, in pixels of the upright image; nil if there is
  /// none.
  func sheet() throws(CropError) -> Quad? {
    try reading { reader in
      let small = try small(from: reader)
      let picture = try small.picture.flattened(on: options.background)
      let (size, bands) = (small.size, picture.bands)
      let found: Quad? = try picture.withSamples { samples in
        guard let start = samples.baseAddress, samples.count >= size.width * size.height * bands
        else { return nil }
        let layout = SampleLayout(depth: .eight, channels: bands)
        return SheetFinder.quad(
          in: SampleRows(start, rowBytes: size.width * bands, layout), size: size)
      }
      let across = Double(info.shown.width) / Double(size.width)
      let down = Double(info.shown.height) / Double(size.height)
      return found?.map { FramePoint(x: $0.x * across, y: $0.y * down) }
    }
  }

  private func reading<Value>(
    _ body: (SourceReader) throws -> Value
  ) throws(CropError) -> Value {
    let reader = try SourceReader(source, info: info, page: options.page.first)
    do {
      return try body(reader)
    } catch let error as CropError {
      throw error
    } catch let failure as VipsFailure {
      if let error = reader.failure { throw error }
      throw FailureWords(failure).error(file: source.name, format: info.format, limits: limits)
    } catch {
      throw .corrupt(file: source.name, detail: "\(error)")
    }
  }

  /// The complete image, small, upright, in sRGB with 8 bits per channel.
  private func small(from reader: SourceReader) throws -> Small {
    let stored = try DecodedPicture(
      reader, source: source, info: info, options: options, limits: limits)
    let decodesFrames = options.page == .all && info.frameCount > 1
    try stored.checkMemory(
      info: info, file: source.name, held: decodesFrames ? info.pixelsOfRoll : 0, limits: limits)
    var warnings = stored.warnings
    if info.format == .tiff {
      let all = BitmapRect(
        x: 0, y: 0, width: stored.storedSize.width, height: stored.storedSize.height)
      warnings += try source.checkTIFFJPEGs(
        page: stored.page, part: all, limits: limits, isLenient: options.isLenient)
    }
    let deadline = Deadline(seconds: limits.seconds)
    if decodesFrames { try decodeFrames(reader, deadline) }
    let shown = OrientationMap<BitmapSpace, ImageSpace>(
      stored.orientation, of: stored.storedSize
    ).target
    let size = smallSize(of: shown)
    let upright = OrientationMap<FrameSpace, FrameSpace>(stored.orientation.inverse, of: size)

    var picture = try opened(stored, from: reader)
    deadline.watch(picture)
    if picture.size != (upright.target.width, upright.target.height) {
      picture = try picture.resampled(isLinear: options.isLinear) { picture throws(VipsFailure) in
        try picture.resized(to: upright.target, isQuick: true)
      }
    }
    picture = try picture.inSRGB().narrowed().oriented(stored.orientation)
    return Small(picture: picture, size: size, warnings: warnings)
  }

  private func encoded(_ small: Small) throws -> CropResult {
    var picture = small.picture
    let format = options.format ?? (picture.hasAlpha ? .png : .jpeg)
    if !format.holdsAlpha { picture = try picture.flattened(on: options.background) }
    picture = try picture.relabeled()
    picture.removeMetadata()
    let encoding = Encoding(
      format: format, quality: options.quality?.level ?? ResultOptions.defaultQuality,
      subsampling: options.subsampling ?? .s420,
      isProgressive: options.isProgressive)
    let file = try EditedMetadata().written(into: encoding.file(of: picture), format: format)
    return CropResult(
      bytes: file, format: format, size: small.size, warnings: small.warnings)
  }

  /// Decodes every frame of an animation, to check that each can be decoded.
  private func decodeFrames(_ reader: SourceReader, _ deadline: Deadline) throws {
    var frames = try AnimationFrames(reader, source: source, info: info, isLenient: false)
    for _ in 0..<frames.count {
      try deadline.check(source)
      _ = try frames.advance().samples()
    }
  }

  /// The image from its loader, decoded at the smallest sufficient size.
  private func opened(
    _ stored: DecodedPicture, from reader: SourceReader
  ) throws(VipsFailure) -> Picture {
    let size = stored.picture.size
    let factor = max(1, max(size.width, size.height) / maxSide)
    // libvips can't load less than a pixel of a side.
    let most = min(size.width, size.height)
    var loading = LoadOptions(page: stored.page, isLenient: options.isLenient)
    switch info.format {
    case .jpeg where factor > 1:
      loading.shrink = [8, 4, 2].first { $0 <= min(factor, most) } ?? 1
    case .webp where factor > 1:
      // Loads at twice the needed size, so that the better filter does the last step.
      loading.scale = min(1, max(2 / Double(factor), 1 / Double(most)))
    case .gif:
      let canvas = stored.storedSize
      return try stored.picture.cut(
        to: BitmapRect(x: 0, y: 0, width: canvas.width, height: canvas.height))
    default: return stored.picture
    }
    let small = try Picture.opened(try reader.vipsSource(), as: info.format, loading)
    return small.hasForeignProfile ? try small.withoutProfile() : small
  }

  private func smallSize(of shown: ImageSize) -> FrameSize {
    let scale = min(1, Double(maxSide) / Double(max(shown.width, shown.height)))
    func side(_ length: Int) -> Int {
      min(maxSide, max(1, Int((Double(length) * scale).rounded(.toNearestOrAwayFromZero))))
    }
    return FrameSize(width: side(shown.width), height: side(shown.height))
  }
}
