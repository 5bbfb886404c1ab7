import CVips
import CropCore
import CropImaging

/// The picture a file holds, opened and compared with what its header told.
struct DecodedPicture {
  /// The stored pixels, still to be decoded.
  private(set) var picture: Picture
  /// How they are laid down; up where the decoder does that itself.
  let orientation: Orientation
  /// The frame or page, from 0.
  let page: Int
  private(set) var warnings: [CropWarning] = []
  /// The profile of a GIF, of which libvips knows nothing.
  private let profile: [UInt8]?

  /// Opens the page asked for and checks its size; decodes nothing.
  init(
    _ reader: SourceReader, source: PictureSource, info: ImageInfo, options: ResultOptions,
    limits: Limits
  ) throws {
    let count = info.pictureCount
    try options.page.check(count: count, file: source.name)
    var opening = Opening(isLenient: options.isLenient)
    if case .only(let page) = options.page, info.format.isOpenedByPage { opening.page = page - 1 }
    opening.isWhole = info.format == .png && info.isProgressive
    let input = try reader.vipsSource()
    picture = try Picture.opened(input, as: info.format, opening).withAllBits()
    profile =
      info.format == .gif && info.metadata.contains(.icc) ? try source.gifProfile() : nil
    page = options.page.first - 1
    orientation = reader.orientation
    if count > 1, options.page == .automatic {
      warnings.append(.framesDropped(kept: 1, of: count))
    }
    try check(info: info, file: source.name, limits: limits)
    if let frame = try AnimationFrames.still(
      page, of: source, info: info, isLenient: options.isLenient)
    {
      picture = frame
    }
    picture = try picture.withProfile(profile, for: info)
  }

  /// The same with the pixels of another frame.
  func showing(_ frame: Picture, of info: ImageInfo) throws(VipsFailure) -> Self {
    var copy = self
    copy.picture = try frame.withProfile(profile, for: info)
    return copy
  }

  /// The size of the stored pixels that the orientation lays down.
  ///
  /// A GIF's frame may reach beyond its canvas, which libvips then enlarges; what is outside the canvas
  /// is never shown.
  func storedSize(_ info: ImageInfo) -> BitmapSize {
    info.format == .gif
      ? info.stored : BitmapSize(width: picture.width, height: picture.height)
  }

  private func check(info: ImageInfo, file: String, limits: Limits) throws(CropError) {
    let (pixels, overflow) = picture.width.multipliedReportingOverflow(by: picture.height)
    guard !overflow, pixels <= limits.pixels else {
      throw .limitExceeded(
        file: file, limit: .pixels, actual: overflow ? Int.max : pixels, allowed: limits.pixels)
    }
    let shown = OrientationMap<BitmapSpace, ImageSpace>(orientation, of: storedSize(info)).target
    guard shown == info.shown, picture.width >= info.stored.width || info.format != .gif,
      picture.height >= info.stored.height || info.format != .gif
    else {
      throw .corrupt(
        file: file,
        detail: "the header says \(info.shown.width) × \(info.shown.height) pixels, "
          + "the data \(shown.width) × \(shown.height)")
    }
  }

  /// Whether rows come out in the order they are stored, so that nothing need be kept.
  func keepsRowOrder(with turn: Orientation) -> Bool {
    let whole = orientation.followed(by: turn)
    return whole == .up || whole == .upMirrored
  }

  /// Refuses what would need more memory than allowed, of which `held` pixels are kept as a whole.
  func checkMemory(
    info: ImageInfo, file: String, held: Int, limits: Limits
  ) throws(CropError) {
    let estimate = MemoryEstimate(
      info, decoded: picture.size, held: held, bytesPerPixel: picture.bytesPerPixel)
    guard estimate.bytes <= limits.memory else {
      throw .limitExceeded(
        file: file, limit: .memory, actual: estimate.bytes, allowed: limits.memory)
    }
  }

  /// The pixels of `part` of the frame, laid down as the frame wants them.
  ///
  /// The part is found on the stored pixels first, so that no others are decoded where the format
  /// allows it.
  func part(
    _ part: PixelRect<FrameSpace>, of crop: ResolvedCrop, info: ImageInfo
  ) throws(VipsFailure) -> Picture {
    let toFrame = OrientationMap<ImageSpace, FrameSpace>(crop.orientation, of: crop.image)
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(orientation, of: storedSize(info))
    let stored = toImage.inverse(toFrame.inverse(part))
    return try picture.cut(to: stored).laidDown(orientation.followed(by: crop.orientation))
  }
}
