import CropCore
import CropFormats
import CropJPEG
import FoundationEssentials

/// What to do with an image's gain map when the image is cropped.
public enum HDRMode: String, Sendable, CaseIterable {
  /// Crop the map with the image, if the result's format can store one.
  case keep
  /// Leave the map out of the result.
  case drop
}

/// How the gain map of a result was made.
public enum GainMapOutcome: String, Sendable, Codable {
  /// Its samples were copied without re-encoding.
  case cut
  /// Its samples were re-encoded.
  case recoded = "re-coded"

  /// The outcome for a map that was copied together with its file; nil if the file has no usable
  /// map.
  init?(copied map: GainMapInfo?) {
    guard map?.usableSize != nil else { return nil }
    self = .cut
  }
}

/// Crops the gain map of an image like the image, and adds it to the result.
struct GainMapCrop {
  let engine: CropEngine
  let picture: OpenedImage
  let plan: CropPlan

  /// The quality, 1 to 100, with which the samples of a gain map are encoded.
  private static var mapQuality: Int { 95 }
  private var base: ImageInfo { picture.info }

  /// The result with the map; unchanged if there is none or it can't be kept, with a warning that
  /// gives the reason.
  func added(to result: CropResult) throws(CropError) -> CropResult {
    var result = result
    guard let map = base.gainMap, plan.options.hdr == .keep else { return result }
    if let obstacle = base.gainMapObstacle(plan.format, plan.options, plan.crop) {
      result.warnings.append(.hdrDropped(obstacle))
      return result
    }
    let done = result.cropDone(plan.crop)
    guard result.size == done.output else {
      result.warnings.append(.hdrDropped("the result has more than the crop"))
      return result
    }
    do throws(CropError) {
      if let item = map.item {
        try addMap(item, done, to: &result)
      } else {
        try addMap(map, done, to: &result)
      }
    } catch {
      // Cancelling stops the complete call; any other error with the map only drops the map.
      try CropStop.check()
      if case .writeFailed = error { throw error }
      if case .diskFull = error { throw error }
      result.warnings.append(.hdrDropped("it can't be read"))
    }
    return result
  }

  /// Crops the map of a JPEG, and appends it to the result.
  private func addMap(
    _ map: GainMapInfo, _ crop: ResolvedCrop, to result: inout CropResult
  ) throws(CropError) {
    guard let size = map.usableSize, let place = map.place else { return }
    guard place.count <= engine.limits.memory / 2 else {
      result.warnings.append(.hdrDropped("it is too large"))
      return
    }
    let source = try picture.original.part(place.offset, place.count)
    let exif = ImageMetadata(picture.original).blocks.exif
    let (made, outcome) = try cutMap(source, size, result, crop)
    let numbers = GainMapNumbers(inFile: Array(try source.allBytes()))
    guard let file = GainMapContainer(Array(made), numbers, exif: exif) else {
      throw .corrupt(file: source.name, detail: "its numbers are missing")
    }
    try result.join(file)
    result.gainMap = outcome
  }

  /// Crops the map of a HEIC or AVIF, and inserts it into the result.
  private func addMap(
    _ item: GainMapInfo.Item, _ crop: ResolvedCrop, to result: inout CropResult
  ) throws(CropError) {
    let source = picture.original
    let shown = ImageSize(width: item.shown.width, height: item.shown.height)
    // The decoder returns upright images, and the result is upright too.
    guard
      let cut = GainMapCut(
        crop, map: BitmapSize(width: shown.width, height: shown.height),
        base: BitmapSize(width: base.shown.width, height: base.shown.height), orientation: .up,
        flag: result.format == .jpeg ? result.flag : .up)
    else { throw .corrupt(file: source.name, detail: "its size changes") }
    let made = try engine.backend.crop(try request(cut, item, result.format))
    let exif = ImageMetadata(source, page: picture.page).blocks.exif
    let numbers = try GainMapNumbers(inHEIF: source, page: picture.page)
    if result.format == .jpeg {
      guard let converted = numbers.inJPEG(exif: exif) else {
        result.warnings.append(.hdrDropped("it is in colors that a JPEG can't state"))
        return
      }
      guard let file = GainMapContainer(Array(made.bytes), converted, exif: exif) else {
        throw .corrupt(file: source.name, detail: "its numbers are missing")
      }
      try result.join(file)
    } else {
      let file = numbers.heif(
        made.bytes, behind: result.bytes, as: result.format, exif: exif)
      guard let file else {
        throw .corrupt(file: source.name, detail: "its numbers are missing")
      }
      result.bytes = file
    }
    result.gainMap = .recoded
  }

