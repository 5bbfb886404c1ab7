import CVips
import CropCore
import CropImaging

/// The picture a file holds, opened and compared with its header.
struct DecodedPicture {
  /// The stored pixels, still to be decoded.
  private(set) var picture: Picture
  /// Their orientation; up where the decoder applies it itself.
  let orientation: Orientation
  /// The size of the stored pixels that the orientation lays down.
  ///
  /// A GIF's frame may reach beyond its canvas, which libvips then enlarges; what is outside the canvas
  /// is never shown.
  let storedSize: BitmapSize
  /// The frame or page, from 0.
  let page: Int
  private(set) var warnings: [CropWarning] = []
  /// The profile of a GIF, of which libvips knows nothing.
  private let profile: [UInt8]?
  /// The part of the stored pixels that was decoded; nil where all can be.
  private var held: BitmapRect?

  /// Opens the page asked for and checks its size; decodes nothing.
  init(
    _ reader: SourceReader, source: PictureSource, info: ImageInfo, options: ResultOptions,
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
    picture = try picture.withProfile(profile, for: info)
  }

  /// Leaves gray and alpha of a picture that is gray by its header.
  private mutating func keepChannels(of info: ImageInfo) throws(VipsFailure) {
    guard info.color == .gray, picture.bands > 2 else { return }
    let space =
      picture.format == VIPS_FORMAT_USHORT ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W
    if info.format == .tiff {
      picture = try picture.channels(from: 0, count: 2).relabelled(as: space)
      warnings.append(.channelsDropped)
    } else if !picture.hasProfile {
      // Decoders of HEIC and AVIF give it as three colours that are the same.
      let gray = try picture.channels(from: 0)
      picture = try (picture.hasAlpha ? gray.joined(with: picture.channels(from: 3)) : gray)
        .relabelled(as: space)
    }
  }

  /// The same with the pixels of another frame.
  func showing(_ frame: Picture, of info: ImageInfo) throws(VipsFailure) -> Self {
    var copy = self
    copy.picture = try frame.withProfile(profile, for: info)
    return copy
  }

  /// The same with the pixels of `part` of the upright picture, and no others, decoded into memory.
  func holding(_ part: ImageRect) throws(VipsFailure) -> Self {
    let stored = toImage.inverse(part)
    var copy = self
    copy.picture = try picture.cut(to: stored).inMemory()
    // The decoding's deadline must not apply to what is made of the pixels later.
    vips_image_set_progress(copy.picture.image, 0)
    // Fields may be the decoder's memory, which goes with it (HEIC, libvips 8.14). Of all, only the
    // profile is asked for again.
    let profile = picture.bytes(Field.profile)
    copy.picture.removeMetadata()
    if let profile { copy.picture.set(Field.profile, to: profile) }
    copy.held = stored
    return copy
  }

  /// The bytes of all its pixels.
  var byteCount: Int { picture.width * picture.height * picture.bytesPerPixel }

  /// Whether the picture holds the pixels that `crop` needs.
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
      // libheif reads turns and apertures from the same header, in a way of its own.
      if info.format.isHEIF {
        throw .unsupportedFeature(
          file: file,
          feature: "\(info.format.displayName) that is turned, mirrored or cut in this way")
      }
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

  /// The part of the frame that `crop` needs, in the frame's orientation.
  ///
  /// It is found on the stored pixels first, so that no others are decoded where the format allows it.
  func part(of crop: ResolvedCrop) throws(VipsFailure) -> Picture {
    var part = storedPart(of: crop)
    if let held {
      part.x -= held.x
      part.y -= held.y
    }
    return try picture.cut(to: part).oriented(orientation.followed(by: crop.orientation))
  }

  /// The stored pixels that `crop` needs.
  func storedPart(of crop: ResolvedCrop) -> BitmapRect {
    toImage.inverse(crop.neededImagePart)
  }

  /// How the stored pixels become the upright picture.
  private var toImage: OrientationMap<BitmapSpace, ImageSpace> {
    OrientationMap(orientation, of: storedSize)
  }
}
