import CropCore

/// A part of a JPEG as a separate file, for a backend that crops pixels.
///
/// It includes one MCU around the necessary area, so that its pixels are those of the complete
/// image, and all metadata.
struct JPEGPart: Sendable {
  private(set) var source: ImageSource
  /// The properties of the part, from its header or, if they are not there, from the complete
  /// image.
  let info: ImageInfo
  /// Warnings about the bytes that were read.
  let warnings: [CropWarning]
  /// The position in the upright image.
  private let place: ImageRect
  /// The size of the complete upright image.
  private let whole: ImageSize

  /// The part around `rect` of the upright image; the complete image for nil.
  private init?(_ rect: ImageRect?, _ work: JPEGJob) throws(JPEGJob.Stop) {
    var work = work
    var info = work.info
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(info.orientation, of: info.stored)
    guard let (around, part) = try work.partWithMargin(rect.map { toImage.inverse($0) }) else {
      return nil
    }
    let bytes = part.take()
    source = ImageSource(bytes: bytes, name: work.source.name)
    warnings = work.warnings
    place = toImage(around)
    whole = info.shown
    (info.byteCount, info.scanCount, info.isProgressive) = (bytes.count, 1, false)
    info.stored = around.size
    info.shown = ImageSize(width: place.width, height: place.height)
    self.info = info
  }

  /// The part that crops of the image share, if it contains what `crop` needs; otherwise a separate
  /// part, nil if there is none.
  static func holding(_ crop: ResolvedCrop, _ work: JPEGJob) throws(JPEGJob.Stop) -> Self? {
    if let shared = work.source.pixels, !work.options.isLenient {
      if case .none = shared.state(for: work.source) {
        // Damage outside this crop must not make it fail.
        let part = try? JPEGPart(shared.demand.rect, work)?.sharing(shared.demand)
        shared.leave(part.map { .kept($0) } ?? .refused, for: work.source)
      }
      if case .kept(let kept) = shared.state(for: work.source), let part = kept as? Self,
        part.crop(crop) != nil
      {
        return part
      }
    }
    // A tilt rotates about the center of the complete image.
    return try JPEGPart(crop.tilt.degrees == 0 ? crop.neededImagePart : nil, work)
  }

  /// The same part, with pixels shared by the crops that `demand` describes.
  private func sharing(_ demand: SharedPixels.Demand) -> Self {
    var copy = self
    let rect = ImageRect(
      x: demand.rect.x - place.x, y: demand.rect.y - place.y, width: demand.rect.width,
      height: demand.rect.height)
    copy.source = source.forSeveralCrops(
      sharing: SharedPixels(SharedPixels.Demand(rect: rect, count: demand.count)))
    return copy
  }

  /// The same crop, relative to this part; nil if the part does not contain the pixels that it
  /// needs.
  func crop(_ crop: ResolvedCrop) -> ResolvedCrop? {
    info.shown == whole ? crop : crop.inside(place)
  }
}