  private func request(
    _ cut: GainMapCut, _ item: GainMapInfo.Item, _ format: ImageFormat
  ) throws(CropError) -> PixelRequest {
    var info = base
    let shown = ImageSize(width: item.shown.width, height: item.shown.height)
    info.orientation = Orientation(rawValue: item.orientation) ?? .up
    info.shown = shown
    info.stored = info.gainMap?.usableSize ?? info.stored
    (info.bitDepth, info.hasAlpha, info.pageCount) = (8, false, 1)
    info.color = info.gainMap?.channels == 1 ? .gray : .rgb
    (info.profileName, info.colorCoding) = (nil, nil)
    let crop: ResolvedCrop
    do throws(RecipeError) {
      crop = try CropRecipe().resolved(for: shown)
    } catch {
      throw .corrupt(file: picture.original.name, detail: "its size changes")
    }
    var request = PixelRequest(
      picture.original, info: info, crop: crop,
      options: ResultOptions(format: format, quality: .level(Self.mapQuality), metadata: .stripAll),
      limits: engine.limits)
    (request.map, request.mapItem) = (cut, item.number)
    return request
  }

  /// The map of the result, and how it was made.
  private func cutMap(
    _ source: ImageSource, _ size: BitmapSize, _ result: CropResult, _ crop: ResolvedCrop
  ) throws(CropError) -> (Data, GainMapOutcome) {
    let info = try ImageInfo(source, limits: engine.limits, isLenient: false)
    guard info.format == .jpeg, info.stored == size,
      let cut = GainMapCut(
        crop, map: size, base: base.stored, orientation: base.orientation,
        flag: result.flag)
    else { throw .corrupt(file: source.name, detail: "its size changes") }
    let made = try engine.backend.crop(request(cut, source, info))
    let found = try ImageInfo(
      ImageSource(bytes: made.bytes, name: source.name), limits: engine.limits, isLenient: false)
    guard found.format == .jpeg, found.stored == cut.size, found.orientation == .up else {
      throw .workerDied(file: source.name, detail: "its result is not what was requested")
    }
    return (made.bytes, made.isLossless ? .cut : .recoded)
  }

  private func request(
    _ cut: GainMapCut, _ source: ImageSource, _ info: ImageInfo
  ) throws(CropError) -> PixelRequest {
    let image = ImageSize(width: info.stored.width, height: info.stored.height)
    var info = info
    // The map is oriented like its image; its own orientation is ignored.
    (info.orientation, info.shown) = (.up, image)
    let samples = cut.exact ?? BitmapRect(x: 0, y: 0, width: image.width, height: image.height)
    let turn = cut.exact == nil ? Orientation.up : cut.turn
    let toFrame = OrientationMap<ImageSpace, FrameSpace>(turn, of: image)
    let rect = toFrame(
      ImageRect(x: samples.x, y: samples.y, width: samples.width, height: samples.height))
    let crop: ResolvedCrop
    do throws(RecipeError) {
      crop = try ResolvedCrop(
        checking: rect.rect, of: image, orientation: turn, tilt: .zero, shape: .rectangle,
        output: rect.size)
    } catch {
      throw .corrupt(file: source.name, detail: "its size changes")
    }
    var request = PixelRequest(
      source, info: info, crop: crop,
      options: ResultOptions(
        format: .jpeg, quality: .level(Self.mapQuality), isBaked: true, metadata: .stripAll),
      limits: engine.limits)
    request.map = cut.exact == nil ? cut : nil
    return request
  }
}

extension CropEngine {
  /// A small JPEG of the complete image with its gain map; nil if it can't have one.
  func previewWithGainMap(
    _ picture: OpenedImage, maxSide: Int
  ) throws(CropError) -> CropResult? {
    let options = ResultOptions(
      format: .jpeg, subsampling: .s420, lossless: .never, isBaked: true, metadata: .stripAll,
      isLenient: picture.isLenient)
    guard picture.info.gainMap != nil, !picture.info.hasAlpha,
      picture.info.gainMapObstacle(.jpeg, options) == nil
    else { return nil }
    let result = try result(
      of: picture, recipe: PageRecipes(CropRecipe(output: .maxSide(maxSide))), options: options)
    return result.gainMap == nil ? nil : result
  }
}

