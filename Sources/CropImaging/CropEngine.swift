import CropCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Recipe and picture in, picture out.
///
/// The engine tells formats apart, reads headers, checks limits, whole files and recipes, and only
/// then hands a picture to its ``PixelBackend``. It never changes a recipe: one that does not fit is
/// refused.
public struct CropEngine: Sendable {
  /// What decodes and encodes pixels.
  public let backend: any PixelBackend
  /// What one picture may cost.
  public let limits: Limits

  /// An engine over `backend`.
  public init(backend: any PixelBackend, limits: Limits = Limits()) {
    self.backend = backend
    self.limits = limits
  }

  /// What the structure of the file tells, without decoding a pixel.
  ///
  /// The file is followed to its end, so that one that is cut short is told; `isLenient` makes that a
  /// warning. `page` counts from 1.
  ///
  /// - Throws: what is wrong with the file, its format, its size, or ``CropError/usage(detail:)`` for a
  ///   page that is not there.
  public func info(
    _ source: PictureSource, isLenient: Bool = false, page: Int = 1
  ) throws(CropError) -> ImageInfo {
    try open(source, isLenient: isLenient, page: page).info
  }

  /// Reads the structure of the file once, for the crops of it that follow.
  ///
  /// - Throws: as ``info(_:isLenient:page:)``.
  public func open(
    _ source: PictureSource, isLenient: Bool = false, page: Int = 1
  ) throws(CropError) -> OpenedPicture {
    var inspection = Inspection(source, limits: limits, isLenient: isLenient, page: page)
    let info = try inspection.info()
    let pages = max(info.frameCount, info.pageCount)
    guard (1...pages).contains(page) else {
      throw .usage(
        detail: "\(source.name): has \(pages) pages, and page \(page) was asked for")
    }
    let clean = inspection.junk.isEmpty ? source : try source.without(inspection.junk)
    return OpenedPicture(
      info: info, source: clean.forSeveralCrops, isLenient: isLenient, page: page)
  }

  /// Carries out `recipe` on the picture in `source`.
  ///
  /// A recipe that changes nothing copies the file, if that serves the options too.
  ///
  /// - Throws: what is wrong with the file, the recipe or the options.
  public func crop(
    _ source: PictureSource, recipe: CropRecipe, options: ResultOptions = ResultOptions()
  ) throws(CropError) -> CropResult {
    try crop(
      open(source, isLenient: options.isLenient, page: options.page ?? 1), recipe: recipe,
      options: options)
  }

  /// Carries out `recipe` on a picture that was opened with the leniency and page of `options`.
  ///
  /// - Throws: what is wrong with the file, the recipe or the options.
  public func crop(
    _ picture: OpenedPicture, recipe: CropRecipe, options: ResultOptions = ResultOptions()
  ) throws(CropError) -> CropResult {
    precondition(
      picture.isLenient == options.isLenient && picture.page == options.page ?? 1,
      "the picture was opened with other options")
    guard (1...100).contains(options.quality) else {
      throw .usage(detail: "a quality of \(options.quality) can't be; use 1 to 100")
    }
    let (info, source) = (picture.info, picture.source)
    let crop: ResolvedCrop
    do throws(RecipeError) {
      crop = try recipe.resolved(for: info.shown)
    } catch {
      throw .invalidRecipe(file: source.name, detail: error.message(for: info.shown))
    }
    let format = options.format ?? info.format
    guard max(crop.output.width, crop.output.height) <= format.largestSide else {
      throw .usage(
        detail: "\(source.name): \(format.displayName) holds at most \(format.largestSide) pixels "
          + "a side; choose another format or a smaller size")
    }
    if crop.isIdentity, options.keepEverything(of: info) {
      return try copy(source, info)
    }
    let result: CropResult
    do throws(CropError) {
      result = try backend.crop(
        source, info: info, crop: crop, options: options, limits: limits)
    } catch .truncated(let file, let detail) where options.isLenient {
      // All leniency has been shown: advice to ask for it would lead nowhere.
      throw .corrupt(file: file, detail: detail)
    }
    return try checked(
      result, format: format, size: try wantedSize(result, crop, options, file: source.name),
      source, info, options)
  }

  /// A small upright sRGB picture of the whole, of at most `maxSide` pixels a side, never enlarged:
  /// JPEG, or PNG where there is transparency.
  ///
  /// - Throws: what is wrong with the file or `maxSide`.
  public func preview(_ source: PictureSource, maxSide: Int) throws(CropError) -> CropResult {
    guard (1...RecipeError.largestOutputSide).contains(maxSide) else {
      throw .usage(detail: "a preview has 1 to \(RecipeError.largestOutputSide) pixels a side")
    }
    let picture = try open(source)
    let info = picture.info
    var result = try backend.preview(
      picture.source, info: info, maxSide: maxSide, options: Self.previewOptions, limits: limits)
    result.warnings = Self.merged(info.warnings, result.warnings)
    return result
  }

