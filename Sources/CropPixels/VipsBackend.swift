import CropCore
import CropImaging

/// The backend on libvips, in this process: all formats, resampling and colour.
///
/// libvips never sees a file name. Each format's loader is called by name on the source's bytes; results
/// are made in memory. One picture is worked on at a time, whatever the number of threads that ask,
/// because libvips tells its errors to the whole process; for several pictures at once use several
/// processes (``WorkerPool``). A decoder that crashes takes the process with it, which is the other
/// reason for one.
public struct VipsBackend: PixelBackend {
  /// A backend; libvips is started at the first picture, or by ``warmUp()``.
  public init() {}

  /// Cuts `request.crop` out of the picture.
  ///
  /// - Throws: what is wrong with the picture, or what could not be done, as the protocol says;
  ///   ``CropError/componentMissing(component:advice:)`` where libvips or an encoder is not there.
  public func crop(_ request: PixelRequest) throws(CropError) -> CropResult {
    try Runtime.exclusively { () throws(CropError) in
      var work = CropWork(request)
      return try work.run()
    }
  }

  /// A small upright sRGB picture of the whole, decoded at reduced size where the format allows it.
  ///
  /// - Throws: as ``crop(_:)``.
  public func preview(
    _ source: PictureSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    try Runtime.exclusively { () throws(CropError) in
      try PreviewWork(
        source: source, info: info, maxSide: maxSide, options: options, limits: limits
      ).run()
    }
  }

  /// Starts libvips and loads what a picture would otherwise make it load; afterwards every format and
  /// conversion works where no file can be opened.
  ///
  /// No picture is coded: whatever else the libraries would like to read later (the time zone, the
  /// processors of a node) they do without. A process that decodes foreign bytes calls it before it
  /// confines itself, with the environment variable `VIPSHOME` set to a folder without libvips' modules (or
  /// none at all): then only the HEIF module is loaded, here, and no loader for other formats exists.
  ///
  /// - Throws: ``CropError/componentMissing(component:advice:)`` if libvips can't be started.
  public func warmUp() throws(CropError) {
    try Runtime.exclusively { () throws(CropError) in }
  }
}

extension CropEngine {
  /// An engine that decodes in this process: quick to start, and a decoder with a fault takes the process along.
  /// For bytes that nobody vouches for see `CropEngine.sandboxed`.
  public static func inProcess(limits: Limits = Limits()) -> CropEngine {
    CropEngine(backend: JPEGBackend(before: VipsBackend()), limits: limits)
  }
}
