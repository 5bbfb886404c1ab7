/// The JPEG in which a picture is stored, as far as it decides whether a crop can be lossless.
public struct StoredJPEG: Hashable, Sendable {
  /// The grid on which it can be cut, in stored pixels.
  public var grid: JPEGGrid
  /// How its pixels are to be oriented, as EXIF says.
  public var orientation: Orientation

  /// A JPEG of the given grid and orientation.
  public init(grid: JPEGGrid, orientation: Orientation) {
    self.grid = grid
    self.orientation = orientation
  }

  /// The upright size, in pixels.
  public var imageSize: ImageSize {
    OrientationMap<BitmapSpace, ImageSpace>(orientation, of: grid.size).target
  }
}

/// What the file will be like.
extension CropSession {
  /// Says in which JPEG the picture that was opened is stored; nil when it is in none that can be cut
  /// by blocks. A picture that is opened is in none until this says so.
  ///
  /// - Returns: what changed; `refused`, and nothing else, for a JPEG of another size.
  @discardableResult
  public mutating func setJPEG(_ jpeg: StoredJPEG?) -> Changes {
    if let jpeg, jpeg.imageSize != image { return .refused }
    if jpeg == self.jpeg { return [] }
    document.jpeg = jpeg
    return .scene
  }

  /// What becomes of the JPEG's blocks; nil while nothing valid is selected, where new pixels must be
  /// made, and for pictures in no JPEG that can be cut by blocks.
  public var jpegPlan: JPEGPlan? { jpegPlan(settings.lossless) }

  /// The same if the lossless mode were another.
  public func jpegPlan(_ mode: LosslessMode) -> JPEGPlan? {
    guard let jpeg, let crop = resolvedCrop else { return nil }
    return JPEGPlan(crop, grid: jpeg.grid, orientation: jpeg.orientation, mode: mode)
  }

  /// The stored pixels that the result is drawn from, all of them under a tilt; nil where there is no
  /// JPEG, or nothing valid is selected.
  public var drawnPart: BitmapRect? {
    guard let jpeg, let crop = resolvedCrop else { return nil }
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(jpeg.orientation, of: jpeg.grid.size)
    let all = ImageRect(x: 0, y: 0, width: crop.image.width, height: crop.image.height)
    return toImage.inverse(crop.imageRect ?? all)
  }

  private var resolvedCrop: ResolvedCrop? {
    @inline(never) get {
      guard let image, let recipe else { return nil }
      return try? recipe.resolved(for: image)
    }
  }

  /// Whether the file will be cut out of the JPEG with all its blocks copied.
  public var isLossless: Bool {
    jpegPlan.map { $0.way == .lossless && $0.requantized.isEmpty } ?? false
  }

  /// What is cut where the crop moves to the JPEG's grid; nil where it stays.
  var snappedRect: PixelRect<FrameSpace>? {
    guard settings.lossless == .snap || settings.lossless == .outward, let plan = jpegPlan,
      plan.way == .lossless
    else { return nil }
    return plan.frameRect
  }

  /// The lines of the JPEG's grid across what is cut, as far as they are in the view: each, or every
  /// second, fourth … so that they don't crowd.
  func blocks(in cut: ViewRect, under viewport: Viewport) -> SceneItem? {
    guard let jpeg, let image else { return nil }
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(jpeg.orientation, of: jpeg.grid.size)
    let toFrame = OrientationMap<ImageSpace, FrameSpace>(document.edit.orientation, of: image)
    let corner = viewport(toFrame(toImage(BitmapPoint(x: 0, y: 0))))
    let isTransposed = jpeg.orientation.isTransposing != document.edit.orientation.isTransposing
    let (width, height) = (Double(jpeg.grid.cellWidth), Double(jpeg.grid.cellHeight))
    let left = max(cut.minX, 0)
    let top = max(cut.minY, 0)
    let rect = ViewRect(
      x: left, y: top, width: min(cut.maxX, view.width) - left,
      height: min(cut.maxY, view.height) - top)
    guard rect.width > 0, rect.height > 0, viewport.scale > 0 else { return nil }
    func step(_ cell: Double) -> Double {
      var step = cell * viewport.scale
      while step < Interaction.leastBlockStep { step *= 2 }
      return step
    }
    let across = step(isTransposed ? height : width)
    let down = step(isTransposed ? width : height)
    let first = ViewPoint(
      x: corner.x + ((left - corner.x) / across).rounded(.up) * across,
      y: corner.y + ((top - corner.y) / down).rounded(.up) * down)
    return .blocks(in: rect, first: first, step: ViewVector(dx: across, dy: down))
  }
}
