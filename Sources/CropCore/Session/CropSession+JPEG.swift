/// The properties of the JPEG file of an image that determine whether a crop can be lossless.
public struct StoredJPEG: Hashable, Sendable {
  /// The block grid, in stored pixels.
  public var grid: JPEGGrid
  /// The EXIF orientation of the stored pixels.
  public var orientation: Orientation

  /// A JPEG with the given grid and orientation.
  public init(grid: JPEGGrid, orientation: Orientation) {
    self.grid = grid
    self.orientation = orientation
  }

  /// The size of the upright image, in pixels.
  public var imageSize: ImageSize {
    OrientationMap<BitmapSpace, ImageSpace>(orientation, of: grid.size).target
  }
}

/// Whether the result is lossless.
extension CropSession {
  /// Sets the JPEG in which the open image is stored; nil if it is not in a JPEG that can be cut by
  /// blocks. Opening an image resets it to nil.
  ///
  /// - Returns: what changed; only `refused` for a JPEG of another size.
  @discardableResult
  public mutating func setJPEG(_ jpeg: StoredJPEG?) -> Changes {
    if let jpeg, jpeg.imageSize != image { return .refused }
    if jpeg == self.jpeg { return [] }
    #if CROPKIT_CHECKS
      defer { checkInvariants() }
    #endif
    document.jpeg = jpeg
    let isUntouched = !document.isRestored && !canReset && !canUndo && !canRedo
    guard isUntouched, let selection = firstSelection(), selection != document.edit.selection
    else { return .scene }
    // The first selection was made before the JPEG's structure was known.
    document.edit.selection = selection
    document.initial = document.edit
    placement.viewport = layout.restingViewport(for: selection)
    return [.scene, .recipe, .elements]
  }

  /// Moves the selection by less than a block to a position where its crop is lossless, as one
  /// step. Its size does not change.
  mutating func snapToGrid() {
    guard let selection = document.edit.selection, jpeg != nil, document.edit.quad == nil,
      document.edit.tilt.degrees == 0
    else {
      feedback.changes.insert(.refused)
      return
    }
    place { $0.document.edit.selection = $0.onGrid(selection, of: $0.document.edit) }
  }

  /// The plan for cutting the JPEG; nil without a valid selection, if new pixels must be made, or
  /// if the image is not in a JPEG that can be cut by blocks.
  public var jpegPlan: JPEGPlan? { jpegPlan(settings.lossless) }

  /// The plan for cutting the JPEG in another lossless mode.
  public func jpegPlan(_ mode: LosslessMode) -> JPEGPlan? {
    guard let jpeg, let crop = resolvedCrop else { return nil }
    // A straightened result has new pixels, and a canvas adds pixels.
    if crop.quad != nil { return nil }
    if let canvas = document.edit.canvas?.canvas {
      let size = canvas.layout(of: crop.output)
      if size?.size != crop.output || size?.crop.size != crop.output { return nil }
    }
    return JPEGPlan(crop, grid: jpeg.grid, orientation: jpeg.orientation, mode: mode)
  }

  /// The stored pixels that the result is drawn from: under a tilt, all of them; nil without a JPEG
  /// or a valid selection.
  public var drawnPart: BitmapRect? {
    guard let jpeg, let crop = resolvedCrop else { return nil }
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(jpeg.orientation, of: jpeg.grid.size)
    let all = ImageRect(x: 0, y: 0, width: crop.image.width, height: crop.image.height)
    return toImage.inverse(crop.quad != nil ? crop.neededImagePart : crop.imageRect ?? all)
  }

  private var resolvedCrop: ResolvedCrop? {
    @inline(never) get {
      guard let image, let recipe else { return nil }
      return try? recipe.resolved(for: image)
    }
  }

  /// Whether the result will be cut from the JPEG with all its blocks copied.
  public var isLossless: Bool {
    jpegPlan.map { $0.way == .lossless && $0.requantized.isEmpty } ?? false
  }

  /// The rectangle to cut if the crop moves to the JPEG's grid; nil if it does not move.
  var snappedRect: PixelRect<FrameSpace>? {
    guard settings.lossless == .snap || settings.lossless == .outward, let plan = jpegPlan,
      plan.way == .lossless
    else { return nil }
    return plan.frameRect
  }

  /// The lines of the JPEG's grid in the crop that are visible: all, or every second, fourth … line
  /// so that they are not too dense.
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
