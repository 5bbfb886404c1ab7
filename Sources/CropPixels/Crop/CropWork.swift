import CVips
import CropCore
import CropImaging
import FoundationEssentials

/// One crop, from the bytes of the source to those of the result.
struct CropWork {
  let source: ImageSource
  let info: ImageInfo
  let crop: ResolvedCrop
  let options: ResultOptions
  let limits: Limits
  /// How to cut a gain map, if the image is one in a HEIC.
  private let map: GainMapCut?
  private let mapItem: Int?
  /// What happens to the density that the source states.
  let density: DensityEdit
  /// The sheet that the crop is repeated on; nil for one crop.
  let sheet: PrintSheet?
  let deadline: Deadline
  var warnings: [CropWarning] = []

  init(_ request: PixelRequest) {
    source = request.source
    info = request.info
    crop = request.crop
    options = request.options
    limits = request.limits
    (map, mapItem) = (request.map, request.mapItem)
    density = request.density
    let (options, output) = (request.options, request.crop.output)
    sheet = request.density.density.flatMap { try? options.printSheet(of: output, $0) }
    deadline = Deadline(seconds: limits.seconds)
  }

  var format: ImageFormat { options.format ?? info.format }

  /// The position of the crop on its canvas; nil without a canvas.
  var layout: CanvasLayout? { options.surroundings?.layout(of: crop.output) }

  var size: FrameSize { sheet?.size ?? layout?.size ?? crop.output }

  mutating func run() throws(CropError) -> CropResult {
    try checkOutputSize()
    return try reading { work, reader in
      if let map = work.map { return try work.sampled(map, from: reader) }
      return try work.made(from: reader)
    }
  }

  /// Reads the source for `work`, and converts errors to this program's messages.
  mutating func reading<Value>(
    _ work: (inout CropWork, SourceReader) throws -> Value
  ) throws(CropError) -> Value {
    let reader = try SourceReader(
      source, info: info, page: options.page.first, item: map == nil ? nil : mapItem)
    do {
      return try work(&self, reader)
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
    let side = max(size.width, size.height)
    guard side <= format.largestSide else {
      throw .unsupportedFeature(
        file: source.name,
        feature: "a \(format.displayName) of \(side) pixels per side "
          + "(at most \(format.largestSide) fit)")
    }
  }

  private mutating func made(from reader: SourceReader) throws -> CropResult {
    if options.animates(info) { return try animated(from: reader) }
    let stored = try stored(from: reader)
    let metadata = keptMetadata(ofPage: stored.page + 1)
    let part = crop.neededPart
    let holds = crop.tilt.degrees != 0 || !stored.keepsRowOrder(with: crop.orientation)
    // Squares that are averaged while decoding leave one sample each.
    let squares = holds ? 1 : crop.shrink * crop.shrink
    let held = (holds || crop.quad != nil ? part.width * part.height / squares : 0) + heldCrop
    try stored.checkMemory(info: info, file: source.name, held: held, limits: limits)
    if info.format == .tiff {
      warnings += try source.checkTIFFJPEGs(
        page: stored.page, part: stored.storedPart(of: crop), limits: limits,
        isLenient: options.isLenient)
    }

    let (picture, isExact) = try shaped(stored)
    var output = PictureOutput(
      picture, of: self, metadata: metadata, isExact: isExact, page: stored.page,
      isTransposed: info.orientation.followed(by: crop.orientation).isTransposing)
    deadline.watch(output.picture)
    let finished = try output.finished(limits: limits)
    try checkVipsWarnings()
    var result = CropResult(
      bytes: finished, format: format, size: size,
      warnings: warnings + stored.warnings + output.warnings, isLossless: output.isLossless)
    result.quality = output.sourceQuality
    return result
  }

  /// The metadata of a page, from 1, that may be kept; files without any are not searched.
  func keptMetadata(ofPage page: Int) -> ImageMetadata {
    let kinds: [MetadataKind] = [.exif, .xmp, .photoshop, .text]
    // A TIFF has metadata outside of EXIF too.
    guard options.metadata != .stripAll,
      info.format == .tiff || info.metadata.contains(where: kinds.contains)
    else { return ImageMetadata() }
    return ImageMetadata(source, page: page)
  }

  /// The number of pixels of the crop that are kept in memory for a sheet, or to compute the fill of
  /// its canvas.
  var heldCrop: Int {
    if sheet != nil { return crop.output.width * crop.output.height }
    guard layout != nil, [.edge, .blur].contains(options.canvasFill) else { return 0 }
    let crop = self.crop.output.width * self.crop.output.height
    // A backdrop behind transparent pixels is kept too.
    let isClear = info.hasAlpha || self.crop.shape != .rectangle
    return options.canvasFill == .blur && isClear ? crop + size.width * size.height : crop
  }

  /// The crop of `stored`: its part oriented, tilted, resampled, masked and placed on its canvas;
  /// and whether its pixels are those of the source, only moved.
  func shaped(_ stored: DecodedPicture) throws -> (picture: Picture, isExact: Bool) {
    var picture = try stored.part(of: crop)
    let isMoved = crop.quad == nil && picture.size == (crop.output.width, crop.output.height)
    let isResampled = crop.quad != nil || crop.tilt.degrees != 0 || !isMoved
    // These encoders blur hidden colors into visible ones.
    let keepsHidden = format.isHEIF && layout == nil
    if isResampled || keepsHidden, let outline = OutlinePixels(crop) {
      picture = try picture.continued(beyond: outline)
    }
    if isResampled { picture = try resampled(picture) }
    if let mask = ShapeMask(crop) {
      picture = try picture.masked(by: mask, keepsHidden: keepsHidden)
    }
    if let layout {
      // The fill is an sRGB color, and must be exact.
      if options.convertsToSRGB { picture = try picture.inSRGB().withoutProfile() }
      picture = try CanvasDrawing(layout: layout, fill: options.canvasFill).drawn(picture)
    }
    if let sheet { picture = try picture.repeated(on: sheet, color: options.background) }
    return (picture, crop.tilt.degrees == 0 && isMoved && crop.shape == .rectangle)
  }

  private func resampled(_ picture: Picture) throws(VipsFailure) -> Picture {
    if let quad = StraightenedQuad(crop) {
      return try quad.straightened(picture, isLinear: options.isLinear)
    }
    return try picture.resampled(isLinear: options.isLinear) { picture throws(VipsFailure) in
      let straight =
        crop.tilt.degrees == 0
        ? picture
        : try picture.tilted(
          by: crop.tilt, part: crop.neededPart, rect: crop.rect, frame: crop.frame)
      return try straight.resized(to: crop.output)
    }
  }

  /// Combines the decoders' messages about ignored damage into one warning.
  mutating func checkVipsWarnings() throws {
    let damage = Messages.takeWarnings().filter { !Self.harmless.contains(where: $0.contains) }
    guard options.isLenient, let first = damage.first else { return }
    warnings.append(.damaged("\(first.prefix(120))"))
  }

  /// Messages that libvips also prints for valid images.
  private static let harmless = ["ignoring nclx profile", "exif", "icc", "profile"]
}
