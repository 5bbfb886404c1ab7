import CropCore
import CropJPEG

/// The backend for JPEGs that stay JPEGs: cuts them losslessly, or decodes no more than necessary.
///
/// Other work (other formats, tilt, outline, enlarging, a canvas, new colours) goes to another
/// backend. A sequential JPEG is cut by `CropJPEG` before any other library sees it, so that
/// libjpeg only decodes headers and tables written here. Progressive and arithmetic files can't be
/// cut that way; libjpeg reads them, in a separate process if available.
public struct JPEGBackend: PixelBackend {
  private let rest: any PixelBackend
  /// The backend in which libjpeg reads untrusted files; nil if this process may do that.
  private let limited: (any PixelBackend)?

  /// A JPEG backend that passes other work to `rest`. Its process must be allowed to read untrusted
  /// files.
  public init(fallback rest: any PixelBackend) {
    self.rest = rest
    limited = nil
  }

  /// A JPEG backend that passes other work to `rest`, and progressive and arithmetic JPEGs to
  /// `limited`, usually a ``WorkerPool`` of ``JPEGBackend/jpegOnly``.
  public init(fallback rest: any PixelBackend, limited: any PixelBackend) {
    self.rest = rest
    self.limited = limited
  }

  /// A JPEG backend without a fallback: other work is an error.
  public static var jpegOnly: Self { Self(fallback: NoFallback()) }

  /// Cuts `request.crop` from the image. The result is upright, or keeps its stored pixels and
  /// states their orientation. A large file that is cut losslessly is written to the request's sink
  /// while it is read.
  ///
  /// - Throws: an error for an invalid image; any error of the fallback.
  public func crop(_ request: PixelRequest) throws(CropError) -> CropResult {
    let (info, options) = (request.info, request.options)
    if let map = request.map {
      return try info.format == .jpeg ? sample(map, request) : rest.crop(request)
    }
    if info.format == .jpeg, options.format ?? .jpeg == .jpeg {
      var job = JPEGJob(request, maySendToLibjpeg: limited == nil)
      do throws(JPEGJob.Stop) {
        return try job.run(request.crop)
      } catch {
        switch error {
        case .elsewhere, .damaged:
          guard request.sink?.clear() ?? true else {
            throw .writeFailed(
              path: request.source.name, detail: "a result that was started can't be discarded")
          }
        case .failed(let failure): throw failure
        case .foreign:
          if let result = try cropLimited(request) { return result }
        }
      }
    }
    var result =
      info.format == .jpeg && limited == nil && !info.lacksScans
      ? try cropPart(request) : try rest.crop(request)
    if info.format == .jpeg, result.format == .jpeg, !result.isLossless, result.obstacle == nil,
      options.lossless != .never,
      !request.crop.keepsPixels || options.convertsToSRGB || options.surroundings != nil
    {
      result.obstacle = .newPixels
    }
    return result
  }

  /// Resamples a gain map.
  private func sample(
    _ map: GainMapCut, _ request: PixelRequest
  ) throws(CropError) -> CropResult {
    var job = JPEGJob(request, maySendToLibjpeg: limited == nil)
    do throws(JPEGJob.Stop) {
      return try job.sampled(map)
    } catch {
      switch error {
      case .failed(let failure), .damaged(let failure): throw failure
      case .foreign: if let result = try cropLimited(request) { return result }
      case .elsewhere: break
      }
    }
    throw .unsupportedFeature(file: request.source.name, feature: "this kind of gain map")
  }

  /// Crops the necessary part of a JPEG with `rest`, after cutting it out: damage is then reported
  /// as for any other crop, and no more is decoded.
  private func cropPart(_ request: PixelRequest) throws(CropError) -> CropResult {
    var part = request
    var warnings: [CropWarning] = []
    do throws(JPEGJob.Stop) {
      let found = try JPEGPart.holding(
        request.crop, JPEGJob(request, maySendToLibjpeg: true))
      if let inner = found.crop(request.crop) {
        (part.source, part.info, part.crop) = (found.source, found.info, inner)
      }
      warnings = found.warnings
    } catch {
      switch error {
      case .failed(let failure): throw failure
      case .damaged(let damage): warnings = CropWarning(passingOver: damage).map { [$0] } ?? []
      case .elsewhere, .foreign: break
      }
    }
    var result = try rest.crop(part)
    result.warnings += warnings
    return result
  }

  /// The result of the limited backend; nil if it can't handle the request.
  private func cropLimited(_ request: PixelRequest) throws(CropError) -> CropResult? {
    do throws(CropError) {
      return try limited?.crop(request)
    } catch .unsupportedFeature {
      return nil
    }
  }

  /// A small version of a JPEG in sRGB, decoded no larger than necessary; other images are passed
  /// to the fallback.
  ///
  /// - Throws: an error for an invalid image; any error of the fallback.
  public func preview(
    _ source: PictureSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    if info.isPlainJPEG, options.format ?? .jpeg == .jpeg,
      let whole = try? CropRecipe(output: .maxSide(maxSide)).resolved(for: info.shown)
    {
      var options = options
      options.convertsToSRGB = false
      options.lossless = .never
      options.subsampling = options.subsampling ?? .s420
      var work = JPEGJob(
        source, info: info, options: options, limits: limits, maySendToLibjpeg: limited == nil)
      do throws(JPEGJob.Stop) {
        return try work.run(whole)
      } catch {
        if case .failed(let failure) = error { throw failure }
      }
    }
    return try rest.preview(
      source, info: info, maxSide: maxSide, options: options, limits: limits)
  }

  /// Reads the data of a JPEG as a crop does; other images are passed to the fallback.
  ///
  /// - Throws: an error for an invalid image.
  public func check(
    _ source: PictureSource, info: ImageInfo, limits: Limits
  ) throws(CropError) -> [CropWarning] {
    if info.format == .jpeg {
      var work = JPEGJob(
        source, info: info, options: ResultOptions(), limits: limits,
        maySendToLibjpeg: limited == nil)
      if let warnings = try work.check() { return warnings }
    }
    return try (info.format == .jpeg ? limited ?? rest : rest)
      .check(source, info: info, limits: limits)
  }

  /// Passes the request to the fallback.
  ///
  /// - Throws: any error of the fallback.
  public func insideBorder(
    _ request: PixelRequest, tolerance: Int
  ) throws(CropError) -> ImageRect? {
    try rest.insideBorder(request, tolerance: tolerance)
  }

  /// Calls the fallback's ``PixelBackend/warmUp()``.
  ///
  /// - Throws: any error of the fallback.
  public func warmUp() throws(CropError) { try rest.warmUp() }
}

extension ImageInfo {
  /// Whether the image is a JPEG whose stored colours are sRGB or gray.
  fileprivate var isPlainJPEG: Bool {
    guard format == .jpeg, color == .rgb || color == .gray else { return false }
    return !metadata.contains(.icc) || (color == .rgb && profileName?.hasPrefix("sRGB") == true)
  }
}

/// A fallback that rejects everything.
private struct NoFallback: PixelBackend {
  func crop(_ request: PixelRequest) throws(CropError) -> CropResult {
    throw .unsupportedFeature(
      file: request.source.name, feature: "this crop, without another backend")
  }

  func preview(
    _ source: PictureSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    throw .unsupportedFeature(file: source.name, feature: "this preview, without another backend")
  }
}
