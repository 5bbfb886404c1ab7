import CropCore
import CropFormats
import FoundationEssentials

/// What becomes of a gain map when its picture is cropped.
public enum HDRMode: String, Sendable, CaseIterable {
  /// The map is cut with the picture, where the result's format can hold it.
  case keep
  /// The result has none.
  case drop
}

/// How the gain map of a result was made.
public enum GainMapOutcome: String, Sendable, Codable {
  /// Its samples were copied as they were coded.
  case cut
  /// Its samples were coded again.
  case recoded = "re-coded"
}

extension CropEngine {
  /// The quality with which the samples of a gain map are coded.
  private static var mapQuality: Int { 95 }

  /// The result with its picture's gain map, cut along; as it is where there is none or it can't be kept, with a
  /// warning that says why.
  func withGainMap(
    _ result: CropResult, of picture: OpenedPicture, _ crop: ResolvedCrop, _ options: ResultOptions
  ) throws(CropError) -> CropResult {
    var result = result
    guard let info = picture.info.gainMap, options.hdr == .keep else { return result }
    let straightened = crop.quad == nil ? nil : "its picture was straightened by four corners"
    if let obstacle = straightened ?? Self.obstacle(info, result.format, options) {
      result.warnings.append(.hdrDropped(obstacle))
      return result
    }
    guard picture.info.format == .jpeg, let size = info.usableSize, let place = info.place else {
      result.warnings.append(.hdrDropped("this kind of gain map can't be cut"))
      return result
    }
    guard place.count <= limits.memory / 2 else {
      result.warnings.append(.hdrDropped("it is too large"))
      return result
    }
    let done = result.cropDone(crop)
    guard result.size == done.output else {
      result.warnings.append(.hdrDropped("the result is more than the crop"))
      return result
    }
    do throws(CropError) {
      let source = try picture.original.part(place.offset, place.count)
      let exif = PictureMetadata(picture.original).blocks.exif
      let (map, outcome) = try cutMap(source, size, result, picture.info, crop, options)
      guard let file = GainMapContainer(map, numbersOf: try source.allBytes(), exif: exif) else {
        throw .corrupt(file: source.name, detail: "its numbers are missing")
      }
      try result.join(file)
      result.gainMap = outcome
    } catch {
      // A call that was stopped fails as a whole; whatever is wrong with the map leaves the picture.
      try CropStop.check()
      if case .writeFailed = error { throw error }
      if case .diskFull = error { throw error }
      result.warnings.append(.hdrDropped("it can't be read"))
    }
    return result
  }

  /// Why a result of the given format has no gain map; nil where it can have one.
  static func obstacle(
    _ info: GainMapInfo, _ format: PictureFormat, _ options: ResultOptions
  ) -> String? {
    if format != .jpeg { return "a \(format.displayName) file made here can't hold it" }
    if options.convertsToSRGB { return "it belongs to the colours before the conversion to sRGB" }
    return info.fault
  }

  /// The map of the result, and how it was made.
  private func cutMap(
    _ source: PictureSource, _ size: BitmapSize, _ result: CropResult, _ base: ImageInfo,
    _ crop: ResolvedCrop, _ options: ResultOptions
  ) throws(CropError) -> (Data, GainMapOutcome) {
    var inspection = Inspection(source, limits: limits, isLenient: false)
    let info = try inspection.info()
    guard info.format == .jpeg, info.stored == size,
      let cut = GainMapCut(
        result.cropDone(crop), map: size, base: base.stored, orientation: base.orientation,
        flag: result.flag)
    else { throw .corrupt(file: source.name, detail: "its size changes") }
    let job = try request(cut, source, info, options)
    let made = try backend.crop(job)
    var check = Inspection(
      PictureSource(bytes: made.bytes, name: source.name), limits: limits, isLenient: false)
    let found = try check.info()
    guard found.format == .jpeg, found.stored == cut.size, found.orientation == .up else {
      throw .workerDied(file: source.name, detail: "its result is not what was asked for")
    }
    return (made.bytes, made.isLossless ? .cut : .recoded)
  }

  private func request(
    _ cut: GainMapCut, _ source: PictureSource, _ info: ImageInfo, _ options: ResultOptions
  ) throws(CropError) -> PixelRequest {
    let image = ImageSize(width: info.stored.width, height: info.stored.height)
    var info = info
    // The map lies as its picture does, whatever it says itself.
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
        format: .jpeg, quality: Self.mapQuality, isBaked: true, metadata: .stripAll),
      limits: limits)
    request.map = cut.exact == nil ? cut : nil
    return request
  }
}

extension CropResult {
  /// The crop that was carried out: under `snap` it may be more than was asked for.
  fileprivate func cropDone(_ crop: ResolvedCrop) -> ResolvedCrop {
    guard let rect, crop.output == crop.rectSize, rect.rect != crop.rect,
      let done = try? ResolvedCrop(
        checking: rect.rect, of: crop.image, orientation: crop.orientation, tilt: crop.tilt,
        shape: crop.shape, output: rect.size)
    else { return crop }
    return done
  }

  /// How the stored pixels of a JPEG are oriented, as its EXIF says.
  fileprivate var flag: Orientation {
    for (marker, content) in JPEGSegments.applications(in: bytes) where marker == 0xE1 {
      if content.starts(with: Array("Exif\0\0".utf8)) {
        return EXIFBlock.orientation(of: content) ?? .up
      }
    }
    return .up
  }

  /// Puts a gain map behind the picture.
  fileprivate mutating func join(_ map: GainMapContainer) throws(CropError) {
    let count = byteCount
    let start = bytes
    let (head, replaced) = map.head(of: start, byteCount: count)
    if let file {
      try file.replaceStart(replaced, with: head)
      try map.tail.withEveryByte { (all) throws(CropError) in try file.append(all) }
    } else {
      var all = Data(capacity: head.count + count - replaced + map.mapByteCount)
      all.append(head)
      all.append(start.dropFirst(replaced))
      all.append(map.tail)
      bytes = all
    }
  }
}

extension PictureSource {
  /// A run of the file's bytes, in memory.
  fileprivate func part(_ offset: Int, _ count: Int) throws(CropError) -> PictureSource {
    guard let part = JPEGBytes(count: count) else {
      throw .memoryRefused(file: name, allowed: count)
    }
    guard try read(into: part.buffer, at: offset) == count else {
      throw .readFailed(file: name, detail: "it became shorter while it was read")
    }
    return PictureSource(bytes: part.take(), name: "the gain map of \(name)")
  }
}

extension CropWarning {
  /// The gain map, with which a screen shows more light, is not in the result.
  public static func hdrDropped(_ reason: String) -> Self {
    Self(
      code: "hdr-dropped", message: "the HDR gain map is left out: \(reason)", dropped: [.gainMap])
  }
}
