import CropCore

/// The interface to code that decodes, resamples and encodes pixels: one image in, one image out.
///
/// A backend only receives images that ``CropEngine`` has checked: a known format, undamaged
/// (unless `options.isLenient`), within `limits`, with a crop that fits its size. Calls may come
/// from several threads at the same time. A backend blocks its caller until it finishes.
public protocol PixelBackend: Sendable {
  /// Cuts `request.crop` from `request.source`.
  ///
  /// The crop is in image and frame space: the backend applies `info.orientation` to the stored
  /// pixels first. The result is upright, with orientation 1, except that a JPEG that is cut
  /// losslessly may keep its stored pixels and state their orientation. It contains nothing of what
  /// was cut off. A large result may be written to `request.sink` while it is encoded;
  /// ``CropResult/file`` states this.
  ///
  /// - Throws: `CropError.corrupt` and similar errors for damage that only decoding detects.
  func crop(_ request: PixelRequest) throws(CropError) -> CropResult

  /// A small upright sRGB version of the complete image, of at most `maxSide` pixels per side,
  /// never enlarged: JPEG, or PNG or WebP if there is transparency (`options.format` decides if it
  /// is set).
  ///
  /// It shows the first frame of an animation; all frames are decoded if `options.page` is `all`.
  ///
  /// - Throws: as ``crop(_:)``.
  func preview(
    _ source: ImageSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult

  /// Checks that the complete image can be decoded, and returns warnings.
  ///
  /// - Throws: as ``crop(_:)``.
  func check(
    _ source: ImageSource, info: ImageInfo, limits: Limits
  ) throws(CropError) -> [CropWarning]

  /// The area inside the uniform border of the image of `request`, as `BorderedPixels` determines
  /// it; for an animation, the union over all frames. The crop of `request` must be the complete
  /// image. Nil for an image of one color.
  ///
  /// - Throws: as ``crop(_:)``.
  func insideBorder(_ request: PixelRequest, tolerance: Int) throws(CropError) -> ImageRect?

  /// The corners of the sheet, the painting or the screen that stands out most in the upright image,
  /// as `SheetFinder` finds them; nil if there is none. It is searched for in the page of `options`,
  /// or its first frame.
  ///
  /// - Throws: as ``crop(_:)``.
  func sheet(
    in source: ImageSource, info: ImageInfo, options: ResultOptions, limits: Limits
  ) throws(CropError) -> Quad?

  /// Loads everything that the backend would otherwise load for its first image (modules, tables),
  /// so that it opens no files later.
  ///
  /// - Throws: `CropError.componentMissing` if a library is missing.
  func warmUp() throws(CropError)
}

extension PixelBackend {
  /// Decodes the complete image, including all frames of an animation, for a small preview.
  public func check(
    _ source: ImageSource, info: ImageInfo, limits: Limits
  ) throws(CropError) -> [CropWarning] {
    _ = try preview(
      source, info: info, maxSide: 64,
      options: ResultOptions(metadata: .stripAll, convertsToSRGB: true, page: .all),
      limits: limits)
    return []
  }

  /// Throws an error, because not every backend can find borders.
  public func insideBorder(
    _ request: PixelRequest, tolerance: Int
  ) throws(CropError) -> ImageRect? {
    throw .unsupportedFeature(file: request.source.name, feature: "finding borders")
  }

  /// Throws an error, because not every backend can find corners.
  public func sheet(
    in source: ImageSource, info: ImageInfo, options: ResultOptions, limits: Limits
  ) throws(CropError) -> Quad? {
    throw .unsupportedFeature(file: source.name, feature: "finding corners")
  }

  /// Does nothing: there is nothing to load.
  public func warmUp() throws(CropError) {}
}
