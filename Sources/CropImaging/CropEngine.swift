import CropCore
import FoundationEssentials

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

  /// What the structure of the file says, without decoding a pixel.
  ///
  /// The file is followed to its end, so that one that is cut short is reported; `isLenient` makes that a
  /// warning. `page` counts from 1.
  ///
  /// - Throws: what is wrong with the file, its format, its size, or
  ///   `CropError.invalidRecipe` for a page that is not there.
  public func info(
    _ source: PictureSource, isLenient: Bool = false, page: Int = 1
  ) throws(CropError) -> ImageInfo {
    try open(source, isLenient: isLenient, page: page).info
  }

  /// Reads the structure of the file once, for the crops of it that follow.
  ///
  /// Where the pixels have to be decoded, and it is known by `recipes` what will be cut, that part is
  /// decoded once and kept in memory as long as the opened picture, if that is little of what `limits`
  /// allow. Recipes that can't be carried out don't matter.
  ///
  /// - Throws: as ``info(_:isLenient:page:)``.
  public func open(
    _ source: PictureSource, isLenient: Bool = false, page: Int = 1, for recipes: [CropRecipe] = []
  ) throws(CropError) -> OpenedPicture {
    try open(source, isLenient: isLenient, page: page) { _ in recipes }
  }

  /// The same for recipes that depend on the picture's upright size.
  ///
  /// - Throws: as ``info(_:isLenient:page:)``.
  public func open(
    _ source: PictureSource, isLenient: Bool, page: Int, for recipes: (ImageSize) -> [CropRecipe]
  ) throws(CropError) -> OpenedPicture {
    var inspection = Inspection(source, limits: limits, isLenient: isLenient, page: page)
    let info = try inspection.info()
    try PageChoice.only(page).check(count: info.pictureCount, file: source.name)
    let clean = inspection.junk.isEmpty ? source : try source.without(inspection.junk)
    let demand = SharedPixels.Demand(recipes(info.shown), of: info.shown)
    return OpenedPicture(
      info: info, original: source,
      source: clean.forSeveralCrops(sharing: demand.map { SharedPixels($0) }),
      isLenient: isLenient, page: page)
  }

  /// What a list shows of a picture, from the start of its file where the format allows.
  ///
  /// - Throws: what is wrong with the file, its format or its size.
  public func summary(_ source: PictureSource) throws(CropError) -> PictureSummary {
    try PictureSummary(source, limits: limits)
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
      open(source, isLenient: options.isLenient, page: options.page.first), recipe: recipe,
      options: options)
  }

  /// Carries out `recipe` on a picture that was opened with the leniency and page of `options`.
  ///
  /// A large result may be written to `file` while it is made; it is in memory otherwise. Where the
  /// result is to take the picture's place (`isReplacing`), a JPEG's data are read to their end first,
  /// so that damage that only shows there is reported while the original is still in its place, and what
  /// the file holds beside the picture must be in the result too, unless `dropsRest` allows its loss.
  ///
  /// - Throws: what is wrong with the file, the recipe or the options; `CropError.wouldLoseData`.
  public func crop(
    _ picture: OpenedPicture, recipe: CropRecipe, options: ResultOptions = ResultOptions(),
    into file: ResultFile? = nil, isReplacing: Bool = false, dropsRest: Bool = false
  ) throws(CropError) -> CropResult {
    guard isReplacing else {
      return try result(of: picture, recipe: recipe, options: options, into: file)
    }
    let (info, source) = (picture.info, picture.source)
    if !dropsRest {
      try checkReplacing(info, by: recipe, options: options, file: source.name)
    }
    var result = try result(
      of: picture, recipe: recipe, options: options, into: file, isReplacing: true)
    if !dropsRest {
      let losses = try Replacement(info, options).losses(in: inspected(result, source), result)
      guard losses.isEmpty else { throw .wouldLoseData(path: source.name, losses: losses) }
    }
    result.warnings += source.otherNames.map { [.hardLinked(names: $0)] } ?? []
    return result
  }

  /// What the structure of a result says.
  private func inspected(
    _ result: CropResult, _ source: PictureSource
  ) throws(CropError) -> ImageInfo {
    let generous = Limits.unlimited(from: limits)
    var inspection = Inspection(
      try result.source(name: source.name, limits: generous), limits: generous, isLenient: true)
    return try inspection.info()
  }

  /// Carries out `recipe` on an opened picture, whatever becomes of the rest of its file.
  func result(
    of picture: OpenedPicture, recipe: CropRecipe, options: ResultOptions,
    into file: ResultFile? = nil, isReplacing: Bool = false
  ) throws(CropError) -> CropResult {
    precondition(
      picture.isLenient == options.isLenient && picture.page == options.page.first,
      "the picture was opened with other options")
    if let bytes = options.maxBytes {
      return try crop(
        picture, recipe: recipe, options: options, atMost: bytes, isReplacing: isReplacing)
    }
    if let quality = options.quality, !ResultOptions.qualities.contains(quality) {
      throw .usage(detail: "a quality of \(quality) can't be; use 1 to 100")
    }
    let (info, source) = (picture.info, picture.source)
    let crop: ResolvedCrop
    do throws(RecipeError) {
      crop = try recipe.resolved(for: info.shown)
    } catch {
      throw .invalidRecipe(file: source.name, detail: error.message(for: info.shown))
    }
    let format = options.format ?? info.format
    try checkSize(of: crop, from: info, as: format, file: source.name)
    try options.checkPages(of: info, file: source.name)
    try options.checkFrames(of: info, file: source.name, limits: limits)
    let remarks = isReplacing && info.format == .jpeg ? try checkWhole(picture) : []
    if crop.isIdentity, options.keepPixels(of: info),
      let result = try copy(picture, options, into: file)
    {
      return result
    }
    if crop.isTurn, options.keepPixelsTurned(of: info),
      let result = try turned(picture, by: crop.orientation, options)
    {
      return result
    }
    if options.takesAllPages(of: info) {
      return try allPages(picture, recipe: recipe, options: options)
    }
    var result: CropResult
    do throws(CropError) {
      result = try backend.crop(
        PixelRequest(
          source, info: info, crop: crop, options: options, limits: limits, sink: file))
    } catch .truncated(let file, let detail) where options.isLenient {
      // All leniency has been shown: advice to ask for it would lead nowhere.
      throw .corrupt(file: file, detail: detail)
    }
    result.warnings += remarks
    if format == .gif, let provenance = options.provenance {
      result.bytes = provenance.added(toGIF: result.bytes)
    }
    result = try withGainMap(result, of: picture, crop, options)
    return try checked(
      result, format: format, size: try wantedSize(result, crop, options, file: source.name),
      source, info, options)
  }

  /// A small upright sRGB picture of the whole, of at most `maxSide` pixels a side, never enlarged:
  /// JPEG, or PNG where there is transparency, unless `format` says otherwise. `isLenient` shows what
  /// can be read of a damaged one, with a warning.
  ///
  /// - Throws: what is wrong with the file or `maxSide`.
  public func preview(
    _ source: PictureSource, maxSide: Int, format: PictureFormat? = nil, isLenient: Bool = false
  ) throws(CropError) -> CropResult {
    guard (1...RecipeError.largestOutputSide).contains(maxSide) else {
      throw .usage(detail: "a preview has 1 to \(RecipeError.largestOutputSide) pixels a side")
    }
    let picture = try open(source, isLenient: isLenient)
    let info = picture.info
    var result = try backend.preview(
      picture.source, info: info, maxSide: maxSide,
      options: ResultOptions(
        format: format, metadata: .stripAll, convertsToSRGB: true, isLenient: isLenient),
      limits: limits)
    result.warnings = Self.merged(info.warnings, result.warnings)
    return result
  }
}

