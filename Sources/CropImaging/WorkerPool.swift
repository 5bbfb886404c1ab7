import CropCore

/// A backend that hands each picture to one of a few limited processes, so that a picture that kills
/// its decoder is one error and nothing else.
///
/// The processes run `cropkit-worker`. They are started when first needed, take one picture at a time,
/// are replaced after `recycleAfter` pictures and end with this object or with this process, however
/// it ends. Calls block until a process is free.
public final class WorkerPool: PixelBackend, Sendable {
  /// A pool of at most `size` processes (nil: one a core) that run `executable` (nil: the
  /// `cropkit-worker` beside the running program, then in `../libexec/cropkit`).
  ///
  /// `limits` are the most any call can ask for.
  public init(
    executable: String? = nil, size: Int? = nil, recycleAfter: Int = 64, limits: Limits = Limits()
  ) {
  }

  /// See ``PixelBackend/crop(_:info:crop:options:limits:)``.
  public func crop(
    _ source: PictureSource, info: ImageInfo, crop: ResolvedCrop, options: ResultOptions,
    limits: Limits
  ) throws(CropError) -> CropResult {
    throw Self.missing
  }

  /// See ``PixelBackend/preview(_:info:maxSide:options:limits:)``.
  public func preview(
    _ source: PictureSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    throw Self.missing
  }

  private static var missing: CropError {
    .componentMissing(
      component: "cropkit-worker", advice: "install it beside this program or in ../libexec/cropkit"
    )
  }
}
