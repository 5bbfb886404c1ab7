import CVips
import CropCore
import CropFormats
import CropImaging
import FoundationEssentials

/// Makes a finished picture fit its format, codes it, and gives it the metadata it keeps.
struct PictureOutput {
  /// The cut pixels.
  let picture: Picture
  let source: PictureSource
  let info: ImageInfo
  let options: ResultOptions
  let metadata: PictureMetadata
  /// Whether the pixels are those of the source, moved at most.
  private(set) var isExact: Bool
  /// The frame or page, from 0.
  let page: Int
  /// Whether rows of the source became columns.
  let isTransposed: Bool
  /// The quality with which a HEIC or AVIF that stays one was coded, about; nil where another counts.
  let sourceQuality: Int?
  /// Whether the file holds every pixel exactly as the source does.
  private(set) var isLossless = false
  /// Whether the colours are sRGB now.
  private var hasNewColors = false
  private(set) var warnings: [CropWarning] = []

  init(
    _ picture: Picture, source: PictureSource, info: ImageInfo, options: ResultOptions,
    metadata: PictureMetadata, isExact: Bool, page: Int, isTransposed: Bool
  ) {
    self.picture = picture
    self.source = source
    self.info = info
    self.options = options
    self.metadata = metadata
    self.isExact = isExact
    self.page = page
    self.isTransposed = isTransposed
    sourceQuality =
      options.quality == nil && (options.format ?? info.format) == info.format
      ? source.heifQuantizer(page: page + 1).flatMap {
        HEIFFile.quality(ofQuantizer: $0, in: info.format)
      } : nil
  }

  private var format: PictureFormat { options.format ?? info.format }

  /// The file.
  mutating func finished(limits: Limits) throws -> Data {
    var picture = try fitted()
    var encoding = encoding
    try checkMemory(picture, encoding, limits)
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
    picture = try picture.relabelled()
    let kept = keptMetadata(of: picture)
    let (profile, coding) = keptColours(of: picture)
    picture.removeMetadata()
    if let profile, format != .gif { picture.set(Field.profile, to: profile) }
    if case .codePoints(let points) = coding { encoding.codePoints = points }
    if let palette, format == .png, encoding.bitDepth == nil {
      picture = try Picture(
        samples: palette.indexes, width: picture.width, height: picture.height)
      encoding.bitDepth = palette.bitDepth
    }
    if let density { picture.set(density) }
    if palette != nil, format == .gif, let file = try gif(picture) {
      return kept.written(into: GIFFile.written(profile, into: file), format: format)
    }
    // libvips rounds L*a*b* of 16 bits.
    isLossless = isExact && format == info.format && encoding.isExact && info.color != .lab
    var file = try encoding.file(of: picture)
    if format == .png {
      file = PNGChunks.written(into: file, palette: palette, profile: profile, coding: coding)
    } else if format == .gif {
      file = GIFFile.written(profile, into: file)
    }
    return kept.written(into: file, format: format, density: density)
  }