/// A picture whose structure was read, by `CropEngine.open`.
public struct OpenedPicture: Sendable {
  /// What the header says.
  public let info: ImageInfo
  /// The whole file, with what lies behind the picture.
  let original: PictureSource
  /// The picture as a decoder may see it.
  let source: PictureSource
  let isLenient: Bool
  let page: Int
}

extension CropEngine {
  /// The file itself, less what is to go, once it is sure that it can be decoded; nil where the format
  /// does not allow parts to be removed.
  private func copy(
    _ picture: OpenedPicture, _ options: ResultOptions, into file: ResultFile?
  ) throws(CropError) -> CropResult? {
    let (source, info) = (picture.source, picture.info)
    guard options.metadata.keepsAll(of: info) || FileEditor.canCopy(info.format) else { return nil }
    // What is more than a copy (bytes to leave out, damage to pass over) is a crop like any other.
    guard try checkWhole(picture).isEmpty else { return nil }
    if options.metadata.keepsAll(of: info), let file = file ?? .temporary(for: source),
      source.byteCount > ResultFile.least
    {
      try source.copy(to: file)
      var result = CropResult(
        bytes: Data(), format: info.format,
        size: FrameSize(width: info.shown.width, height: info.shown.height),
        warnings: info.warnings, isLossless: true)
      result.content = .file(file)
      result.pictureCount = info.pictureCount
      return result
    }
    var bytes = try source.allBytes()
    var warnings = info.warnings
    if !options.metadata.keepsAll(of: info) {
      let kept = EditedMetadata(
        PictureMetadata(source, page: picture.page), policy: options.metadata, info: info,
        format: info.format, size: (info.stored.width, info.stored.height),
        // HEIC and AVIF say it in another place, which stays.
        orientation: FileEditor.isLaidDownByEXIF(info.format) ? info.orientation : .up)
      let editor = FileEditor(kept, dropsOthers: options.metadata == .stripAll)
      guard let edited = editor.edited(bytes, info.format),
        let made = inspected(edited, as: info, less: options.metadata)
      else { return nil }
      bytes = edited
      let dropped = kept.dropped.filter { !made.metadata.contains($0) }
      if !dropped.isEmpty { warnings.append(.metadataDropped(dropped)) }
      if options.hdr == .keep, let map = info.gainMap, made.gainMap == nil,
        let obstacle = Self.obstacle(map, info.format, options)
      {
        warnings.append(.hdrDropped(obstacle))
      }
    }
    var result = CropResult(
      bytes: bytes, format: info.format,
      size: FrameSize(width: info.shown.width, height: info.shown.height),
      warnings: warnings, isLossless: true)
    result.pictureCount = info.pictureCount
    return result
  }

