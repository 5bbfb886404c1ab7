import CropCore

/// A part of a JPEG as a file of its own, for a backend that crops pixels.
///
/// It has one MCU around what is needed, so that its pixels are those of the whole picture, and all
/// metadata.
struct JPEGPart: Sendable {
  /// The file.
  private(set) var source: PictureSource
  /// What its own header says, and the whole picture's of the rest.
  let info: ImageInfo
  /// What a person should know of the bytes that were read.
  let warnings: [CropWarning]
  /// Where it lies in the upright picture.
  private let place: ImageRect
  /// The whole upright picture.
  private let whole: ImageSize

  /// What is around `rect` of the upright picture; all of it for nil.
  private init(_ rect: ImageRect?, _ work: JPEGJob) throws(JPEGJob.Stop) {
    var work = work
    var info = work.info
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(info.orientation, of: info.stored)
    let (around, part) = try work.partWithMargin(rect.map { toImage.inverse($0) })
    let bytes = part.take()
    source = PictureSource(bytes: bytes, name: work.source.name)
    warnings = work.warnings
    place = toImage(around)
    whole = info.shown
    (info.byteCount, info.scanCount, info.isProgressive) = (bytes.count, 1, false)
    info.stored = around.size
    info.shown = ImageSize(width: place.width, height: place.height)
    self.info = info
  }

  /// The part that crops of the picture share, where it holds what `crop` needs; else a part of its own.
  static func holding(_ crop: ResolvedCrop, _ work: JPEGJob) throws(JPEGJob.Stop) -> Self {
    if let shared = work.source.pixels, !work.options.isLenient {
      if case .none = shared.state(for: work.source) {
        // Damage outside this crop must not make it fail.
        let part = try? JPEGPart(shared.demand.rect, work).sharing(shared.demand)
        shared.leave(part.map { .kept($0) } ?? .refused, for: work.source)
      }
      if case .kept(let kept) = shared.state(for: work.source), let part = kept as? Self,
        part.crop(crop) != nil
      {
        return part
      }
    }
    // A tilt is about the middle of the whole picture.
    return try JPEGPart(crop.tilt.degrees == 0 ? crop.neededImagePart : nil, work)
  }

  /// The same, whose pixels crops share that need what `demand` tells of the whole picture.
  private func sharing(_ demand: SharedPixels.Demand) -> Self {
    var copy = self
    let rect = ImageRect(
      x: demand.rect.x - place.x, y: demand.rect.y - place.y, width: demand.rect.width,
      height: demand.rect.height)
    copy.source = source.forSeveralCrops(
      sharing: SharedPixels(SharedPixels.Demand(rect: rect, count: demand.count)))
    return copy
  }

  /// The same crop, of this part; nil where that does not hold what it needs.
  func crop(_ crop: ResolvedCrop) -> ResolvedCrop? {
    info.shown == whole ? crop : crop.inside(place)
  }
}
