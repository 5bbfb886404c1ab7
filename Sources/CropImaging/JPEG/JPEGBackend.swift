import CropCore
import CropJPEG

/// The backend for JPEGs that stay JPEGs: cuts them without loss, or decodes no more than is wanted.
///
/// What it can't do (other formats, tilt, outline, enlarging, new colours) goes to another backend. A
/// sequential JPEG is cut by `CropJPEG` before any other library sees it, so that libjpeg only ever
/// decodes headers and tables that were written here. Progressive and arithmetic files can't be cut
/// that way; libjpeg reads them itself, in a process of its own where there is one.
public struct JPEGBackend: PixelBackend {
  private let rest: any PixelBackend
  /// Where libjpeg reads foreign files; nil is here.
  private let limited: (any PixelBackend)?

  /// The JPEG path before `rest`, in a process that may read foreign files.
  public init(before rest: any PixelBackend) {
    self.rest = rest
    limited = nil
  }

  /// The JPEG path before `rest`; progressive and arithmetic JPEGs go to `limited`, as a rule a
  /// ``WorkerPool`` of ``JPEGBackend/alone``.
  public init(before rest: any PixelBackend, limited: any PixelBackend) {
    self.rest = rest
    self.limited = limited
  }

  /// The JPEG path with nothing behind it: what it can't do is refused.
  public static var alone: Self { Self(before: NoOtherBackend()) }

  /// Cuts `request.crop` out of the picture; the result is upright, or keeps its pixels as they are stored
  /// and says how to show them. A large file that is cut without loss is written to the request's sink
  /// while it is read.
  ///
  /// - Throws: what is wrong with the picture; what `rest` throws.
  public func crop(_ request: PixelRequest) throws(CropError) -> CropResult {
    let (info, options) = (request.info, request.options)
    if let map = request.map { return try sample(map, request) }
    if info.format == .jpeg, options.format ?? .jpeg == .jpeg {
      var job = JPEGJob(request, readsForeignFiles: limited == nil)
      do throws(JPEGJob.Stop) {
        return try job.run(request.crop)
      } catch {
        switch error {
        case .elsewhere, .damaged:
          guard request.sink?.clear() ?? true else {
            throw .writeFailed(
              path: request.source.name, detail: "a result that was begun can't be discarded")
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
      options.lossless != .never, !request.crop.keepsPixels || options.convertsToSRGB
    {
      result.obstacle = .newPixels
    }
    return result
  }

  /// A gain map, sampled anew.
  private func sample(
    _ map: GainMapCut, _ request: PixelRequest
  ) throws(CropError) -> CropResult {
    var job = JPEGJob(request, readsForeignFiles: limited == nil)
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

  /// What `rest` makes of the part of a JPEG that is needed, cut out beforehand: damage is then reported as
  /// for any other crop, and no more is decoded.
  private func cropPart(_ request: PixelRequest) throws(CropError) -> CropResult {
    var part = request
    var warnings: [CropWarning] = []
    do throws(JPEGJob.Stop) {
      let found = try JPEGPart.holding(
        request.crop, JPEGJob(request, readsForeignFiles: true))
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

  /// What the limited process makes of it; nil if it can't do this.
  private func cropLimited(_ request: PixelRequest) throws(CropError) -> CropResult? {
    do throws(CropError) {
      return try limited?.crop(request)
    } catch .unsupportedFeature {
      return nil
    }
  }

  /// A small picture of a JPEG that is in sRGB, decoded no larger than is needed; others as `rest`
  /// does it.
  ///
  /// - Throws: what is wrong with the picture; what `rest` throws.
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
        source, info: info, options: options, limits: limits, readsForeignFiles: limited == nil)
      do throws(JPEGJob.Stop) {
        return try work.run(whole)
      } catch {
        if case .failed(let failure) = error { throw failure }
      }
    }
    return try rest.preview(
      source, info: info, maxSide: maxSide, options: options, limits: limits)
  }

  /// Reads the data of a JPEG as its crops do; others as `rest` does it.
  ///
  /// - Throws: what is wrong with the picture.
  public func check(
    _ source: PictureSource, info: ImageInfo, limits: Limits
  ) throws(CropError) -> [CropWarning] {
    if info.format == .jpeg {
      var work = JPEGJob(
        source, info: info, options: ResultOptions(), limits: limits,
        readsForeignFiles: limited == nil)
      if let warnings = try work.check() { return warnings }
    }
    return try (info.format == .jpeg ? limited ?? rest : rest)
      .check(source, info: info, limits: limits)
  }

  /// Loads what `rest` loads.
  ///
  /// - Throws: what `rest` throws.
  public func warmUp() throws(CropError) { try rest.warmUp() }
}

extension ImageInfo {
  /// Whether it is a JPEG whose colours are sRGB or gray as they are.
  fileprivate var isPlainJPEG: Bool {
    guard format == .jpeg, color == .rgb || color == .gray else { return false }
    return !metadata.contains(.icc) || (color == .rgb && profileName?.hasPrefix("sRGB") == true)
  }
}

/// Stands where there is no other backend.
private struct NoOtherBackend: PixelBackend {
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