  /// The density that the result states, in pixels an inch; nil where the source states none or it is left out.
  private var density: PixelDensity? {
    guard options.metadata != .stripAll else { return nil }
    return isTransposed ? info.density?.transposed : info.density
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

  /// A GIF of exactly the picture's colours; nil where the options ask for others.
  private mutating func gif(_ picture: Picture) throws -> Data? {
    var coder = AnimatedGIF(
      width: picture.width, height: picture.height, timing: AnimationTiming(info),
      isExactOnly: true)
    do {
      try coder.add(FrameRaster(picture))
      let file = try coder.finish()
      isLossless = isExact && format == info.format
      return file
    } catch is TooManyColours {
      return nil
    }
  }

  /// How the format is coded, as far as that does not depend on the pixels.
  var encoding: Encoding {
    var encoding = Encoding(
      format: format, quality: options.quality ?? sourceQuality ?? ResultOptions.usualQuality,
      subsampling: options.subsampling ?? keptSubsampling ?? .s420,
      isProgressive: options.isProgressive)
    encoding.isExactWebP = format == .webp && storesFlatColours
    return encoding
  }

  /// Whether the source is coded without loss in a way that distinguishes drawings from photographs.
  private var storesFlatColours: Bool {
    switch info.format {
    case .webp: storesWebPExactly()
    case .gif: true
    case .png, .tiff: info.color == .palette
    case .jpeg, .heic, .avif: false
    }
  }

  /// What stays of the metadata beside `picture`, the result.
  mutating func keptMetadata(of picture: Picture) -> KeptMetadata {
    let kept = KeptMetadata(
      metadata, policy: options.metadata, info: info, format: format,
      size: (picture.width, picture.height), isSRGB: hasNewColors, provenance: options.provenance)
    warnings += kept.warnings
    return kept
  }

  /// What says how the colours of `picture`, the result, are coded.
  mutating func keptColours(of picture: Picture) -> (profile: [UInt8]?, coding: ColorCoding?) {
    let points = codePoints
    if let points, points.isHighDynamicRange {
      if hasNewColors {
        warnings.append(.lightCutOff)
      } else if !format.holdsCodePoints {
        warnings.append(.lightInProfile)
      }
    }
    guard !hasNewColors else { return (nil, nil) }
    let profile = picture.bytes(Field.profile)
    let isOwn = profile != nil && profile != standIn(info.colorCoding, for: picture)
    switch format {
    case .png where info.format == .png:
      // What the PNG itself says of its colours goes on saying it.
      return isOwn ? (profile, nil) : (nil, info.colorCoding)
    case .png, .heic, .avif:
      // A profile of the file's own counts before its code points, except for more light than it knows.
      guard let points, !isOwn || points.isHighDynamicRange else { return (profile, nil) }
      // Programs that don't read code points in a PNG may read the profile.
      guard format == .png else { return (isOwn ? profile : nil, .codePoints(points)) }
      // Programs that don't read code points in a PNG may read the profile.
      let ofRGB = ColorCodePoints(
        primaries: points.primaries, transfer: points.transfer, matrix: 0, isFullRange: true)
      return (profile, .codePoints(ofRGB))
    case .jpeg, .webp, .gif, .tiff: return (profile, nil)
    }
  }

  /// The code points of the source, as far as they say something.
  private var codePoints: ColorCodePoints? {
    guard case .codePoints(let points) = info.colorCoding, points.primaries != 2,
      points.transfer != 2
    else { return nil }
    return points
  }

  /// The picture in colours, depth and transparency that the format holds.
  mutating func fitted() throws(VipsFailure) -> Picture {
    var result = picture
    if format.isHEIF, let standIn = standIn(info.colorCoding, for: result),
      codePoints != nil, !options.convertsToSRGB, result.bytes(Field.profile) == standIn
    {
      // Code points say it there, of gray too.
      result = try result.withoutProfile()
    }
    if format != .tiff, result.bands > result.colourBands + 1 {
      result = try result.withoutFurtherChannels()
      warnings.append(.channelsDropped)
      isExact = false
    }
    // Few programs look for a profile in a GIF, so it gets none but the one that its source has.
    let isHeld = result.isHeld(by: format) || (format == .gif && info.format == .gif)
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
    if !format.holdsWideSamples, result.format == VIPS_FORMAT_USHORT {
      result = try result.narrowed()
      isExact = false
    }
    return result
  }

  /// The source's subsampling as it is once its rows have become columns, if they do.
  private var keptSubsampling: ChromaSubsampling? {
    switch info.subsampling {
    case .s422 where isTransposed: .s440
    case .s440 where isTransposed: .s422
    // What has fewer columns only has no counterpart with as many rows less.
    case .s411 where isTransposed: .s420
    case let kept: kept
    }
  }

  /// The bits of a sample where they are fewer than its type holds.
  private func bitDepth(of picture: Picture) -> Int? {
    switch format {
    case .png, .tiff:
      let isGray = picture.bands == 1 && picture.format == VIPS_FORMAT_UCHAR
      guard isExact, isGray, info.color == .gray, info.bitDepth < 8, info.format == format else {
        return nil
      }
      // libvips 8.14 packs the last of an odd number of 4-bit samples wrongly.
      if format == .tiff, info.bitDepth == 4, picture.width % 2 == 1 { return nil }
      return info.bitDepth
    case .heic, .avif:
      guard picture.format == VIPS_FORMAT_USHORT else { return 8 }
      // The AV1 encoder aborts or writes nothing at 10 bits (libaom 3.6 under libheif 1.15).
      return info.bitDepth == 12 || format == .avif ? 12 : 10
    default: return nil
    }
  }

  /// Whether pixels may be numbers of colours.
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
    // Fax codes are for one bit a pixel.
    case .fax4: return isExact && info.bitDepth == 1 ? compression : .deflate
    // libvips leaves alpha out of it.
    case .jpeg: return picture.hasAlpha ? .deflate : compression
    default: return compression
    }
  }

  /// Whether a WebP source is coded without loss: a chunk VP8L (RFC 9649), perhaps inside a frame.
  private func storesWebPExactly() -> Bool {
    var head = [UInt8](repeating: 0, count: 4096)
    let count = head.withUnsafeMutableBytes { (try? source.read(into: $0, at: 0)) ?? 0 }
    let known = head.prefix(count)
    func position(of name: String) -> Int? {
      known.firstRange(of: Array(name.utf8))?.lowerBound
    }
    guard let exact = position(of: "VP8L") else { return false }
    return position(of: "VP8 ").map { exact < $0 } ?? true
  }
}

extension Encoding {
  /// Whether every sample is coded as it is.
  fileprivate var isExact: Bool {
    switch format {
    case .png: true
    case .tiff: tiff.isExact
    case .webp: isExactWebP
    case .jpeg, .gif, .heic, .avif: false
    }
  }
}
