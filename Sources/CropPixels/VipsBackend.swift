import CropCore
import CropImaging

/// The backend on libvips, in this process: all seven formats, resampling and colour.
///
/// libvips never sees a file name. Each format's loader is called by name on the source's bytes; results
/// are made in memory. One picture is worked on at a time, whatever the number of threads that ask,
/// because libvips tells its errors to the whole process; for several pictures at once use several
/// processes (``WorkerPool``). A decoder that crashes takes the process with it, which is the other
/// reason for one.
public struct VipsBackend: PixelBackend {
  /// A backend; libvips is started at the first picture, or by ``warmUp()``.
  public init() {}

  public func crop(
    _ source: PictureSource, info: ImageInfo, crop: ResolvedCrop, options: ResultOptions,
    limits: Limits
  ) throws(CropError) -> CropResult {
    try Runtime.exclusively { () throws(CropError) in
      var work = CropWork(source, info: info, crop: crop, options: options, limits: limits)
      return try work.run()
    }
  }

  public func preview(
    _ source: PictureSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    throw .usage(detail: "not yet")
  }
}