  /// Makes sure that the whole picture can be decoded, its other pages too, and answers what a person should
  /// know of it: damage too, where it is passed over.
  func checkWhole(_ picture: OpenedPicture) throws(CropError) -> [CropWarning] {
    do throws(CropError) {
      let warnings = try backend.check(picture.source, info: picture.info, limits: limits)
      try checkOtherPages(of: picture)
      return warnings
    } catch {
      guard picture.isLenient, let warning = CropWarning(passingOver: error) else { throw error }
      return [warning]
    }
  }

  /// What was edited, if it is still the same picture, turned as it should be, without what was to go: what
  /// the editor did not find in a strange file must not stay in it.
  func inspected(
    _ bytes: Data, as info: ImageInfo, less policy: MetadataPolicy,
    turned orientation: Orientation = .up, count: Int? = nil
  ) -> ImageInfo? {
    var generous = limits
    generous.bytes = .max
    let source = PictureSource(bytes: bytes, name: "copy")
    var inspection = Inspection(source, limits: generous, isLenient: false)
    guard let made = try? inspection.info() else { return nil }
    let shown = OrientationMap<ImageSpace, FrameSpace>(orientation, of: info.shown).target
    let isSame =
      made.format == info.format && made.shown.width == shown.width
      && made.shown.height == shown.height
      && made.orientation == info.orientation.followed(by: orientation)
      && made.pictureCount == count ?? info.pictureCount
      && !made.metadata.contains(.location)
      && (policy != .stripAll || made.metadata.allSatisfy { [.icc, .exif].contains($0) })
    return isSame ? made : nil
  }

  /// Refuses a result that is too large, before any work is done.
  private func checkSize(
    of crop: ResolvedCrop, from info: ImageInfo, as format: PictureFormat, file: String
  ) throws(CropError) {
    // What is larger can't be coded, but a file as large can be there and be cut.
    let mayBeCut = format == info.format && crop.keepsPixels
    guard mayBeCut || max(crop.output.width, crop.output.height) <= format.largestSide else {
      throw .usage(
        detail: "\(file): \(format.displayName) holds at most \(format.largestSide) pixels "
          + "a side; choose another format or a smaller size")
    }
    let pixels = crop.output.width * crop.output.height
    guard pixels <= limits.pixels else {
      throw .limitExceeded(
        file: "the result of \(file)", limit: .pixels, actual: pixels, allowed: limits.pixels)
    }
  }

  /// The size that the result must have: what was asked for, or what was cut instead.
  private func wantedSize(
    _ result: CropResult, _ crop: ResolvedCrop, _ options: ResultOptions, file: String
  ) throws(CropError) -> FrameSize {
    guard [.snap, .outward].contains(options.lossless), result.isLossless, let cut = result.rect
    else { return crop.output }
    let isMoved =
      options.lossless == .snap
      ? cut.width == crop.output.width && cut.height == crop.output.height
      : cut.rect.contains(crop.rect)
    guard crop.frame.bounds.contains(cut.rect), isMoved else {
      throw .workerDied(file: file, detail: "its result is not what was asked for")
    }
    return FrameSize(width: cut.width, height: cut.height)
  }

