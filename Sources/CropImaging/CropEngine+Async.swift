import CropCore
import CropSystem

/// The methods for tasks: they do not block the threads that tasks share.
extension CropEngine {
  /// Crops the image in `source`, when its turn comes (``scheduler``).
  ///
  /// Cancelling the task cancels the crop: see ``CropScheduler/perform(cost:until:_:)``. If the
  /// recipe changes nothing and the options allow it, the file is copied.
  ///
  /// - Throws: an error for an invalid file, recipe or option; `CropError.busy(retryAfter:)` if too
  ///   many images wait, `CropError.cancelled`.
  public func crop(
    _ source: ImageSource, recipe: CropRecipe, options: ResultOptions = ResultOptions()
  ) async throws(CropError) -> CropResult {
    try await scheduler.perform(cost: source.cost) { () throws(CropError) in
      try crop(source, recipe: recipe, options: options)
    }
  }

  /// Crops an image that was opened with the leniency and page of `options`, when its turn comes.
  ///
  /// - Throws: as for a source.
  public func crop(
    _ picture: OpenedImage, recipe: CropRecipe, options: ResultOptions = ResultOptions()
  ) async throws(CropError) -> CropResult {
    try await scheduler.perform(cost: picture.source.cost) { () throws(CropError) in
      try crop(picture, recipe: recipe, options: options)
    }
  }

  /// A small upright sRGB version of the complete image, as the blocking method makes it, when its
  /// turn comes.
  ///
  /// - Throws: an error for an invalid file, or a `maxSide` outside 1 to 65,535;
  ///   `CropError.busy(retryAfter:)`, `CropError.cancelled`.
  public func preview(
    _ source: ImageSource, maxSide: Int, format: ImageFormat? = nil, hdr: HDRMode = .drop,
    isLenient: Bool = false
  ) async throws(CropError) -> CropResult {
    try await scheduler.perform(cost: source.cost) { () throws(CropError) in
      try preview(source, maxSide: maxSide, format: format, hdr: hdr, isLenient: isLenient)
    }
  }
}
