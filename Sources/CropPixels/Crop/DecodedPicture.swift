import CVips
import CropCore
import CropImaging

/// The image in a file, opened and checked against its header.
struct DecodedPicture {
  /// The stored pixels, which are decoded on demand.
  private(set) var picture: Picture
  /// Their orientation; up if the decoder applies it.
  let orientation: Orientation
  /// The size of the stored pixels before the orientation is applied.
  ///
  /// A GIF's frame may extend beyond its canvas, which libvips then enlarges; pixels outside the
  /// canvas are never shown.
  let storedSize: BitmapSize
  /// The frame or page, from 0.
  let page: Int
  private(set) var warnings: [CropWarning] = []
  /// The profile of a GIF, which libvips does not read.
  private let profile: [UInt8]?
  /// The part of the stored pixels that was decoded; nil if all are available.
  private var held: BitmapRect?

  /// Opens the requested page and checks its size; decodes nothing.
  init(
    _ reader: SourceReader, source: ImageSource, info: ImageInfo, options: ResultOptions,
    limits: Limits
  ) throws {
    let count = info.pictureCount
    try options.page.check(count: count, file: source.name)
    var loading = LoadOptions(isLenient: options.isLenient)
    if case .only(let page) = options.page, info.format.isOpenedByPage { loading.page = page - 1 }
    loading.isWhole = info.format == .png && info.isProgressive
    let input = try reader.vipsSource()
    picture = try Picture.opened(input, as: info.format, loading).withAllBits()
    profile =
      info.format == .gif && info.metadata.contains(.icc) ? try source.gifProfile() : nil
    page = options.page.first - 1
    orientation = reader.orientation
    storedSize =
      info.format == .gif
      ? info.stored : BitmapSize(width: picture.width, height: picture.height)
    if count > 1, options.page == .automatic {
      warnings.append(.framesDropped(kept: 1, of: count, arePages: info.pageCount > 1))
    }
    try check(info: info, file: source.name, limits: limits)
    if let frame = try AnimationFrames.still(
      page, of: source, info: info, isLenient: options.isLenient)
    {
      picture = frame
    }
    try keepChannels(of: info)
    if picture.hasForeignProfile { warnings.append(.metadataDropped([.icc])) }
    picture = try picture.withProfile(profile, for: info)
  }

  /// Removes extra channels of an image that is gray according to its header.
  private mutating func keepChannels(of info: ImageInfo) throws(VipsFailure) {
    guard info.color == .gray, picture.bands > 2 else { return }
    let space =
      picture.format == VIPS_FORMAT_USHORT ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W
    if info.format == .tiff {
      picture = try picture.channels(from: 0, count: 2).relabeled(as: space)
      warnings.append(.channelsDropped)
    } else if !picture.hasProfile || picture.hasForeignProfile {
      // Decoders of HEIC and AVIF return gray as three equal channels.
      let gray = try picture.channels(from: 0)
      picture = try (picture.hasAlpha ? gray.joined(with: picture.channels(from: 3)) : gray)
        .relabeled(as: space)
    }
  }

  /// The same image with the pixels of another frame.
  func showing(_ frame: Picture, of info: ImageInfo) throws(VipsFailure) -> Self {
    var copy = self
    copy.picture = try frame.withProfile(profile, for: info)
    return copy
  }

  /// The same image with only the pixels of `part` of the upright image, decoded into memory.
  func holding(_ part: ImageRect) throws(VipsFailure) -> Self {
    let stored = toImage.inverse(part)
    var copy = self
    copy.picture = try picture.cut(to: stored).inMemory()
    // The decoding's deadline must not apply to later operations on the pixels.
    vips_image_set_progress(copy.picture.image, 0)
    // Fields may point to the decoder's memory, which is freed with it (HEIC, libvips 8.14). Only
    // the profile is needed later.
    let profile = picture.bytes(Field.profile)
    copy.picture.removeMetadata()
    if let profile { copy.picture.set(Field.profile, to: profile) }
    copy.held = stored
    return copy
  }

  var byteCount: Int { picture.width * picture.height * picture.bytesPerPixel }

  /// Whether the image contains the pixels that `crop` needs.
  func holds(_ crop: ResolvedCrop) -> Bool {
    held.map { $0.rect.contains(storedPart(of: crop).rect) } ?? true
  }

  private func check(info: ImageInfo, file: String, limits: Limits) throws(CropError) {
    let (pixels, overflow) = picture.width.multipliedReportingOverflow(by: picture.height)
    guard !overflow, pixels <= limits.pixels else {
      throw .limitExceeded(
        file: file, limit: .pixels, actual: overflow ? Int.max : pixels, allowed: limits.pixels)
    }
    let shown = toImage.target
    guard shown == info.shown, picture.width >= info.stored.width || info.format != .gif,
      picture.height >= info.stored.height || info.format != .gif
    else {
      // libheif interprets turns and apertures of the same header differently.
      if info.format.isHEIF {
        throw .unsupportedFeature(
          file: file,
          feature: "\(info.format.displayName) that is rotated, flipped or cropped this way")
      }
      throw .corrupt(
        file: file,
        detail: "the header says \(info.shown.width) × \(info.shown.height) pixels, "
          + "the data \(shown.width) × \(shown.height)")
    }
  }

  /// Whether rows are read in stored order, so that nothing must be buffered.
  func keepsRowOrder(with turn: Orientation) -> Bool {
    let whole = orientation.followed(by: turn)
    return whole == .up || whole == .upMirrored
  }

  /// Rejects work that would exceed the memory limit, with `held` pixels buffered completely.
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

  /// The part of the frame that `crop` needs, in the frame's orientation.
  ///
  /// It is determined on the stored pixels first, so that no others are decoded if the format
  /// allows that.
  func part(of crop: ResolvedCrop) throws(VipsFailure) -> Picture {
    var part = storedPart(of: crop)
    if let held {
      part.x -= held.x
      part.y -= held.y
    }
    return try picture.cut(to: part).oriented(orientation.followed(by: crop.orientation))
  }

  func upright(_ part: ImageRect) throws(VipsFailure) -> Picture {
    try picture.cut(to: toImage.inverse(part)).oriented(orientation)
  }

  /// The stored pixels that `crop` needs.
  func storedPart(of crop: ResolvedCrop) -> BitmapRect {
    toImage.inverse(crop.neededImagePart)
  }

  /// The map from the stored pixels to the upright image.
  private var toImage: OrientationMap<BitmapSpace, ImageSpace> {
    OrientationMap(orientation, of: storedSize)
  }
}
