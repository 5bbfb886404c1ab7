import CropCore
import CropFormats

extension CropEngine {
  /// A crop whose numbers, size and pages are allowed, as far as the header of its image shows.
  struct CheckedCrop {
    /// The crop, scaled as on its canvas.
    let crop: ResolvedCrop
    /// The options, without a size, which the crop has, and without a canvas that shows nothing.
    let options: ResultOptions
    /// The requested size of the result.
    let size: FrameSize
  }

  /// Checks a crop before any work is done.
  ///
  /// - Throws: an error for an invalid recipe or option, and for a result that is too large.
  func checkedCrop(
    of picture: OpenedPicture, by recipe: CropRecipe, _ asked: ResultOptions
  ) throws(CropError) -> CheckedCrop {
    let (info, name) = (picture.info, picture.source.name)
    try asked.checkCoding(as: asked.format ?? info.format)
    var crop = try picture.resolved(asked.sized(recipe))
    var options = asked.withoutSize
    let layout = try options.layout(of: crop, file: name)
    if let layout { crop = crop.scaled(to: layout.crop.size) }
    if let layout, !layout.shows(options.canvasFill, beside: crop, of: info) {
      options = options.withoutCanvas
    }
    let size = layout?.size ?? crop.output
    try checkSize(size, of: crop, from: info, as: options.format ?? info.format, file: name)
    try options.checkPages(of: info, file: name)
    try options.checkFrames(of: info, file: name, limits: limits)
    return CheckedCrop(crop: crop, options: options, size: size)
  }

  /// Throws for a result that is too large, before any work is done.
  private func checkSize(
    _ size: FrameSize, of crop: ResolvedCrop, from info: ImageInfo, as format: PictureFormat,
    file: String
  ) throws(CropError) {
    // A larger image can't be encoded, but an existing file of that size can be cropped losslessly.
    let mayBeCut = format == info.format && crop.keepsPixels && size == crop.output
    guard mayBeCut || max(size.width, size.height) <= format.largestSide else {
      throw .usage(
        detail: "\(file): \(format.displayName) holds at most \(format.largestSide) pixels "
          + "per side; choose another format or a smaller size")
    }
    let pixels = size.width * size.height
    let allowed = limits.outputPixels(from: info.shown.width * info.shown.height)
    guard pixels <= allowed else {
      let limit: CropError.Limit =
        limits.output == nil && allowed == limits.pixels ? .pixels : .output
      throw .limitExceeded(
        file: "the result of \(file)", limit: limit, actual: pixels, allowed: allowed)
    }
  }
}

/// Whether a crop will be lossless, as far as the header of its image shows.
public struct LosslessForecast: Sendable, Equatable {
  /// Nil if it depends on the pixels or on the size of the result's file.
  public let isLossless: Bool?
  /// Why it will not be lossless although that was allowed.
  public let obstacle: LosslessObstacle?
}

extension CropEngine {
  /// Checks a crop as far as the header of its image allows, and predicts whether it will be
  /// lossless.
  ///
  /// - Throws: what making the crop would throw before it decodes pixels.
  public func forecast(_ planned: PlannedCrop) throws(CropError) -> LosslessForecast {
    let info = planned.picture.info
    let checked = try checkedCrop(of: planned.picture, by: planned.recipe, planned.options)
    let crop = checked.crop
    var options = checked.options
    options.maxBytes = nil
    let plan = info.storedJPEG.flatMap { JPEGJobPlan(info, crop, options, grid: $0.grid) }
    let isKept =
      crop.isIdentity && options.keepPixels(of: info)
      || crop.isTurn && options.keepPixelsTurned(of: info)
    if isKept || (plan?.plan.way == .lossless && info.bitDepth == 8) {
      return LosslessForecast(
        isLossless: checked.options.maxBytes == nil ? true : nil, obstacle: nil)
    }
    guard info.format != .jpeg else {
      let isAsked = planned.format == .jpeg && options.lossless != .never
      return LosslessForecast(
        isLossless: false, obstacle: isAsked ? plan.map(\.obstacle) ?? .newPixels : nil)
    }
    return LosslessForecast(
      isLossless: planned.picture.isExact(crop, checked.options), obstacle: nil)
  }
}

extension OpenedPicture {
  /// Whether every kept pixel of a crop in another format than JPEG is coded as it was; nil if that
  /// depends on the pixels.
  fileprivate func isExact(_ crop: ResolvedCrop, _ options: ResultOptions) -> Bool? {
    guard options.format ?? info.format == info.format, crop.keepsPixels,
      options.surroundings == nil, !options.convertsToSRGB,
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