  /// The result, once it is sure that it is what was asked for, with what a person should know.
  private func checked(
    _ result: CropResult, format: PictureFormat, size: FrameSize, _ source: PictureSource,
    _ info: ImageInfo, _ options: ResultOptions
  ) throws(CropError) -> CropResult {
    let generous = Limits.unlimited(from: limits)
    var inspection = Inspection(
      try result.source(name: source.name, limits: generous), limits: generous, isLenient: false)
    let made: ImageInfo
    do throws(CropError) {
      made = try inspection.info()
    } catch {
      throw .workerDied(file: source.name, detail: "its result can't be read: \(error.code)")
    }
    let frames = options.animates(info) && !options.isLenient ? info.frameCount : made.frameCount
    guard made.format == format, made.shown.width == size.width,
      made.shown.height == size.height, made.frameCount == frames
    else {
      throw .workerDied(file: source.name, detail: "its result is not what was asked for")
    }
    if result.gainMap != nil {
      guard made.gainMap?.usableSize != nil else {
        throw .workerDied(file: source.name, detail: "the gain map of its result can't be read")
      }
    }
    var result = result
    result.pictureCount = made.pictureCount
    result.warnings = Self.merged(
      info.warnings, result.warnings, Self.losses(from: info, to: made, options))
    return result
  }

  /// What the source has and the result has not, as far as it was not asked for.
  static func losses(
    from info: ImageInfo, to made: ImageInfo, _ options: ResultOptions
  ) -> [CropWarning] {
    var losses: [CropWarning] = []
    if options.page == .automatic, info.pictureCount > 1, made.pictureCount == 1 {
      losses.append(
        .framesDropped(kept: 1, of: info.pictureCount, arePages: info.pageCount > 1))
    }
    if info.hasAlpha, !made.format.holdsAlpha { losses.append(.alphaFlattened) }
    if info.bitDepth > 8, made.bitDepth < info.bitDepth {
      losses.append(.depthReduced(from: info.bitDepth, to: made.bitDepth))
    }
    let dropped = info.neverKept(under: options.metadata).filter { !made.metadata.contains($0) }
    if !dropped.isEmpty { losses.append(.metadataDropped(dropped)) }
    return losses
  }

  /// All warnings, each code once, the first one's words.
  static func merged(_ lists: [CropWarning]...) -> [CropWarning] {
    var all: [CropWarning] = []
    for warning in lists.joined() where !all.contains(where: { $0.code == warning.code }) {
      all.append(warning)
    }
    return all
  }
}

extension Limits {
  /// Limits for what the engine itself has made: none on its size.
  fileprivate static func unlimited(from limits: Limits) -> Self {
    var generous = limits
    (generous.pixels, generous.bytes) = (.max, .max)
    (generous.scans, generous.memory) = (.max, .max)
    return generous
  }
}

extension CropResult {
  /// The result as a picture to be read.
  fileprivate func source(name: String, limits: Limits) throws(CropError) -> PictureSource {
    switch content {
    case .memory(let bytes): PictureSource(bytes: bytes, name: name)
    case .file(let file): try PictureSource(file.file, name: name, limits: limits)
    }
  }
}

extension ResultOptions {
  /// Whether the pixels of a copy of the file are what these options ask for.
  fileprivate func keepPixels(of info: ImageInfo) -> Bool {
    keepPixels(of: info, page: page == .all ? .all : .automatic)
  }

  /// The same of a file whose picture is turned by what it says of it. One page of several may be asked for.
  func keepPixelsTurned(of info: ImageInfo) -> Bool {
    var same = self
    same.provenance = nil
    return (info.format == .heic || info.format == .avif) && page != .all
      && same.keepPixels(of: info, page: page)
  }

  private func keepPixels(of info: ImageInfo, page: PageChoice) -> Bool {
    let plain = ResultOptions(
      format: format, lossless: lossless, metadata: metadata, isLinear: isLinear, hdr: hdr,
      background: background, page: page, isLenient: isLenient)
    return self == plain && lossless != .never && (format == nil || format == info.format)
      && info.warnings.allSatisfy { $0 == .scansMissing }
      && (hdr == .keep || !info.metadata.contains(.gainMap))
  }
}

extension MetadataPolicy {
  /// Whether nothing of the file goes.
  fileprivate func keepsAll(of info: ImageInfo) -> Bool {
    switch self {
    case .keep: return true
    case .stripLocation:
      // XMP and IPTC can name places too.
      return info.metadata.allSatisfy { [.icc, .exif, .thumbnail].contains($0) }
    case .stripAll: return false
    }
  }
}
