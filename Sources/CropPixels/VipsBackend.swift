import CropCore
import CropImaging
import CropKernels

/// A backend that uses libvips in this process, for all formats, resampling and color conversion.
///
/// libvips never gets a file name: the loader of each format is called by name on the source's
/// bytes, and results are made in memory. One image is processed at a time, however many threads
/// call, because libvips reports errors per process. For parallel work, use several processes
/// (``WorkerPool``). A crash in a decoder ends the process, which is another reason to use a pool.
public struct VipsBackend: PixelBackend {
  /// A backend; libvips is started for the first image, or by ``warmUp()``.
  public init() {}

  /// Cuts `request.crop` from the image.
  ///
  /// - Throws: an error for an invalid image or a failed operation, as in the protocol;
  ///   ``CropError/componentMissing(component:advice:)`` if libvips or an encoder is missing.
  public func crop(_ request: PixelRequest) throws(CropError) -> CropResult {
    try Runtime.exclusively { () throws(CropError) in
      var work = CropWork(request)
      return try work.run()
    }
  }

  /// The area inside the image's uniform border; nil for an image of one color.
  ///
  /// - Throws: as ``crop(_:)``.
  public func insideBorder(
    _ request: PixelRequest, tolerance: Int
  ) throws(CropError) -> ImageRect? {
    try Runtime.exclusively { () throws(CropError) in
      var work = CropWork(request)
      return try work.insideBorder(tolerance: tolerance)
    }
  }

  /// A small upright sRGB version of the complete image, decoded at reduced size if the format
  /// allows it.
  ///
  /// - Throws: as ``crop(_:)``.
  public func preview(
    _ source: ImageSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    try Runtime.exclusively { () throws(CropError) in
      try PreviewWork(
        source: source, info: info, maxSide: maxSide, options: options, limits: limits
      ).run()
    }
  }

  /// The corners of the sheet that stands out most in a small version of the image.
  ///
  /// - Throws: as ``crop(_:)``.
  public func sheet(
    in source: ImageSource, info: ImageInfo, options: ResultOptions, limits: Limits
  ) throws(CropError) -> Quad? {
    try Runtime.exclusively { () throws(CropError) in
      try PreviewWork(
        source: source, info: info, maxSide: SheetFinder.side, options: options, limits: limits
      ).sheet()
    }
  }

  /// Starts libvips and loads everything that images may require later, so that every format and
  /// conversion works without opening files.
  ///
  /// No image is encoded: other files that the libraries read later (the time zone, the processors
  /// of a node) are optional. A process that decodes untrusted bytes calls it before it drops its
  /// privileges, with the environment variable `VIPSHOME` set to a folder without libvips' modules
  /// (or to none at all): then only the modules for formats that its pool named are loaded, and no
  /// loader for other formats exists.
  ///
  /// - Throws: ``CropError/componentMissing(component:advice:)`` if libvips can't be started.
  public func warmUp() throws(CropError) {
    // A copy of a process that had started libvips may need more modules.
    try Runtime.exclusively { () throws(CropError) in Runtime.loadModules() }
  }
}

extension CropEngine {
  /// An engine that decodes in this process: it starts quickly, but a crash in a decoder ends the
  /// process. For untrusted bytes use `CropEngine.sandboxed`.
  ///
  /// - Parameters:
  ///   - size: how many crops may be under way if they are awaited; nil for one per core.
  ///   - waiting: how many more may wait for their turn; see ``CropScheduler``.
  ///   - limits: the limits for one image.
  public static func inProcess(
    size: Int? = nil, waiting: Int = CropScheduler.usualQueue, limits: Limits = Limits()
  ) -> CropEngine {
    CropEngine(
      backend: JPEGBackend(fallback: VipsBackend()), limits: limits,
      scheduler: CropScheduler(places: size, queueLength: waiting))
  }
}
