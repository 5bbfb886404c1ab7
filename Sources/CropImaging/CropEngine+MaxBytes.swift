import CropCore

/// The quality of a result that may have so many bytes at most.
///
/// The page's element has the same rule: `atMost` in `Web/Element/cut.js`.
struct QualitySearch {
  /// The least quality that is taken; below it a picture is worth less than a smaller one.
  static let least = 30
  /// How often the result is encoded at most.
  static let mostEncodings = 8

  /// The best of the results that are small enough; nil where none is, with the size that was reached.
  ///
  /// - Parameters:
  ///   - best: the highest quality, which is tried first.
  ///   - hasQuality: whether another quality gives another size.
  ///   - encode: makes the result of a quality, which gets better and larger with it.
  static func best<Result>(
    of best: Int, atMost bytes: Int, hasQuality: Bool, size: (Result) -> Int,
    encode: (Int) throws(CropError) -> Result
  ) throws(CropError) -> (result: Result?, reached: Int) {
    let first = try encode(best)
    if size(first) <= bytes { return (first, size(first)) }
    guard hasQuality, best > least else { return (nil, size(first)) }
    var found = try encode(least)
    guard size(found) <= bytes else { return (nil, size(found)) }
    var (low, high) = (least, best)
    var encodings = 2
    // Every step halves what is left.
    while encodings < mostEncodings, high - low > 1 {
      let middle = (low + high) / 2
      let result = try encode(middle)
      encodings += 1
      if size(result) <= bytes { (low, found) = (middle, result) } else { high = middle }
    }
    return (found, size(found))
  }
}

extension CropEngine {
  /// Carries out `recipe` so that the result has at most `bytes` bytes: as it would be without, if that
  /// is small enough; else encoded with the best quality that is.
  ///
  /// - Throws: also `CropError.tooManyBytes` where quality 30 is not enough, or the format has none, and
  ///   `CropError.usage` for an animation, before anything is decoded.
  func crop(
    _ picture: OpenedPicture, recipe: CropRecipe, options: ResultOptions, atMost bytes: Int,
    isReplacing: Bool
  ) throws(CropError) -> CropResult {
    let info = picture.info
    guard bytes > 0 else {
      throw .usage(detail: "a file of \(bytes) bytes can't be; use 1 or more")
    }
    guard !options.animates(info) else {
      throw .usage(
        detail: "\(picture.source.name): an animation can't be fitted into so many bytes; take "
          + "one of its frames, or leave the limit out")
    }
    var options = options
    options.maxBytes = nil
    let lossless = try result(
      of: picture, recipe: recipe, options: options, isReplacing: isReplacing)
    if lossless.byteCount <= bytes { return lossless }
    let format = options.format ?? info.format
    options.lossless = .never
    let best = options.quality ?? lossless.quality ?? ResultOptions.usualQuality
    // The first result counts, unless it was none of the encoder's.
    var first = lossless.isLossless && format.hasQuality ? nil : lossless
    let (found, reached) = try QualitySearch.best(
      of: best, atMost: bytes, hasQuality: format.hasQuality, size: \.byteCount
    ) { quality throws(CropError) in
      if let result = first {
        first = nil
        return result
      }
      options.quality = quality
      var result = try result(of: picture, recipe: recipe, options: options)
      result.quality = quality
      return result
    }
    guard let found else {
      throw .tooManyBytes(
        file: picture.source.name, reached: reached, allowed: bytes,
        quality: format.hasQuality ? min(best, QualitySearch.least) : nil)
    }
    return found
  }
}
