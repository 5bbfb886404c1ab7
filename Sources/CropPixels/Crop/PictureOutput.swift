import CVips
import CropCore
import CropFormats
import CropImaging
import FoundationEssentials

/// Converts a finished image to what its format supports, encodes it, and adds the kept metadata.
struct PictureOutput {
  /// The cropped pixels.
  let picture: Picture
  let source: ImageSource
  let info: ImageInfo
  let options: ResultOptions
  let metadata: ImageMetadata
  /// Whether the pixels are those of the source, only moved.
  private(set) var isExact: Bool
  /// Whether the image includes a canvas, or is a sheet.
  let isOnCanvas: Bool
  /// The frame or page, from 0.
  let page: Int
  /// Whether rows and columns of the source were exchanged.
  let isTransposed: Bool
  /// What happens to the density of the source.
  private let densityEdit: DensityEdit
  /// The approximate quality of the source, if it and the result are both HEIC or both AVIF; nil if
  /// another quality is used.
  let sourceQuality: Int?
  /// Whether the file stores every pixel exactly as in the source.
  private(set) var isLossless = false
  /// Whether the colors were converted to sRGB.
  private var hasNewColors = false
  private(set) var warnings: [CropWarning] = []

  /// Takes over the pixels that `work` made; the properties describe the rest.
  init(
    _ picture: Picture, of work: CropWork, metadata: ImageMetadata, isExact: Bool, page: Int = 0,
    isTransposed: Bool = false
  ) {
    self.picture = picture
    source = work.source
    info = work.info
    options = work.options
    self.metadata = metadata
    self.isExact = isExact
    isOnCanvas = work.layout != nil || work.sheet != nil
    densityEdit = work.density
    self.page = page
    self.isTransposed = isTransposed
    sourceQuality =
      options.quality == nil && (options.format ?? info.format) == info.format
      ? source.heifQuantizer(page: page + 1).flatMap {
        HEIFFile.quality(ofQuantizer: $0, in: work.info.format)
      } : nil
  }

  private var format: ImageFormat { options.format ?? info.format }

  /// Whether all samples are those of the source, only moved.
  private var keepsSamples: Bool { isExact && !isOnCanvas }

  mutating func finished(limits: Limits) throws -> Data {
    var picture = try fitted()
    var encoding = encoding
    try checkMemory(picture, encoding, limits)
    try checkDepth()
    encoding.bitDepth = bitDepth(of: picture)
    if format == .tiff, info.format == .tiff, let stored = source.tiffCoding(page: page) {
      encoding.tiff = tiffCompression(stored, picture)
      encoding.tile = stored.tile
    }

    var palette: Palette?
    if isPaletted, fitsMemory(picture, limits) {
      picture = try picture.inMemory()
      palette = try Palette(picture)
    }
    picture = try picture.relabeled()
    let kept = keptMetadata(of: picture)
    let (profile, coding) = keptColors(of: picture)
    picture.removeMetadata()
    if let profile, format != .gif { picture.set(Field.profile, to: profile) }
    if case .codePoints(let points) = coding { encoding.codePoints = points }
    if let palette, format == .png, encoding.bitDepth == nil {
      let depth = palette.bitDepth(width: picture.width)
      picture = try Picture(
        samples: palette.indexes(of: depth), width: picture.width, height: picture.height)
      encoding.bitDepth = depth
    }
    if palette != nil, format == .gif, let file = try gif(picture) {
      return kept.written(into: GIFFile.written(profile, into: file), format: format)
    }
    // libvips rounds L*a*b* of 16 bits.
    isLossless =
      keepsSamples && format == info.format && encoding.keepsSamples && info.color != .lab
    var file = try encoding.file(of: picture)
    if format == .png {
      file = PNGChunks.written(into: file, palette: palette, profile: profile, coding: coding)
    } else if format == .gif {
      file = GIFFile.written(profile, into: file)
    }
    return kept.written(into: file, format: format, density: density)
  }

  /// The density that the result states, in pixels per inch; nil if the source states none or it is
  /// removed.
  var density: PixelDensity? {
    switch densityEdit {
    case .kept where options.metadata == .stripAll: nil
    case .kept: isTransposed ? info.density?.transposed : info.density
    case .dropped: nil
    case .stated(let density): density
    }
  }

