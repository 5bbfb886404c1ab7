import CropCore
import CropJPEG

/// The backend for JPEGs that stay JPEGs: cuts them without loss, or decodes no more than is wanted.
///
/// What it can't do (other formats, tilt, outline, new size, new colours) goes to another backend. A
/// sequential JPEG is cut by `CropJPEG` before any other library sees it, so that libjpeg only ever
/// decodes headers and tables that were written here. Progressive and arithmetic files can't be cut
/// that way; libjpeg reads them itself.
public struct JPEGPath: PixelBackend {
  /// What takes all the rest.
  public let rest: any PixelBackend
  /// Whether libjpeg may be given foreign files as they are.
  public let readsForeignFiles: Bool

  /// The JPEG path before `rest`.
  ///
  /// With `readsForeignFiles` progressive and arithmetic JPEGs are read here, as it should be in a
  /// process that is limited; without it they go to `rest`.
  public init(before rest: any PixelBackend, readsForeignFiles: Bool) {
    self.rest = rest
    self.readsForeignFiles = readsForeignFiles
  }

  /// Cuts `crop` out of `source`; the result is upright, or keeps its pixels as they are stored and
  /// says how to lay them down.
  ///
  /// - Throws: what is wrong with the picture; what `rest` throws.
  public func crop(
    _ source: PictureSource, info: ImageInfo, crop: ResolvedCrop, options: ResultOptions,
    limits: Limits
  ) throws(CropError) -> CropResult {
    if info.format == .jpeg, options.format ?? .jpeg == .jpeg {
      let work = JPEGWork(
        source, info: info, options: options, limits: limits,
        readsForeignFiles: readsForeignFiles)
      if let result = try work.run(crop) { return result }
    }
    var result = try rest.crop(
      source, info: info, crop: crop, options: options, limits: limits)
    if info.format == .jpeg, result.format == .jpeg, !result.isLossless, result.obstacle == nil,
      options.lossless != .never, !crop.keepsPixels || options.convertsToSRGB
    {
      result.obstacle = .newPixels
    }
    return result
  }

  /// As `rest` does it.
  ///
  /// - Throws: what `rest` throws.
  public func preview(
    _ source: PictureSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    try rest.preview(source, info: info, maxSide: maxSide, options: options, limits: limits)
  }

  /// Reads the codes of a sequential JPEG; others as `rest` does it.
  ///
  /// - Throws: what is wrong with the picture.
  public func check(
    _ source: PictureSource, info: ImageInfo, limits: Limits
  ) throws(CropError) {
    if info.format == .jpeg {
      let work = JPEGWork(
        source, info: info, options: ResultOptions(), limits: limits,
        readsForeignFiles: readsForeignFiles)
      if try work.check() { return }
    }
    try rest.check(source, info: info, limits: limits)
  }

  /// Loads what `rest` loads.
  ///
  /// - Throws: what `rest` throws.
  public func warmUp() throws(CropError) { try rest.warmUp() }
}
