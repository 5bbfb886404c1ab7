import CropCore
import CropJPEG

/// The backend for JPEGs that stay JPEGs: cuts them without loss, or decodes no more than is wanted.
///
/// What it can't do (other formats, tilt, outline, enlarging, new colours) goes to another backend. A
/// sequential JPEG is cut by `CropJPEG` before any other library sees it, so that libjpeg only ever
/// decodes headers and tables that were written here. Progressive and arithmetic files can't be cut
/// that way; libjpeg reads them itself, in a process that may be told apart.
public struct JPEGPath: PixelBackend {
  private let rest: any PixelBackend
  /// Where libjpeg reads foreign files; nil is here.
  private let limited: (any PixelBackend)?

  /// The JPEG path before `rest`, in a process that may read foreign files.
  public init(before rest: any PixelBackend) {
    self.rest = rest
    limited = nil
  }

  /// The JPEG path before `rest`; progressive and arithmetic JPEGs go to `limited`, as a rule a
  /// ``WorkerPool`` of ``JPEGPath/alone``.
  public init(before rest: any PixelBackend, limited: any PixelBackend) {
    self.rest = rest
    self.limited = limited
  }

  /// The JPEG path with nothing behind it: what it can't do is refused.
  public static var alone: Self { Self(before: NoOtherBackend()) }

  /// Cuts `crop` out of `source`; the result is upright, or keeps its pixels as they are stored and
  /// says how to lay them down.
  ///
  /// - Throws: what is wrong with the picture; what `rest` throws.
  public func crop(
    _ source: PictureSource, info: ImageInfo, crop: ResolvedCrop, options: ResultOptions,
    limits: Limits
  ) throws(CropError) -> CropResult {
    try self.crop(
      source, info: info, crop: crop, options: options, limits: limits, into: nil)
  }

  /// The same; a large file that is cut without loss is written to `file` while it is read.
  ///
  /// - Throws: what is wrong with the picture; what `rest` throws.
  public func crop(
    _ source: PictureSource, info: ImageInfo, crop: ResolvedCrop, options: ResultOptions,
    limits: Limits, into file: ResultFile?
  ) throws(CropError) -> CropResult {
    if info.format == .jpeg, options.format ?? .jpeg == .jpeg {
      var work = JPEGWork(
        source, info: info, options: options, limits: limits, readsForeignFiles: limited == nil)
      work.file = file
      do throws(JPEGWork.Stop) {
        return try work.run(crop)
      } catch {
        switch error {
        case .elsewhere:
          guard file?.clear() ?? true else {
            throw .writeFailed(path: source.name, detail: "what was begun can't be thrown away")
          }
        case .failed(let failure): throw failure
        case .foreign:
          if let result = try cropLimited(source, info, crop, options, limits) { return result }
        }
      }
    }
    var result = try rest.crop(
      source, info: info, crop: crop, options: options, limits: limits, into: file)
    if info.format == .jpeg, result.format == .jpeg, !result.isLossless, result.obstacle == nil,
      options.lossless != .never, !crop.keepsPixels || options.convertsToSRGB
    {
      result.obstacle = .newPixels
    }
    return result
  }

  /// What the limited process makes of it; nil if it can't do this.
  private func cropLimited(
    _ source: PictureSource, _ info: ImageInfo, _ crop: ResolvedCrop, _ options: ResultOptions,
    _ limits: Limits
  ) throws(CropError) -> CropResult? {
    do throws(CropError) {
      return try limited?.crop(
        source, info: info, crop: crop, options: options, limits: limits)
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
      let work = JPEGWork(
        source, info: info, options: options, limits: limits, readsForeignFiles: limited == nil)
      do throws(JPEGWork.Stop) {
        return try work.run(whole)
      } catch {
        if case .failed(let failure) = error { throw failure }
      }
    }
    return try rest.preview(
      source, info: info, maxSide: maxSide, options: options, limits: limits)
  }

  /// Reads the codes of a sequential JPEG; others as `rest` does it.
  ///
  /// - Throws: what is wrong with the picture.
  public func check(
    _ source: PictureSource, info: ImageInfo, limits: Limits
  ) throws(CropError) {
    if info.format == .jpeg {
      let work = JPEGWork(
        source, info: info, options: ResultOptions(), limits: limits, readsForeignFiles: false)
      if try work.check() { return }
    }
    try rest.check(source, info: info, limits: limits)
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
  func crop(
    _ source: PictureSource, info: ImageInfo, crop: ResolvedCrop, options: ResultOptions,
    limits: Limits
  ) throws(CropError) -> CropResult {
    throw .unsupportedFeature(file: source.name, feature: "this crop of this picture, here")
  }

  func preview(
    _ source: PictureSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    throw .unsupportedFeature(file: source.name, feature: "a preview of this picture, here")
  }
}
