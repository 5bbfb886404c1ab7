import CropCore
import CropFormats

/// What the engine does for a crop, decided from the request and the header of its image alone.
///
/// A crop follows its plan; a dry run shows it. Only what the data of the file show later
/// (damage, pixels, the size of the result's file) is not in it.
public struct CropPlan: Sendable {
  /// How the result is made.
  public enum Route: String, Sendable, Codable {
    /// The file is copied, without the metadata that must go.
    case copy
    /// The properties that orient a HEIC or AVIF are changed.
    case turnItems = "turn-items"
    /// Coded blocks of a JPEG are copied.
    case cutJPEG = "cut-jpeg"
    /// The necessary part of a JPEG is decoded, and encoded as a JPEG.
    case recodeJPEG = "recode-jpeg"
    /// Each page is made like an image.
    case pages
    /// Pixels are decoded, changed and encoded.
    case pixels
  }

  /// Where a C library reads the bytes of the file.
  public enum Process: String, Sendable, Codable {
    /// In no process: only Swift code reads them.
    case none
    /// In a worker, if the engine has any.
    case worker
  }

  /// The routes in the order in which they are tried: the first one is taken unless the data of the
  /// file turn out to be damaged or can't be edited.
  public let routes: [Route]
  /// Where a C library reads the bytes of the file.
  public let process: Process
  /// The format of the result.
  public let format: ImageFormat
  /// The size of the result, in pixels.
  public let size: FrameSize
  /// The rectangle that is cut, in pixels of the frame.
  public let rect: FrameRect
  /// Whether every kept pixel is coded as in the source; nil if that depends on the pixels or on the
  /// size of the result's file.
  public let isLossless: Bool?
  /// Why a JPEG is re-encoded although a lossless crop is allowed.
  public let obstacle: LosslessObstacle?
  /// Why the gain map of the image is left out of the result; nil if it has none, or it is kept.
  public let gainMapObstacle: String?
  /// Warnings that the header is enough for.
  public let warnings: [CropWarning]

  /// Warnings about the density of the result.
  public let remarks: [CropWarning]

  /// What happens to the density that the source states.
  let density: DensityEdit
  /// The crop, scaled as on its canvas.
  let crop: ResolvedCrop
  /// The options, without a size, which the crop has, and without a canvas that shows nothing.
  let options: ResultOptions
  /// The plan for the blocks of a JPEG that stays one.
  let jpeg: JPEGJobPlan?
  /// The size of the result if its pixels are not those of a JPEG's blocks.
  let pixelSize: FrameSize

  /// The plan for a crop of `picture`.
  ///
  /// - Throws: an error for an invalid recipe or option, and for a result that is larger than
  ///   `limits` allow; nil allows every size.
  init(
    _ recipe: CropRecipe, of picture: OpenedImage, _ asked: ResultOptions, limits: Limits?
  ) throws(CropError) {
    let (info, name) = (picture.info, picture.source.name)
    try asked.checkCoding(as: asked.format ?? info.format)
    let (sized, fit) = try asked.fitted(recipe, on: info.shown)
    var crop = try picture.resolved(sized)
    var options = asked.withoutSize
    let layout = try options.layout(of: crop, file: name)
    if let layout { crop = crop.scaled(to: layout.crop.size) }
    if let layout, !layout.shows(options.canvasFill, beside: crop, of: info) {
      options = options.withoutCanvas
    }
    let sheet = try fit.flatMap { (fit) throws(CropError) in
      try asked.printSheet(of: crop.output, fit.density)
    }
    pixelSize = sheet?.size ?? layout?.size ?? crop.output
    format = options.format ?? info.format
    density = Self.density(asked, fit, crop, of: info)
    remarks = Self.remarks(asked, fit, format)
    try limits?.check(pixelSize, of: crop, from: info, as: format, file: name)
    try options.checkPages(of: info, file: name)
    if let limits { try options.checkFrames(of: info, file: name, limits: limits) }
    jpeg = JPEGJobPlan(PixelRequest(picture.source, info: info, crop: crop, options: options))
    routes = Self.routes(info, crop, options, jpeg)
    size = routes[0] == .cutJPEG || routes[0] == .recodeJPEG ? jpeg?.size ?? pixelSize : pixelSize
    rect = jpeg?.plan.frameRect.rect ?? crop.rect
    let isCutHere = info.isCuttable && !routes.contains(.pages) && routes[0] != .pixels
    process = isCutHere ? .none : .worker
    isLossless =
      switch routes[0] {
      case .copy, .turnItems, .cutJPEG: options.maxBytes == nil ? true : nil
      default: info.format == .jpeg ? false : picture.isExact(crop, options)
      }
    let mayBeLossless = info.format == .jpeg && format == .jpeg && options.lossless != .never
    obstacle = isLossless == false && mayBeLossless ? jpeg.map(\.obstacle) ?? .newPixels : nil
    let isKept = routes[0] == .copy || routes[0] == .turnItems
    gainMapObstacle =
      isKept || options.hdr == .drop ? nil : info.gainMapObstacle(format, options, crop)
    warnings = CropWarning.merged(
      info.warnings, gainMapObstacle.map { [.hdrDropped($0)] } ?? [],
      info.hasAlpha && !format.holdsAlpha ? [.alphaFlattened] : [])
    (self.crop, self.options) = (crop, options)
  }

