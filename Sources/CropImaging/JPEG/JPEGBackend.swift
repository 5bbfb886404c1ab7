import CropCore
import CropJPEG

/// The backend for JPEGs that stay JPEGs: cuts them losslessly, or decodes no more than necessary.
///
/// Other work (other formats, tilt, outline, enlarging, a canvas, new colors) goes to another
/// backend. A sequential JPEG is cut by `CropJPEG` before any other library sees it, so that
/// libjpeg only decodes headers and tables written here. Progressive and arithmetic files can't be
/// cut that way; libjpeg reads them, in a separate process if available.
public struct JPEGBackend: PixelBackend {
  private let rest: any PixelBackend
  /// The backend in which libjpeg reads the bytes of files; nil if this process may do that.
  private let limited: (any PixelBackend)?
  let permit: LibjpegPermit?

  /// A JPEG backend that passes other work to `rest`. Its process must be allowed to read untrusted
  /// files.
  public init(fallback rest: any PixelBackend) {
    self.rest = rest
    limited = nil
    permit = LibjpegPermit()
  }

  /// A JPEG backend that passes other work to `rest`, and progressive and arithmetic JPEGs to
  /// `limited`, usually a ``WorkerPool`` of ``JPEGBackend/jpegOnly``.
  public init(fallback rest: any PixelBackend, limited: any PixelBackend) {
    self.rest = rest
    self.limited = limited
    permit = nil
  }

  /// A JPEG backend without a fallback: other work is an error.
  public static var jpegOnly: Self { Self(fallback: NoFallback()) }

  /// Cuts `request.crop` from the image. The result is upright, or keeps its stored pixels and
  /// states their orientation. A large file that is cut losslessly is written to the request's sink
  /// while it is read.
  ///
  /// - Throws: an error for an invalid image; any error of the fallback.
  public func crop(_ request: PixelRequest) throws(CropError) -> CropResult {
    let info = request.info
    guard info.format == .jpeg else { return try rest.crop(request) }
    if let map = request.map { return try sample(map, request) }
    if let plan = JPEGJobPlan(request) {
      if !info.isCuttable, let limited {
        if let result = try crop(request, in: limited) { return result }
      } else if let result = try JPEGJob(request, permit).made(plan) {
        return result
      }
    }
    return if let part = try cropPart(request) { part } else { try rest.crop(request) }
  }

  /// Resamples a gain map.
  private func sample(
    _ map: GainMapCut, _ request: PixelRequest
  ) throws(CropError) -> CropResult {
    if !request.info.isCuttable, let limited {
      if let result = try crop(request, in: limited) { return result }
    } else {
      var job = JPEGJob(request, permit)
      do throws(JPEGJob.Stop) {
        if let result = try job.sampled(map) { return result }
      } catch {
        throw error.failure
      }
    }
    throw .unsupportedFeature(file: request.source.name, feature: "this kind of gain map")
  }

  /// Crops the necessary part of a JPEG with `rest`, after cutting it out: damage is then reported
  /// as for any other crop, and no more is decoded. Nil if this process may not do that, or decoders
  /// must see the complete image.
  private func cropPart(_ request: PixelRequest) throws(CropError) -> CropResult? {
    guard let permit, !request.info.lacksScans else { return nil }
    var part = request
    var warnings: [CropWarning] = []
    do throws(JPEGJob.Stop) {
      if let found = try JPEGPart.holding(request.crop, JPEGJob(request, permit)) {
        warnings = found.warnings
        if let inner = found.crop(request.crop) {
          (part.source, part.info, part.crop) = (found.source, found.info, inner)
        }
      }
    } catch {
      guard case .damaged(let damage) = error else { throw error.failure }
      warnings = CropWarning(passingOver: damage).map { [$0] } ?? []
    }
    var result = try rest.crop(part)
    result.warnings += warnings
    return result
  }

  /// The result of the limited backend; nil if it can't handle the request.
  private func crop(
    _ request: PixelRequest, in limited: any PixelBackend
  ) throws(CropError) -> CropResult? {
    do throws(CropError) {
      return try limited.crop(request)
    } catch .unsupportedFeature {
      return nil
    }
  }

  /// A small version of a JPEG in sRGB, decoded no larger than necessary; other images are passed
  /// to the fallback.
  ///
  /// - Throws: an error for an invalid image; any error of the fallback.
  public func preview(
    _ source: ImageSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    if info.isPlainJPEG, options.format ?? .jpeg == .jpeg,
      let whole = try? CropRecipe(output: .maxSide(maxSide)).resolved(for: info.shown)
    {
      var options = options
      options.convertsToSRGB = false
      options.lossless = .never
      options.subsampling = options.subsampling ?? .s420
      let request = PixelRequest(source, info: info, crop: whole, options: options, limits: limits)
      if let plan = JPEGJobPlan(request), info.isCuttable || permit != nil,
        let result = try JPEGJob(request, permit).made(plan)
      {
        return result
      }
    }
    return try rest.preview(
      source, info: info, maxSide: maxSide, options: options, limits: limits)
  }

  /// Reads the data of a JPEG as a crop does; other images are passed to the fallback.
  ///
  /// - Throws: an error for an invalid image.
  public func check(
    _ source: ImageSource, info: ImageInfo, limits: Limits
  ) throws(CropError) -> [CropWarning] {
    guard info.format == .jpeg else {
      return try rest.check(source, info: info, limits: limits)
    }
    if !info.isCuttable, let limited {
      return try limited.check(source, info: info, limits: limits)
    }
    var job = JPEGJob(source, info: info, options: ResultOptions(), limits: limits, permit: permit)
    return try job.check()
  }

  /// Passes the request to the fallback.
  ///
  /// - Throws: any error of the fallback.
  public func insideBorder(
    _ request: PixelRequest, tolerance: Int
  ) throws(CropError) -> ImageRect? {
    try rest.insideBorder(request, tolerance: tolerance)
  }

  /// Passes the request to the fallback.
  ///
  /// - Throws: any error of the fallback.
  public func sheet(
    in source: ImageSource, info: ImageInfo, options: ResultOptions, limits: Limits
  ) throws(CropError) -> Quad? {
    try rest.sheet(in: source, info: info, options: options, limits: limits)
  }

  /// Calls the fallback's ``PixelBackend/warmUp()``.
  ///
  /// - Throws: any error of the fallback.
  public func warmUp() throws(CropError) { try rest.warmUp() }
}

extension ImageInfo {
  /// Whether the image is a JPEG whose stored colors are sRGB or gray.
  fileprivate var isPlainJPEG: Bool {
    guard format == .jpeg, color == .rgb || color == .gray else { return false }
    return !metadata.contains(.icc) || (color == .rgb && profileName?.hasPrefix("sRGB") == true)
  }
}

/// The right to let libjpeg read the bytes of a file. Only backends whose process may do that have it;
/// what ``JPEGCutter`` has cut needs none.
struct LibjpegPermit {
  fileprivate init() {}
}

/// A fallback that rejects everything.
private struct NoFallback: PixelBackend {
  func crop(_ request: PixelRequest) throws(CropError) -> CropResult {
    throw .unsupportedFeature(
      file: request.source.name, feature: "this crop, without another backend")
  }

  func preview(
    _ source: ImageSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    throw .unsupportedFeature(file: source.name, feature: "this preview, without another backend")
  }
}
