import CropCore

/// The boundary to what decodes, resamples and encodes pixels: one picture in, one picture out.
///
/// A backend is only ever given pictures that ``CropEngine`` has let through: a known format, whole
/// (unless `options.isLenient`), within `limits`, with a crop that was checked against its size.
/// Calls may come from several threads at once. A backend blocks its caller until it is done.
public protocol PixelBackend: Sendable {
  /// Cuts `request.crop` out of `request.source`.
  ///
  /// The crop is in image and frame space: the backend applies `info.orientation` to the stored pixels
  /// first. The result is upright, with orientation 1 (a JPEG cut without loss may keep its stored
  /// pixels and say how to show them), and holds nothing of what was cut away. A large result may be
  /// written to `request.sink` while it is made, and then says so.
  ///
  /// - Throws: `CropError.corrupt` and its like for what only decoding shows.
  func crop(_ request: PixelRequest) throws(CropError) -> CropResult

  /// A small upright sRGB picture of the whole, of at most `maxSide` pixels a side, never enlarged:
  /// JPEG, or PNG or WebP where there is transparency (`options.format` decides if it is set).
  ///
  /// It shows the first frame of an animation; all are decoded if `options.page` is `all`.
  ///
  /// - Throws: as ``crop(_:)``.
  func preview(
    _ source: PictureSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult

  /// Makes sure that the whole picture can be decoded, and answers what a person should know of it.
  ///
  /// - Throws: as ``crop(_:)``.
  func check(
    _ source: PictureSource, info: ImageInfo, limits: Limits
  ) throws(CropError) -> [CropWarning]

  /// Loads whatever the backend would otherwise load at its first picture (modules, tables), so that
  /// no file need be opened after it.
  ///
  /// - Throws: `CropError.componentMissing` if a library is not there.
  func warmUp() throws(CropError)
}

extension PixelBackend {
  /// Decodes the whole, and every frame of an animation, for a small preview.
  public func check(
    _ source: PictureSource, info: ImageInfo, limits: Limits
  ) throws(CropError) -> [CropWarning] {
    _ = try preview(
      source, info: info, maxSide: 64,
      options: ResultOptions(metadata: .stripAll, convertsToSRGB: true, page: .all),
      limits: limits)
    return []
  }

  /// Nothing to load.
  public func warmUp() throws(CropError) {}
}
