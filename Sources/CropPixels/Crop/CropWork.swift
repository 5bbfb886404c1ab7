import CVips
import CropCore
import CropImaging
import FoundationEssentials

/// One crop on its way from bytes to bytes.
struct CropWork {
  let source: PictureSource
  let info: ImageInfo
  let crop: ResolvedCrop
  let options: ResultOptions
  let limits: Limits
  let deadline: Deadline
  var warnings: [CropWarning] = []

  init(_ request: PixelRequest) {
    source = request.source
    info = request.info
    crop = request.crop
    options = request.options
    limits = request.limits
    deadline = Deadline(seconds: limits.seconds)
  }

  var format: PictureFormat { options.format ?? info.format }

  /// Carries it out.
  mutating func run() throws(CropError) -> CropResult {
    try checkOutputSize()
    let reader = try SourceReader(source, info: info, page: options.page.first)
    do {
      return try made(from: reader)
    } catch let error as CropError {
      throw error
    } catch let failure as VipsFailure {
      if let error = reader.failure { throw error }
      let words = FailureWords(failure)
      if words.isMissingEncoder {
        throw .componentMissing(
          component: "the \(format.displayName) encoder",
          advice: "install libheif with it, or ask for another format")
      }
      throw words.error(file: source.name, format: info.format, limits: limits)
    } catch {
      throw .corrupt(file: source.name, detail: "\(error)")
    }
  }

  private func checkOutputSize() throws(CropError) {
    let side = max(crop.output.width, crop.output.height)
    guard side <= format.largestSide else {
      throw .unsupportedFeature(
        file: source.name,
        feature: "a \(format.displayName) of \(side) pixels a side "
          + "(at most \(format.largestSide) fit)")
    }
  }

  private mutating func made(from reader: SourceReader) throws -> CropResult {
    if options.animates(info) { return try animated(from: reader) }
    let stored = try stored(from: reader)
    let metadata = keptMetadata(ofPage: stored.page + 1)
    let part = crop.neededPart
    let holds = crop.tilt.degrees != 0 || !stored.keepsRowOrder(with: crop.orientation)
    // Squares that are averaged as they come leave one sample each, unless edge pixels must go on first.
    let squares = holds || crop.sampledArea != part ? 1 : crop.shrink * crop.shrink
    let held = holds || crop.quad != nil ? part.width * part.height / squares : 0
    try stored.checkMemory(info: info, file: source.name, held: held, limits: limits)
    if info.format == .tiff {
      warnings += try source.checkTIFFJPEGs(
        page: stored.page, part: stored.storedPart(of: crop), limits: limits,
        isLenient: options.isLenient)
    }

    let (picture, isExact) = try shaped(stored)
    var output = PictureOutput(
      picture, source: source, info: info, options: options, metadata: metadata,
      isExact: isExact, page: stored.page,
      isTransposed: info.orientation.followed(by: crop.orientation).isTransposing)
    deadline.watch(output.picture)
    let finished = try output.finished(limits: limits)
    try checkSaid()
    var result = CropResult(
      bytes: finished, format: format, size: crop.output,
      warnings: warnings + stored.warnings + output.warnings, isLossless: output.isLossless)
    result.quality = output.sourceQuality
    return result
  }

  /// The metadata of a page, from 1, that may stay; files without any are not searched.
  func keptMetadata(ofPage page: Int) -> PictureMetadata {
    let kinds: [MetadataKind] = [.exif, .xmp, .photoshop, .text]
    // A TIFF has metadata beside EXIF too.
    guard options.metadata != .stripAll,
      info.format == .tiff || info.metadata.contains(where: kinds.contains)
    else { return PictureMetadata() }
    return PictureMetadata(source, page: page)
  }

  /// The crop of `stored`: its part oriented, tilted, resampled and masked; and whether its pixels are
  /// those of the source, moved at most.
  func shaped(_ stored: DecodedPicture) throws -> (picture: Picture, isExact: Bool) {
    var picture = try stored.part(of: crop)
    let isMoved = crop.quad == nil && picture.size == (crop.output.width, crop.output.height)
    if let quad = StraightenedQuad(crop) {
      picture = try quad.straightened(picture, isLinear: options.isLinear)
    } else if crop.tilt.degrees != 0 || !isMoved {
      picture = try picture.resampled(isLinear: options.isLinear) { picture throws(VipsFailure) in
        let straight =
          crop.tilt.degrees == 0
          ? picture
          : try picture.tilted(
            by: crop.tilt, part: crop.neededPart, rect: crop.rect, frame: crop.frame)
        return try straight.resized(to: crop.output)
      }
    }
    if let mask = ShapeMask(crop) { picture = try picture.masked(by: mask) }
    return (picture, crop.tilt.degrees == 0 && isMoved && crop.shape == .rectangle)
  }

  /// Turns what the decoders said while damage was passed over into one warning.
  mutating func checkSaid() throws {
    let said = Messages.takeWarnings().filter { !Self.harmless.contains(where: $0.contains) }
    guard options.isLenient, let first = said.first else { return }
    warnings.append(.damaged("part of the picture could not be decoded: \(first.prefix(120))"))
  }

  /// What libvips says about good pictures too.
  private static let harmless = ["ignoring nclx profile", "exif", "icc", "profile"]
}