  private static var previewOptions: ResultOptions {
    ResultOptions(metadata: .stripAll, convertsToSRGB: true)
  }
}

/// A picture whose structure was read, by ``CropEngine/open(_:isLenient:page:)``.
public struct OpenedPicture: Sendable {
  /// What the header tells.
  public let info: ImageInfo
  /// The picture as a decoder may see it.
  let source: PictureSource
  let isLenient: Bool
  let page: Int
}

extension CropEngine {
  /// The file itself, once it is sure that it can be decoded.
  private func copy(
    _ source: PictureSource, _ info: ImageInfo
  ) throws(CropError) -> CropResult {
    try backend.check(source, info: info, limits: limits)
    return CropResult(
      bytes: try source.allBytes(), format: info.format,
      size: FrameSize(width: info.shown.width, height: info.shown.height),
      warnings: info.warnings, isLossless: true)
  }

  /// The size that the result must have: what was asked for, or what was cut instead, which holds it.
  private func wantedSize(
    _ result: CropResult, _ crop: ResolvedCrop, _ options: ResultOptions, file: String
  ) throws(CropError) -> FrameSize {
    guard options.lossless == .snap, result.isLossless, let cut = result.rect else {
      return crop.output
    }
    guard crop.frame.bounds.contains(cut.rect), cut.rect.contains(crop.rect) else {
      throw .workerDied(file: file, detail: "its result is not what was asked for")
    }
    return FrameSize(width: cut.width, height: cut.height)
  }

  /// The result, once it is sure that it is what was asked for, with what a person should know.
  private func checked(
    _ result: CropResult, format: PictureFormat, size: FrameSize, _ source: PictureSource,
    _ info: ImageInfo, _ options: ResultOptions
  ) throws(CropError) -> CropResult {
    var generous = limits
    generous.bytes = .max
    generous.memory = .max
    var inspection = Inspection(
      PictureSource(bytes: result.bytes, name: source.name), limits: generous, isLenient: false)
    let made: ImageInfo
    do throws(CropError) {
      made = try inspection.info()
    } catch {
      throw .workerDied(file: source.name, detail: "its result can't be read: \(error.code)")
    }
    guard made.format == format, made.shown.width == size.width, made.shown.height == size.height
    else {
      throw .workerDied(file: source.name, detail: "its result is not what was asked for")
    }
    var result = result
    result.warnings = Self.merged(
      info.warnings, result.warnings, Self.losses(from: info, to: made, options))
    return result
  }

  /// What the source has and the result has not, as far as it was not asked for.
  private static func losses(
    from info: ImageInfo, to made: ImageInfo, _ options: ResultOptions
  ) -> [CropWarning] {
    var losses: [CropWarning] = []
    let count = max(info.frameCount, info.pageCount)
    if options.page == nil, count > 1, made.frameCount == 1, made.pageCount == 1 {
      losses.append(.framesDropped(kept: 1, of: count))
    }
    if info.hasAlpha, !made.format.holdsAlpha { losses.append(.alphaFlattened) }
    if info.bitDepth > 8, made.bitDepth < info.bitDepth {
      losses.append(.depthReduced(from: info.bitDepth, to: made.bitDepth))
    }
    if options.metadata == .keep {
      let telling: [MetadataKind] = [.gainMap, .multiPicture, .credentials, .trailer]
      let dropped = telling.filter {
        info.metadata.contains($0) && !made.metadata.contains($0)
      }
      if !dropped.isEmpty { losses.append(.metadataDropped(dropped)) }
    }
    return losses
  }

  /// All warnings, each code once, the first one's words.
  private static func merged(_ lists: [CropWarning]...) -> [CropWarning] {
    var all: [CropWarning] = []
    for warning in lists.joined() where !all.contains(where: { $0.code == warning.code }) {
      all.append(warning)
    }
    return all
  }
}

extension ResultOptions {
  /// Whether a copy of the file is what these options ask for.
  fileprivate func keepEverything(of info: ImageInfo) -> Bool {
    let plain = ResultOptions(
      format: format, lossless: lossless, metadata: metadata, isLinear: isLinear,
      background: background,
      isLenient: isLenient)
    guard self == plain, lossless != .never, format == nil || format == info.format,
      info.warnings.isEmpty
    else {
      return false
    }
    switch metadata {
    case .keep: return true
    case .stripLocation:
      // XMP and IPTC can name places too.
      return info.metadata.allSatisfy { [.icc, .exif, .thumbnail, .text].contains($0) }
    case .stripAll: return info.orientation == .up && info.metadata.allSatisfy { $0 == .icc }
    }
  }
}
