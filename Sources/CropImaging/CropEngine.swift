import CropCore
import FoundationEssentials

/// Crops images: takes an image and a recipe, returns a new image.
///
/// The engine detects formats, reads headers, and checks limits, files and recipes before it passes
/// an image to its ``PixelBackend``. It never changes a recipe: one that does not fit is an error.
public struct CropEngine: Sendable {
  /// The code that decodes and encodes pixels.
  public let backend: any PixelBackend
  /// The limits for one image.
  public let limits: Limits
  /// Where awaited crops wait for their turn and run. Copies of an engine share it.
  public let scheduler: CropScheduler

  /// An engine that uses `backend` for pixels; of the crops that are awaited, `scheduler` runs as
  /// many at the same time as it allows.
  public init(
    backend: any PixelBackend, limits: Limits = Limits(),
    scheduler: CropScheduler = CropScheduler()
  ) {
    self.backend = backend
    self.limits = limits
    self.scheduler = scheduler
  }

  /// Reads the structure of a file without decoding pixels.
  ///
  /// The file is followed to its end, so that a truncated one is reported as an error; with
  /// `isLenient`, as a warning. `page` counts from 1.
  ///
  /// - Throws: an error for an invalid file, or an unsupported format or size;
  ///   `CropError.invalidRecipe` if the page does not exist.
  public func info(
    _ source: ImageSource, isLenient: Bool = false, page: Int = 1
  ) throws(CropError) -> ImageInfo {
    try open(source, isLenient: isLenient, page: page).info
  }

  /// Reads the structure of a file once, for all crops that follow.
  ///
  /// If pixels must be decoded and `recipes` are given, the part that they need is decoded once and
  /// kept in memory with the opened image, unless that takes too much of the memory that `limits`
  /// allow. Invalid recipes are ignored.
  ///
  /// - Throws: as ``info(_:isLenient:page:)``.
  public func open(
    _ source: ImageSource, isLenient: Bool = false, page: Int = 1, for recipes: [CropRecipe] = []
  ) throws(CropError) -> OpenedImage {
    try open(source, isLenient: isLenient, page: page) { _ in recipes }
  }

  /// Opens a file as `open(_:isLenient:page:for:)` does, for recipes that depend on the image.
  ///
  /// - Throws: as ``info(_:isLenient:page:)``.
  public func open(
    _ source: ImageSource, isLenient: Bool, page: Int, for recipes: (ImageInfo) -> [CropRecipe]
  ) throws(CropError) -> OpenedImage {
    var inspection = Inspection(source, limits: limits, isLenient: isLenient, page: page)
    let info = try inspection.info()
    try PageChoice.only(page).check(count: info.pictureCount, file: source.name)
    let clean = inspection.junk.isEmpty ? source : try source.without(inspection.junk)
    let demand = SharedPixels.Demand(recipes(info), of: info.shown)
    return OpenedImage(
      info: info, original: source,
      source: clean.forSeveralCrops(sharing: demand.map { SharedPixels($0) }),
      isLenient: isLenient, page: page)
  }

  /// Opens a file with the leniency and page of the options that the crops are written with.
  ///
  /// - Throws: as ``info(_:isLenient:page:)``.
  public func open(
    _ source: ImageSource, options: ResultOptions,
    for recipes: (ImageInfo) -> [CropRecipe] = { _ in [] }
  ) throws(CropError) -> OpenedImage {
    try open(source, isLenient: options.isLenient, page: options.page.first, for: recipes)
  }

  /// Reads what a list of images shows; for some formats, only the start of the file is read.
  ///
  /// - Throws: an error for an invalid file, or an unsupported format or size.
  public func summary(_ source: ImageSource) throws(CropError) -> ImageSummary {
    try ImageSummary(source, limits: limits)
  }

  /// Crops the image in `source`. Blocks; a task awaits the method of the same name instead.
  ///
  /// If the recipe changes nothing and the options allow it, the file is copied.
  ///
  /// - Throws: an error for an invalid file, recipe or option.
  @available(
    *, noasync, message: "it blocks its thread; use await engine.crop(…), in an async function"
  )
  public func crop(
    _ source: ImageSource, recipe: CropRecipe, options: ResultOptions = ResultOptions()
  ) throws(CropError) -> CropResult {
    try crop(open(source, options: options), recipe: recipe, options: options)
  }

  /// Crops an image that was opened with the leniency and page of `options`. Blocks; a task awaits
  /// the method of the same name instead.
  ///
  /// A large result may be written to `file` while it is encoded; otherwise it is in memory. If the
  /// result will replace the image (`isReplacing`), two checks protect the original: the data of a
  /// JPEG are read to their end first, to report damage that only shows there, and the result must
  /// contain all other content of the file, unless `dropsRest` allows its loss.
  ///
  /// - Throws: an error for an invalid file, recipe or option; `CropError.wouldLoseData`.
  @available(
    *, noasync, message: "it blocks its thread; use await engine.crop(…), in an async function"
  )
  public func crop(
    _ picture: OpenedImage, recipe: CropRecipe, options: ResultOptions = ResultOptions(),
    into file: ResultFile? = nil, isReplacing: Bool = false, dropsRest: Bool = false
  ) throws(CropError) -> CropResult {
    try crop(
      picture, recipe: PageRecipes(recipe), options: options, into: file, isReplacing: isReplacing,
      dropsRest: dropsRest)
  }