  private func standIn(_ coding: ColorCoding?, for picture: Picture) -> [UInt8]? {
    coding.flatMap { SynthesizedProfile($0, isGray: picture.bands < 3)?.bytes }
  }

  private func checkMemory(
    _ picture: Picture, _ encoding: Encoding, _ limits: Limits
  ) throws(CropError) {
    let bytes = MemoryEstimate.coding(
      width: picture.width, height: picture.height, as: format, encoding.subsampling)
    guard bytes <= limits.memory else {
      throw .limitExceeded(
        file: source.name, limit: .memory, actual: bytes, allowed: limits.memory)
    }
  }

  private func checkDepth() throws(CropError) {
    guard format == .avif, options.depth == .ten else { return }
    // libaom 3.6 under libheif 1.15 aborts or writes nothing.
    throw .unsupportedFeature(
      file: source.name, feature: "an AVIF of 10 bits (the encoder writes 8 or 12)")
  }

  /// A GIF with exactly the image's colors; nil if the options require others.
  private mutating func gif(_ picture: Picture) throws -> Data? {
    var coder = AnimatedGIF(
      width: picture.width, height: picture.height, timing: AnimationTiming(info),
      isExactOnly: true)
    do {
      try coder.add(FrameRaster(picture))
      let file = try coder.finish()
      isLossless = keepsSamples && format == info.format
      return file
    } catch is TooManyColors {
      return nil
    }
  }

  /// The encoding, as far as it does not depend on the pixels.
  var encoding: Encoding {
    var encoding = Encoding(
      format: format,
      quality: options.quality?.level ?? sourceQuality ?? ResultOptions.defaultQuality,
      subsampling: options.subsampling ?? keptSubsampling ?? .s420,
      isProgressive: options.isProgressive)
    encoding.isExact =
      format.hasExactCoding
      && (options.quality == .lossless
        || (options.lossless != .never
          && (storesFlatColors || (format == info.format && Inspection.isCodedExactly(source)))))
    return encoding
  }

  /// Whether the source is coded losslessly, in a format that is typical for drawings and not for
  /// photographs.
  private var storesFlatColors: Bool {
    switch info.format {
    case .gif: true
    case .png, .tiff: info.color == .palette
    default: false
    }
  }

  /// The metadata to keep in `picture`, the result.
  mutating func keptMetadata(of picture: Picture) -> EditedMetadata {
    let edit = MetadataEdit(
      width: picture.width, height: picture.height, policy: options.metadata, isSRGB: hasNewColors,
      density: densityEdit)
    let kept = EditedMetadata(
      metadata, edit: edit, info: info, format: format, provenance: options.provenance)
    warnings += kept.warnings
    return kept
  }

  /// The color information of `picture`, the result.
  mutating func keptColors(of picture: Picture) -> (profile: [UInt8]?, coding: ColorCoding?) {
    let points = codePoints
    if let points, points.isHighDynamicRange {
      if hasNewColors {
        warnings.append(.lightCutOff)
      } else if !format.holdsCodePoints, !recodesLight {
        warnings.append(.lightInProfile)
      }
    }
    guard !hasNewColors else { return (nil, nil) }
    let profile = picture.bytes(Field.profile)
    let isOwn = profile != nil && profile != standIn(info.colorCoding, for: picture)
    switch format {
    case .png where info.format == .png:
      // A PNG keeps its description of the colors.
      return isOwn ? (profile, nil) : (nil, info.colorCoding)
    case .png, .heic, .avif:
      // A profile in the file takes precedence over its code points, except for HDR, which profiles
      // can't describe.
      guard let points, !isOwn || points.isHighDynamicRange else { return (profile, nil) }
      guard format == .png else { return (isOwn ? profile : nil, .codePoints(points)) }
      // Programs that don't read code points in a PNG may read the profile.
      let ofRGB = ColorCodePoints(
        primaries: points.primaries, transfer: points.transfer, matrix: 0, isFullRange: true)
      return (profile, .codePoints(ofRGB))
    default: return (profile, nil)
    }
  }

  /// Whether an encoder of linear light gets the profile that its decoder made, and recognizes it.
  private var recodesLight: Bool {
    format.codesLight && format == info.format && !encoding.isExact
  }

