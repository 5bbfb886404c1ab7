import CropCore

/// Recipe and picture in, picture out.
///
/// The engine tells formats apart, reads headers, checks limits, whole files and recipes, and only
/// then hands a picture to its ``PixelBackend``. It never changes a recipe: one that does not fit is
/// refused.
public struct CropEngine: Sendable {
  /// What decodes and encodes pixels.
  public let backend: any PixelBackend
  /// What one picture may cost.
  public let limits: Limits

  /// An engine over `backend`.
  public init(backend: any PixelBackend, limits: Limits = Limits()) {
    self.backend = backend
    self.limits = limits
  }

  /// What the header tells, without decoding a pixel.
  ///
  /// - Throws: what is wrong with the file, its format or its size.
  public func info(_ source: PictureSource) throws(CropError) -> ImageInfo {
    throw .unsupportedFormat(file: source.name, found: nil)
  }

  /// Carries out `recipe` on the picture in `source`.
  ///
  /// - Throws: what is wrong with the file, the recipe or the options.
  public func crop(
    _ source: PictureSource, recipe: CropRecipe, options: ResultOptions = ResultOptions()
  ) throws(CropError) -> CropResult {
    let info = try info(source)
    do {
      let crop = try recipe.resolved(for: info.shown)
      return try backend.crop(source, info: info, crop: crop, options: options, limits: limits)
    } catch let error as CropError {
      throw error
    } catch {
      throw .invalidRecipe(file: source.name, detail: "\(error)")
    }
  }

  /// A small upright sRGB picture of the whole, of at most `maxSide` pixels a side, never enlarged:
  /// JPEG, or PNG where there is transparency.
  ///
  /// - Throws: what is wrong with the file or `maxSide`.
  public func preview(_ source: PictureSource, maxSide: Int) throws(CropError) -> CropResult {
    guard (1...RecipeError.largestOutputSide).contains(maxSide) else {
      throw .usage(detail: "a preview has 1 to \(RecipeError.largestOutputSide) pixels a side")
    }
    let options = ResultOptions(metadata: .stripAll, convertsToSRGB: true, isLenient: true)
    return try backend.preview(
      source, info: try info(source), maxSide: maxSide, options: options, limits: limits)
  }
}
