import CropCore
import CropKernels

extension CropEngine {
  /// Makes a crop of at most `bytes` bytes: the normal result if it is small enough, otherwise the
  /// one with the highest quality that is.
  ///
  /// - Throws: also `CropError.tooManyBytes` if quality 30 is not enough or the format has no
  ///   quality, and `CropError.usage` for an animation, before anything is decoded.
  func crop(
    _ picture: OpenedImage, recipe: PageRecipes, options: ResultOptions, atMost bytes: Int,
    isReplacing: Bool
  ) throws(CropError) -> CropResult {
    let info = picture.info
    guard bytes > 0 else {
      throw .usage(detail: "a file of \(bytes) bytes is not allowed; use 1 or more")
    }
    guard !options.animates(info) else {
      throw .usage(
        detail: "\(picture.source.name): a limit of bytes is not supported for animations; "
          + "choose one frame, or remove the limit")
    }
    var options = options
    options.maxBytes = nil
    let lossless = try result(
      of: picture, recipe: recipe, options: options, isReplacing: isReplacing)
    if lossless.byteCount <= bytes { return lossless }
    let format = options.format ?? info.format
    if options.quality == .lossless {
      throw .tooManyBytes(
        file: picture.source.name, reached: lossless.byteCount, allowed: bytes, quality: nil)
    }
    options.lossless = .never
    let best = options.quality?.level ?? lossless.quality ?? ResultOptions.defaultQuality
    // The first result counts as an attempt if the encoder made it.
    var first = lossless.isLossless && format.hasQuality ? nil : lossless
    var search = QualitySearch(from: best)
    var found: CropResult?
    var reached = 0
    while let quality = search.next {
      var result: CropResult
      if let made = first {
        result = made
        first = nil
      } else {
        options.quality = .level(quality)
        result = try self.result(of: picture, recipe: recipe, options: options)
        result.quality = quality
      }
      reached = result.byteCount
      if reached <= bytes { found = result }
      search.note(isSmallEnough: reached <= bytes, hasQuality: format.hasQuality)
    }
    guard var found else {
      throw .tooManyBytes(
        file: picture.source.name, reached: reached, allowed: bytes,
        quality: format.hasQuality ? min(best, QualitySearch.least) : nil)
    }
    found.obstacle = lossless.obstacle
    return found
  }
}