extension ImageInfo {
  /// Why a result of the given format has no gain map of the image; nil if it can have one.
  func gainMapObstacle(
    _ format: ImageFormat, _ options: ResultOptions, _ crop: ResolvedCrop? = nil
  ) -> String? {
    guard let map = gainMap else { return nil }
    let canHold = format == .jpeg || (format.isHEIF && self.format.isHEIF)
    if !canHold { return "\(format.displayName) files made here can't hold it" }
    if options.convertsToSRGB { return "it belongs to the colors before the conversion to sRGB" }
    if options.surroundings != nil { return "it is smaller than the canvas" }
    if options.sheet != nil { return "a print sheet can't have one" }
    if let fault = map.fault { return fault }
    // Only Apple's own form needs no such number, which all others have.
    if map.item != nil, format != .heic, map.headroom == nil {
      return GainMapInfo.unknownBrightness
    }
    if map.usableSize == nil || (map.place == nil && map.item == nil) {
      return "this kind of gain map can't be cropped"
    }
    return crop.map { $0.shape == .rectangle } ?? true ? nil : "it would show what the shape hides"
  }
}

extension CropResult {
  /// The crop that was made; with `snap` it may differ from the requested one.
  fileprivate func cropDone(_ crop: ResolvedCrop) -> ResolvedCrop {
    guard let rect, crop.quad == nil, crop.output == crop.rectSize, rect.rect != crop.rect,
      let done = try? ResolvedCrop(
        checking: rect.rect, of: crop.image, orientation: crop.orientation, tilt: crop.tilt,
        shape: crop.shape, output: rect.size)
    else { return crop }
    return done
  }

  /// The orientation of a JPEG's stored pixels, from its EXIF.
  fileprivate var flag: Orientation {
    for (marker, content) in JPEGSegments.applications(in: bytes) where marker == 0xE1 {
      if content.starts(with: Array("Exif\0\0".utf8)) {
        return EXIFBlock.orientation(of: content) ?? .up
      }
    }
    return .up
  }

  /// Adds a kind of metadata to the warning about dropped metadata.
  private mutating func addDropped(_ kind: MetadataKind) {
    let code = CropWarning.metadataDropped([]).code
    let others = warnings.filter { $0.code == code }.flatMap { $0.dropped ?? [] }
    warnings.removeAll { $0.code == code }
    warnings.append(.metadataDropped(others + [kind]))
  }

  /// Appends a gain map to the image.
  fileprivate mutating func join(_ map: GainMapContainer) throws(CropError) {
    let (count, start) = (byteCount, bytes)
    let made = start.withUnsafeBytes { bytes in
      Result { () throws(JPEGError) in try map.head(of: JPEGInput(bytes), byteCount: count) }
    }
    guard case .success(let head) = made else {
      throw .corrupt(file: "the result", detail: "its JPEG segments are inconsistent")
    }
    if head.dropsXMP { addDropped(.xmp) }
    if let file {
      try file.replaceStart(head.replaced, with: Data(head.bytes))
      try map.tail.withUnsafeBufferPointer { (all) throws(CropError) in
        try file.append(UnsafeRawBufferPointer(all))
      }
    } else {
      var all = Data(capacity: head.bytes.count + count - head.replaced + map.tail.count)
      all.append(contentsOf: head.bytes)
      all.append(start.dropFirst(head.replaced))
      all.append(contentsOf: map.tail)
      bytes = all
    }
  }
}

extension ImageSource {
  /// A range of the file's bytes, in memory.
  fileprivate func part(_ offset: Int, _ count: Int) throws(CropError) -> ImageSource {
    guard let part = JPEGBytes(count: count) else {
      throw .memoryRefused(file: name, allowed: count)
    }
    try fill(part.buffer, at: offset)
    return ImageSource(bytes: part.take(), name: "the gain map of \(name)")
  }
}

extension CropWarning {
  /// The gain map, which makes parts of the image brighter on an HDR screen, is not in the result.
  public static func hdrDropped(_ reason: String) -> Self {
    Self(
      code: "hdr-dropped", message: "the HDR gain map is left out: \(reason)", dropped: [.gainMap])
  }
}