  /// Crops an opened image with a recipe that may differ between its pages.
  func crop(
    _ picture: OpenedImage, recipe: PageRecipes, options: ResultOptions, into file: ResultFile?,
    isReplacing: Bool, dropsRest: Bool
  ) throws(CropError) -> CropResult {
    guard isReplacing else {
      return try result(of: picture, recipe: recipe, options: options, into: file)
    }
    let (info, source) = (picture.info, picture.source)
    if !dropsRest {
      try checkReplacing(picture, by: recipe.first, options: options)
    }
    var result = try result(
      of: picture, recipe: recipe, options: options, into: file, isReplacing: true)
    if !dropsRest {
      let generous = Limits.unlimited(from: limits)
      let made = try ImageInfo(
        result.source(name: source.name, limits: generous), limits: generous, isLenient: true)
      let losses = Replacement(info, options).losses(in: made, result)
      guard losses.isEmpty else { throw .wouldLoseData(path: source.name, losses: losses) }
    }
    result.warnings += source.otherNames.map { [.hardLinked(names: $0)] } ?? []
    return result
  }

  /// Crops an opened image, without checks for the rest of its file.
  func result(
    of picture: OpenedImage, recipe: PageRecipes, options: ResultOptions,
    into file: ResultFile? = nil, isReplacing: Bool = false
  ) throws(CropError) -> CropResult {
    guard picture.isLenient == options.isLenient, picture.page == options.page.first else {
      throw .usage(
        detail: "\(picture.source.name): the image was opened with another page or leniency than "
          + "its crop has; open it again")
    }
    if let bytes = options.maxBytes {
      return try crop(
        picture, recipe: recipe, options: options, atMost: bytes, isReplacing: isReplacing)
    }
    let plan = try CropPlan(recipe.first, of: picture, options, limits: limits)
    let isJPEG = picture.info.format == .jpeg
    let remarks = isReplacing && isJPEG ? try checkWhole(picture) : []
    for route in plan.routes {
      var result: CropResult?
      switch route {
      case .copy:
        result = try CopiedFile(engine: self, picture: picture, plan: plan).copied(into: file)
      case .turnItems:
        result = try CopiedFile(engine: self, picture: picture, plan: plan).turned()
      // Each page has its remarks.
      case .pages: return try severalPages(picture, recipe: recipe, options: options)
      case .cutJPEG, .recodeJPEG, .pixels:
        result = try made(plan, of: picture, into: file, remarks)
      }
      if var result {
        result.warnings += plan.remarks
        return result
      }
    }
    preconditionFailure("a plan's last route always gives a result")
  }

  /// The result of a plan whose pixels are cut or re-encoded.
  private func made(
    _ plan: CropPlan, of picture: OpenedImage, into file: ResultFile?, _ remarks: [CropWarning]
  ) throws(CropError) -> CropResult {
    let (source, options) = (picture.source, plan.options)
    var result: CropResult
    do throws(CropError) {
      var request = PixelRequest(
        source, info: picture.info, crop: plan.crop, options: options, limits: limits, sink: file)
      request.density = plan.density
      result = try backend.crop(request)
    } catch {
      // A decoder that was stopped may report anything.
      try CropStop.check()
      guard case .truncated(let file, let detail) = error, options.isLenient else { throw error }
      // The crop was already lenient, so the error must not suggest it.
      throw .corrupt(file: file, detail: detail)
    }
    result.obstacle = plan.obstacle
    result.warnings += remarks
    if plan.format == .gif, let provenance = options.provenance {
      result.bytes = provenance.added(toGIF: result.bytes)
    }
    let map = GainMapCrop(engine: self, picture: picture, plan: plan)
    return try checked(map.added(to: result), plan, picture)
  }

  /// A small upright sRGB version of the complete image, of at most `maxSide` pixels per side,
  /// never enlarged. By default it is a JPEG, or a PNG if there is transparency. With `isLenient`,
  /// the readable part of a damaged image is shown, with a warning.
  ///
  /// If `hdr` is `.keep` and a JPEG can store the image's gain map, the preview contains the map at
  /// the preview's size, and the image's color profile, to which the map refers.
  ///
  /// Blocks; a task awaits the method of the same name instead.
  ///
  /// - Throws: an error for an invalid file, or a `maxSide` outside 1 to 65,535.
  @available(
    *, noasync, message: "it blocks its thread; use await engine.preview(…), in an async function"
  )
  public func preview(
    _ source: ImageSource, maxSide: Int, format: ImageFormat? = nil, hdr: HDRMode = .drop,
    isLenient: Bool = false
  ) throws(CropError) -> CropResult {
    guard (1...RecipeError.largestOutputSide).contains(maxSide) else {
      throw .usage(detail: "a preview has 1 to \(RecipeError.largestOutputSide) pixels per side")
    }
    let picture = try open(source, isLenient: isLenient)
    let info = picture.info
    if hdr == .keep, format ?? .jpeg == .jpeg,
      let result = try previewWithGainMap(picture, maxSide: maxSide)
    {
      return result
    }
    var result = try backend.preview(
      picture.source, info: info, maxSide: maxSide,
      options: ResultOptions(
        format: format, metadata: .stripAll, convertsToSRGB: true, isLenient: isLenient),
      limits: limits)
    result.warnings = CropWarning.merged(info.warnings, result.warnings)
    return result
  }
}

