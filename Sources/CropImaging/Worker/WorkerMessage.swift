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

  init(_ rect: PixelRect<FrameSpace>) {
    x = rect.x
    y = rect.y
    width = rect.width
    height = rect.height
  }

  var rect: PixelRect<FrameSpace> { PixelRect(x: x, y: y, width: width, height: height) }
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