  /// The code points of the source, if they are specified.
  private var codePoints: ColorCodePoints? {
    guard case .codePoints(let points) = info.colorCoding, points.primaries != 2,
      points.transfer != 2
    else { return nil }
    return points
  }

  /// The image in colors, depth and transparency that the format supports.
  mutating func fitted() throws(VipsFailure) -> Picture {
    var result = picture
    if format.isHEIF, let standIn = standIn(info.colorCoding, for: result),
      codePoints != nil, !options.convertsToSRGB, result.bytes(Field.profile) == standIn
    {
      // Code points describe the colors there, also for gray.
      result = try result.withoutProfile()
    }
    if info.format.codesLight, info.colorCoding != nil, !recodesLight {
      // The decoder derived the profile from the header.
      result = try result.withoutProfile().withProfile(nil, for: info)
    }
    if format != .tiff, result.bands > result.colorBands + 1 {
      result = try result.withoutFurtherChannels()
      warnings.append(.channelsDropped)
      isExact = false
    }
    // Few programs read a profile in a GIF, so it gets one only if its source has one.
    var isHeld = result.isHeld(by: format) || (format == .gif && info.format == .gif)
    if info.color == .lab { isHeld = format == .tiff && result.isLab }
    // Our profile clips highlights at paper white, where programs without HDR support clip them
    // too.
    if format.codesLight, format != info.format, codePoints?.isHighDynamicRange == true {
      isHeld = false
    }
    if options.convertsToSRGB || !isHeld {
      if !options.convertsToSRGB { warnings.append(.colorsConverted(from: info)) }
      result = try result.inSRGB()
      hasNewColors = true
      isExact = false
    }
    if result.hasAlpha, !format.holdsAlpha {
      result = try result.flattened(on: options.background)
      warnings.append(.alphaFlattened)
      isExact = false
    }
    if !format.holdsWideSamples || options.depth == .eight, result.format == VIPS_FORMAT_USHORT {
      result = try result.narrowed()
      isExact = false
    }
    return result
  }

  /// The source's subsampling, with rows and columns exchanged if necessary.
  private var keptSubsampling: ChromaSubsampling? {
    switch info.subsampling {
    case .s422 where isTransposed: .s440
    case .s440 where isTransposed: .s422
    // Subsampling of columns only has no equivalent for rows.
    case .s411 where isTransposed: .s420
    case let kept: kept
    }
  }

  /// The bits per sample, if they are fewer than those of its type.
  private func bitDepth(of picture: Picture) -> Int? {
    switch format {
    case .png, .tiff:
      let isGray = picture.bands == 1 && picture.format == VIPS_FORMAT_UCHAR
      guard keepsSamples, isGray, info.color == .gray, info.bitDepth < 8, info.format == format
      else {
        return nil
      }
      return info.bitDepth == 4 && Palette.losesLast(of: picture.width) ? nil : info.bitDepth
    case .heic, .avif:
      if let depth = options.depth { return depth.bits }
      guard picture.format == VIPS_FORMAT_USHORT else { return 8 }
      return info.bitDepth == 12 || format == .avif ? 12 : 10
    default: return nil
    }
  }

  /// Whether pixels may be encoded as indexes of a color table.
  var isPaletted: Bool {
    isExact && (info.color == .palette || info.format == .gif)
      && (format == .png || format == .gif)
  }

  private func fitsMemory(_ picture: Picture, _ limits: Limits) -> Bool {
    picture.width * picture.height * (2 * picture.bytesPerPixel + 2) <= limits.memory / 2
  }

  private func tiffCompression(_ stored: TIFFCoding, _ picture: Picture) -> TIFFCompression {
    guard let tag = stored.compression else { return .deflate }
    let compression = TIFFCompression(tag: tag)
    switch compression {
    // Fax compression requires 1 bit per pixel.
    case .fax4: return keepsSamples && info.bitDepth == 1 ? compression : .deflate
    // libvips drops alpha in JPEG-compressed TIFFs.
    case .jpeg: return picture.hasAlpha || options.quality == .lossless ? .deflate : compression
    default: return compression
    }
  }
}

extension Encoding {
  /// Whether every sample is encoded exactly.
  fileprivate var keepsSamples: Bool {
    switch format {
    case .png: true
    case .tiff: tiff.isExact
    default: isExact
    }
  }
}
