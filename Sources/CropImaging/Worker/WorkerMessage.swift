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
  /// The crop as a recipe, which gives the same crop again; nil for a preview.
  var recipe: CropRecipe?
  /// The longest side of a preview.
  var maxSide: Int?
  var options: ResultOptions
  var limits: Limits
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

  /// What a result says of itself.
  init(_ result: CropResult) {
    format = result.format
    size = SizeFields(result.size)
    byteCount = result.byteCount
    warnings = result.warnings
    isLossless = result.isLossless
    rect = result.rect.map(RectFields.init)
    obstacle = result.obstacle
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

extension CropRecipe {
  /// The recipe that resolves to `crop` on a picture of its size.
  init(_ crop: ResolvedCrop) {
    self.init(
      rect: crop.rect, tilt: crop.tilt, shape: crop.shape,
      output: crop.output == crop.rectSize
        ? nil : .exact(width: crop.output.width, height: crop.output.height))
    orientation = crop.orientation
  }
}
