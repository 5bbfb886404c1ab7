import CVips
import CropCore
import CropImaging
import Foundation

/// Makes a finished picture fit its format, codes it, and gives it the metadata it keeps.
struct PictureOutput {
  /// The cut pixels.
  let picture: Picture
  let source: PictureSource
  let info: ImageInfo
  let options: ResultOptions
  let metadata: SourceMetadata
  /// Whether the pixels are those of the source, moved at most.
  private(set) var isExact: Bool
  /// The frame or page, from 0.
  let page: Int
  /// Whether the file holds every pixel exactly as the source does.
  private(set) var isLossless = false
  private(set) var warnings: [CropWarning] = []

  init(
    _ picture: Picture, source: PictureSource, info: ImageInfo, options: ResultOptions,
    metadata: SourceMetadata, isExact: Bool, page: Int
  ) {
    self.picture = picture
    self.source = source
    self.info = info
    self.options = options
    self.metadata = metadata
    self.isExact = isExact
    self.page = page
  }

  private var format: PictureFormat { options.format ?? info.format }

  /// The file.
  mutating func finished(limits: Limits) throws -> Data {
    var picture = try fitted()
    var encoding = Encoding(
      format: format, quality: options.quality,
      subsampling: options.subsampling ?? info.subsampling ?? .s420,
      isProgressive: options.isProgressive)
    try checkSubsampling()
    encoding.bitDepth = bitDepth(of: picture)
    if format == .tiff { encoding.tiff = tiffCompression() }
    encoding.isExactWebP = format == .webp && info.format == .webp && storesWebPExactly()

    var palette: Palette?
    if isPaletted, fitsMemory(picture, limits) {
      picture = try picture.inMemory()
      palette = try Palette(picture)
    }
    picture = try picture.relabelled()
    let kept = KeptMetadata(
      metadata, policy: options.metadata, info: info, format: format,
      size: (picture.width, picture.height), isSRGB: options.convertsToSRGB)
    warnings += kept.warnings
    let profile = options.convertsToSRGB ? nil : picture.bytes(Field.profile)
    picture.removeMetadata()
    if let profile, format != .gif { picture.set(Field.profile, to: profile) }
    if let palette, format == .png, encoding.bitDepth == nil {
      picture = try Picture(
        samples: palette.indexes, width: picture.width, height: picture.height)
      encoding.bitDepth = palette.bitDepth
    }
    try kept.attach(to: picture, format: format)
    if let palette, format == .gif,
      let file = GIFFile.coded(palette, width: picture.width, height: picture.height)
    {
      isLossless = isExact && format == info.format
      return file
    }
    isLossless = isExact && format == info.format && encoding.isExact
    let file = try encoding.file(of: picture)
    return kept.written(into: file, format: format, palette: palette, profile: profile)
  }

  /// The picture in colours, depth and transparency that the format holds.
  private mutating func fitted() throws(VipsFailure) -> Picture {
    var result = picture
    if options.convertsToSRGB || !result.isHeld(by: format) {
      result = try result.inSRGB()
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

  /// libvips codes chroma at full or at quarter resolution.
  private func checkSubsampling() throws(CropError) {
    guard format == .jpeg, let asked = options.subsampling else { return }
    guard asked == .s444 || asked == .s420 else {
      throw .unsupportedFeature(
        file: source.name, feature: "writing JPEG with 4:\(asked.rawValue.dropFirst()) subsampling")
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
      return info.bitDepth
    case .heic, .avif:
      guard picture.format == VIPS_FORMAT_USHORT else { return 8 }
      // The AV1 encoder aborts or writes nothing at 10 bits (libaom 3.6 under libheif 1.15).
      return info.bitDepth == 12 || format == .avif ? 12 : 10
    default: return nil
    }
  }

  private var isPaletted: Bool {
    isExact && (info.color == .palette || info.format == .gif)
      && (format == .png || format == .gif)
  }

  private func fitsMemory(_ picture: Picture, _ limits: Limits) -> Bool {
    picture.width * picture.height * (2 * picture.bytesPerPixel + 2) <= limits.memory / 2
  }

  private func tiffCompression() -> TIFFCompression {
    guard info.format == .tiff, let tag = TIFFDirectory(source, page: page)?.compression else {
      return .deflate
    }
    let compression = TIFFCompression(tag: tag)
    // Fax codes are for one bit a pixel.
    return compression == .fax4 && !(isExact && info.bitDepth == 1) ? .deflate : compression
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
