import CropCore

/// What a pool says to a worker.
enum WorkerRequest: Codable, Sendable {
  /// The first message: the most that any picture may cost, and how many pictures there will be.
  case begin(Limits, pictures: Int)
  /// A picture; its descriptor comes along.
  case picture(WorkerOrder)
}

/// What to do with a picture.
struct WorkerOrder: Codable, Sendable {
  /// What messages call the picture.
  var name: String
  var info: ImageInfo
  /// What to cut; nil for a preview and for a check.
  var crop: CropFields?
  /// How a gain map is cut, where the picture is one and its samples don't fit the crop.
  var map: GainMapFields?
  /// The longest side of a preview; nil with no crop either is a check, whose result has no bytes.
  var maxSide: Int?
  var options: ResultOptions
  /// What the options hold and their JSON form does not.
  var provenance: Provenance?
  var limits: Limits
  /// The most bytes that its result may have; there is a file for them.
  var capacity = 0
  /// What crops of this picture share; nil where each is for itself.
  var shared: SharedFields?
}

/// What several orders share.
struct SharedFields: Codable, Sendable {
  /// Orders of one picture have one key.
  var key: UInt64
  /// What they need of the picture, and how many pixels they have together.
  var rect: RectFields
  var count: Int

  init(_ pixels: SharedPixels) {
    key = pixels.key
    rect = RectFields(pixels.demand.rect)
    count = pixels.demand.count
  }

  /// The place for the pixels, in a process of its own.
  var pixels: SharedPixels {
    SharedPixels(SharedPixels.Demand(rect: rect.rect(), count: count), key: key)
  }
}

/// What a worker says to its pool.
enum WorkerAnswer: Codable, Sendable {
  /// All is loaded, the rights are given up.
  case ready
  /// The result, whose bytes come along as a sealed file in memory.
  case done(WorkerResult)
  case failed(CropError)
}

/// A result less its bytes.
struct WorkerResult: Codable, Sendable {
  var format: PictureFormat
  var size: SizeFields
  var byteCount: Int
  var warnings: [CropWarning]
  var isLossless: Bool
  var rect: RectFields?
  var obstacle: LosslessObstacle?
  var quality: Int?
  var requantized: RequantizedBorder?

  /// What a result says of itself.
  init(_ result: CropResult) {
    format = result.format
    size = SizeFields(result.size)
    byteCount = result.byteCount
    warnings = result.warnings
    isLossless = result.isLossless
    rect = result.rect.map(RectFields.init)
    obstacle = result.obstacle
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

  /// The crop, once it is sure that it fits a picture of the given size.
  func crop(of image: ImageSize) throws(RecipeError) -> ResolvedCrop {
    try ResolvedCrop(
      checking: rect, of: image, orientation: Orientation(rawValue: orientation) ?? .up,
      tilt: Angle(degrees: tilt), shape: shape, output: output.size(), quad: quad)
  }
}