/// An image whose structure was read by `CropEngine.open`.
public struct OpenedImage: Sendable {
  /// The properties of the image, from its header.
  public let info: ImageInfo
  /// The complete file, including data after the image.
  let original: ImageSource
  /// The image file, without parts that a decoder must not see.
  let source: ImageSource
  let isLenient: Bool
  let page: Int

  /// Resolves a recipe for the image, in pixels.
  ///
  /// - Throws: `CropError.invalidRecipe`.
  func resolved(_ recipe: CropRecipe) throws(CropError) -> ResolvedCrop {
    try recipe.resolved(for: info.shown, file: source.name)
  }
}

extension CropEngine {
  /// Checks that the complete image can be decoded, including its other pages, and returns
  /// warnings; with leniency, also about damage.
  func checkWhole(_ picture: OpenedImage) throws(CropError) -> [CropWarning] {
    do throws(CropError) {
      let warnings = try backend.check(picture.source, info: picture.info, limits: limits)
      try checkOtherPages(of: picture)
      return warnings
    } catch {
      guard picture.isLenient, let warning = CropWarning(passingOver: error) else { throw error }
      return [warning]
    }
  }

  /// The result, with warnings, after a check that it is what was planned.
  private func checked(
    _ result: CropResult, _ plan: CropPlan, _ picture: OpenedImage
  ) throws(CropError) -> CropResult {
    let (info, source, options) = (picture.info, picture.source, plan.options)
    // Damage that was passed over may have made other pixels of a lossless crop.
    let cut = result.isLossless ? plan.jpeg : nil
    let size = cut?.size ?? plan.pixelSize
    let generous = Limits.unlimited(from: limits)
    let output = try result.source(name: source.name, limits: generous)
    let made: ImageInfo
    do throws(CropError) {
      made = try ImageInfo(output, limits: generous, isLenient: false)
    } catch {
      throw .workerDied(file: source.name, detail: "its result can't be read: \(error.code)")
    }
    let frames =
      options.animates(info) && !options.isLenient ? options.pageCount(of: info) : made.frameCount
    guard made.format == plan.format, made.shown.width == size.width,
      made.shown.height == size.height, made.frameCount == frames,
      cut == nil || result.rect == cut?.plan.frameRect
    else {
      throw .workerDied(file: source.name, detail: "its result is not what was requested")
    }
    if result.gainMap != nil {
      guard made.gainMap?.usableSize != nil else {
        throw .workerDied(file: source.name, detail: "the gain map of its result can't be read")
      }
    }
    var result = result
    result.pictureCount = made.pictureCount
    result.warnings = CropWarning.merged(
      info.warnings, result.warnings, CropWarning.losses(from: info, to: made, options))
    return result
  }
}

extension CropResult {
  /// The result as a source to read.
  fileprivate func source(name: String, limits: Limits) throws(CropError) -> ImageSource {
    switch content {
    case .memory(let bytes): ImageSource(bytes: bytes, name: name)
    case .file(let file): try ImageSource(file.file, name: name, limits: limits)
    }
  }
}

extension ResultOptions {
  /// Whether the options allow the pixels to be copied unchanged.
  func keepPixels(of info: ImageInfo) -> Bool {
    keepPixels(of: info, page: page == .all ? .all : .automatic)
  }

  /// Whether the options allow the pixels to be copied if properties of the file turn the image.
  /// One page of several may be selected.
  func keepPixelsTurned(of info: ImageInfo) -> Bool {
    var same = self
    same.provenance = nil
    return info.format.isHEIF && page != .all
      && same.keepPixels(of: info, page: page)
  }

  private func keepPixels(of info: ImageInfo, page: PageChoice) -> Bool {
    let plain = ResultOptions(
      format: format, lossless: lossless, dpi: dpi, metadata: metadata, isLinear: isLinear,
      hdr: hdr, background: background, page: page, isLenient: isLenient)
    return self == plain && lossless != .never && (format == nil || format == info.format)
      && info.warnings.allSatisfy { $0 == .scansMissing }
      && (hdr == .keep || !info.metadata.contains(.gainMap))
  }
}

extension MetadataPolicy {
  /// Whether no part of the file must be removed.
  func keepsAll(of info: ImageInfo) -> Bool {
    switch self {
    case .keep: return true
    case .stripLocation:
      // Maker notes, XMP and IPTC can contain place names too.
      return info.metadata.allSatisfy { $0 == .icc }
    case .stripAll: return false
    }
  }
}