  /// What happens to the density of the source.
  ///
  /// One that is asked for is stated. Otherwise a resized result states the source's, scaled like
  /// its pixels, so that it prints at the same size.
  private static func density(
    _ asked: ResultOptions, _ fit: CropPrint.Fit?, _ crop: ResolvedCrop, of info: ImageInfo
  ) -> DensityEdit {
    let format = asked.format ?? info.format
    guard format.statesDensity else { return .kept }
    if let fit { return .stated(fit.density) }
    if let dpi = asked.dpi { return .stated(PixelDensity(dpi: dpi)) }
    let isTransposed = info.orientation.followed(by: crop.orientation).isTransposing
    var own = isTransposed ? info.density?.transposed : info.density
    if own?.isPlaceholder == true || asked.metadata == .stripAll { own = nil }
    guard crop.output != crop.rectSize || crop.quad != nil else {
      // Other formats have it in EXIF, which is kept.
      let isLost = format != info.format && !format.holdsDensity
      return isLost ? own.map { .stated($0) } ?? .kept : .kept
    }
    guard let own, crop.quad == nil else { return .dropped }
    return .stated(
      PixelDensity(
        across: own.across * Double(crop.output.width) / crop.rect.width,
        down: own.down * Double(crop.output.height) / crop.rect.height))
  }

  private static func remarks(
    _ asked: ResultOptions, _ fit: CropPrint.Fit?, _ format: ImageFormat
  ) -> [CropWarning] {
    var remarks: [CropWarning] = []
    if let fit, fit.isShort, let print = asked.print {
      remarks.append(.lowDensity(print, has: fit.part))
    }
    if asked.dpi != nil || fit != nil, !format.statesDensity {
      remarks.append(.densityLeftOut(format))
    }
    return remarks
  }

  private static func routes(
    _ info: ImageInfo, _ crop: ResolvedCrop, _ options: ResultOptions, _ jpeg: JPEGJobPlan?
  ) -> [Route] {
    var routes: [Route] = []
    if crop.isIdentity, options.sheet == nil, options.keepPixels(of: info),
      options.metadata.keepsAll(of: info) || info.format.isCopied
    {
      routes.append(.copy)
    }
    if crop.isTurn, options.keepPixelsTurned(of: info) { routes.append(.turnItems) }
    if options.takesPages(of: info) { return routes + [.pages] }
    switch jpeg?.plan.way {
    case .lossless: routes.append(.cutJPEG)
    case .reencoded: routes.append(.recodeJPEG)
    case nil: routes.append(.pixels)
    }
    return routes
  }
}

extension ImageFormat {
  /// Whether a file can state a density for printing.
  fileprivate var statesDensity: Bool { holdsDensity || metadata.contains(.exif) }
}

extension Limits {
  /// Throws for a result that is too large, before any work is done.
  fileprivate func check(
    _ size: FrameSize, of crop: ResolvedCrop, from info: ImageInfo, as format: ImageFormat,
    file: String
  ) throws(CropError) {
    // A larger image can't be encoded, but an existing file of that size can be cropped losslessly.
    let mayBeCut = format == info.format && crop.keepsPixels && size == crop.output
    guard mayBeCut || max(size.width, size.height) <= format.largestSide else {
      throw .usage(
        detail: "\(file): \(format.displayName) holds at most \(format.largestSide) pixels "
          + "per side; choose another format or a smaller size")
    }
    let asked = size.width * size.height
    let allowed = outputPixels(from: info.shown.width * info.shown.height)
    guard asked <= allowed else {
      throw .limitExceeded(
        file: "the result of \(file)",
        limit: output == nil && allowed == pixels ? .pixels : .output,
        actual: asked, allowed: allowed)
    }
  }
}

extension OpenedImage {
  /// Whether every kept pixel of a crop in another format than JPEG is coded as it was; nil if that
  /// depends on the pixels.
  fileprivate func isExact(_ crop: ResolvedCrop, _ options: ResultOptions) -> Bool? {
    guard options.format ?? info.format == info.format, crop.keepsPixels,
      options.surroundings == nil, options.sheet == nil, !options.convertsToSRGB,
      options.depth.map({ $0.bits == info.bitDepth }) ?? true
    else { return false }
    let isForced = options.quality == .lossless
    if info.format.hasExactCoding, options.lossless == .never, !isForced { return false }
    guard info.frameCount == 1, options.maxBytes == nil else { return nil }
    switch info.format {
    case .png: return true
    case .gif, .tiff: return nil
    default:
      return info.format.hasExactCoding && (isForced || Inspection.isCodedExactly(source))
    }
  }
}

extension PlannedCrop {
  /// What an engine with these limits does for the crop.
  ///
  /// - Throws: what making the crop would throw before it decodes pixels.
  public func plan(limits: Limits) throws(CropError) -> CropPlan {
    try CropPlan(recipe, of: picture, options, limits: limits)
  }
}
