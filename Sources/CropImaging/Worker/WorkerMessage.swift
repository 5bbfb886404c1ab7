import CropCore

/// A message from a pool to a worker.
enum WorkerRequest: Codable, Sendable {
  /// The first message to a process that only starts workers, as copies of itself.
  case prepare
  /// A new worker, which loads these modules of libvips; its socket and standard error are attached.
  case copy(modules: String)
  /// The first message: the largest limits of any image, and the number of images.
  case begin(Limits, pictures: Int)
  /// An image; its descriptor is attached.
  case picture(WorkerTask)
}

/// The work on one image.
struct WorkerTask: Codable, Sendable {
  /// The image's name in messages.
  var name: String
  var info: ImageInfo
  var operation: WorkerOperation
  var options: ResultOptions
  /// An option that the JSON form does not include.
  var provenance: Provenance?
  var limits: Limits
  /// What happens to the density.
  var density = DensityEdit.kept
  /// The most bytes that the result may have; a file for them is attached.
  var capacity = 0
  /// What crops of this image share; nil if they share nothing.
  var shared: SharedFields?
}

/// What a worker does with an image.
enum WorkerOperation: Codable, Sendable {
  /// Makes a crop. If the image is a gain map whose samples do not fit the crop, `map` says how to
  /// cut it instead.
  case crop(CropFields, map: GainMapFields?)
  /// Finds the area inside the border; the result has no bytes.
  case border(CropFields, tolerance: Int)
  /// Finds the corners of a sheet; the result has no bytes.
  case sheet
  /// Makes a preview of at most `maxSide` pixels per side.
  case preview(maxSide: Int)
  /// Decodes the image; the result has no bytes.
  case check
}

/// The shared pixels of several tasks.
struct SharedFields: Codable, Sendable {
  /// Identifies the image: tasks for the same image have the same key.
  var key: UInt64
  /// The area that they need of the image, and the total number of pixels.
  var rect: RectFields
  var count: Int

  init(_ pixels: SharedPixels) {
    key = pixels.key
    rect = RectFields(pixels.demand.rect)
    count = pixels.demand.count
  }

  /// The storage of the pixels in this process.
  var pixels: SharedPixels {
    SharedPixels(SharedPixels.Demand(rect: rect.rect(), count: count), key: key)
  }
}

/// A message from a worker to its pool.
enum WorkerReply: Codable, Sendable {
  /// The number of the new worker's process.
  case copied(process: Int32)
  /// Everything is loaded and the privileges are dropped.
  case ready
  /// The result; its bytes are attached as a sealed memory file.
  case done(WorkerResult)
  case failed(CropError)
}

/// A result without its bytes.
struct WorkerResult: Codable, Sendable {
  var format: ImageFormat
  var size: SizeFields
  var byteCount: Int
  var warnings: [CropWarning]
  var isLossless: Bool
  var rect: RectFields?
  var quad: Quad?
  var quality: Int?
  var requantized: RequantizedBorder?

  init(_ result: CropResult) {
    format = result.format
    size = SizeFields(result.size)
    byteCount = result.byteCount
    warnings = result.warnings
    isLossless = result.isLossless
    rect = result.rect.map(RectFields.init)
    quad = result.quad
    quality = result.quality
    requantized = result.requantized
  }
}

/// A rectangle of whole pixels as JSON.
struct RectFields: Codable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  init<Space>(_ rect: PixelRect<Space>) {
    x = rect.x
    y = rect.y
    width = rect.width
    height = rect.height
  }

  func rect<Space>() -> PixelRect<Space> { PixelRect(x: x, y: y, width: width, height: height) }
}

/// A resolved crop as JSON.
struct CropFields: Codable, Sendable {
  var orientation: Int
  var tilt: Double
  var rect: FrameRect
  var quad: Quad?
  var shape: CropShape
  var output: SizeFields

  init(_ crop: ResolvedCrop) {
    orientation = crop.orientation.rawValue
    tilt = crop.tilt.degrees
    rect = crop.rect
    quad = crop.quad
    shape = crop.shape
    output = SizeFields(crop.output)
  }

  /// The crop, after a check that it fits an image of the given size.
  func crop(of image: ImageSize) throws(RecipeError) -> ResolvedCrop {
    try ResolvedCrop(
      checking: rect, of: image, orientation: Orientation(rawValue: orientation) ?? .up,
      tilt: CropAngle(degrees: tilt), shape: shape, output: output.size(), quad: quad)
  }
}

/// The cut of a gain map as JSON.
struct GainMapFields: Codable, Sendable {
  var map: SizeFields
  var size: SizeFields
  var exact: RectFields?
  var turn: Int
  /// The nine numbers of the homography.
  var place: [Double]
  /// The item ID of the gain map in a HEIC.
  var item: Int?

  init(_ cut: GainMapCut, item: Int?) {
    self.item = item
    map = SizeFields(cut.map)
    size = SizeFields(cut.size)
    exact = cut.exact.map(RectFields.init)
    turn = cut.turn.rawValue
    let place = cut.place
    self.place = [
      place.a, place.b, place.c, place.d, place.e, place.f, place.g, place.h, place.i,
    ]
  }

  /// The cut; nil for invalid numbers.
  var cut: GainMapCut? {
    guard place.count == 9, let turn = Orientation(rawValue: turn) else { return nil }
    return GainMapCut(
      map: map.size(), size: size.size(), exact: exact?.rect(), turn: turn,
      place: Homography(
        a: place[0], b: place[1], c: place[2], d: place[3], e: place[4], f: place[5],
        g: place[6], h: place[7], i: place[8]))
  }
}
