/// The result: its recipe, its size and how a JPEG is cut.
extension Document {
  /// The recipe; nil without a valid selection.
  var recipe: CropRecipe? {
    guard let image, let selection = edit.selection else { return nil }
    var recipe = CropRecipe(
      rect: edit.quad == nil ? selection : nil, tilt: edit.tilt, shape: edit.shape,
      output: edit.output, quad: edit.quad)
    recipe.orientation = edit.orientation
    if let quad = edit.quad { recipe.output = output(of: quad) }
    if !recipe.fits(image) { recipe.output = nil }
    return recipe.normalized()
  }

  /// The size of the result of four corners. A chosen ratio is that of the result; the original
  /// ratio is that of the photographed sheet.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  private func output(of quad: Quad) -> OutputSize? {
    if edit.output?.isExact ?? false { return edit.output }
    let choice: QuadSize
    switch edit.ratio {
    case .free: return edit.output
    case .original: choice = .sheet
    case .fixed(let ratio): choice = .exactly(format(ratio, of: quad))
    }
    let size = quad.size(choice, in: frame)
    if size == quad.size { return edit.output }
    // Scaled down as the selection would be.
    let fitted = try? CropRecipe.outputSize(edit.output, of: size, isStretched: true)
    return fitted.map { .exact(width: $0.width, height: $0.height) }
  }

  /// A ratio for the result of four corners, in portrait or landscape format.
  private func format(_ ratio: AspectRatio, of quad: Quad) -> AspectRatio {
    let own = quad.oriented(ratio, in: frame)
    return edit.opposesSheet ? own.swapped : own
  }

  /// The ratio that the result keeps; nil if any will do.
  var resultRatio: AspectRatio? {
    guard let quad = edit.quad else { return edit.ratio.ratio(on: frame) }
    return switch edit.ratio {
    case .free: nil
    case .original: quad.sheetRatio(in: frame).flatMap { AspectRatio(rounding: $0, 1) }
    // The ratio of an exact size is that size's.
    case .fixed(let ratio): edit.output?.isExact ?? false ? ratio : format(ratio, of: quad)
    }
  }

  /// The recipe of a smaller version of the result; nil without a valid selection.
  func recipe(maxSide side: Int) -> CropRecipe? {
    guard var recipe, let size = resultSize else { return nil }
    recipe.output = .maxSide(side)
    if edit.quad != nil {
      // The result of four corners may have another ratio than their edges.
      let fitted = try? CropRecipe.outputSize(.maxSide(side), of: size, isStretched: true)
      recipe.output = fitted.map { .exact(width: $0.width, height: $0.height) }
    }
    return recipe
  }

  /// The size of the result in pixels. It is that of the selection, unless another size was
  /// requested or the edges move outward to a JPEG's grid; nil without a valid selection.
  var resultSize: FrameSize? { resultSize(snapped: snappedRect) }

  /// The size of the result if the JPEG is cut at `snapped`.
  func resultSize(snapped: PixelRect<FrameSpace>?) -> FrameSize? {
    guard let selection = edit.selection else { return nil }
    if let snapped { return snapped.size }
    let size =
      edit.quad?.size ?? FrameSize(width: Int(selection.width), height: Int(selection.height))
    guard edit.output != nil || edit.quad != nil else { return size }
    return resolvedCrop?.output ?? size
  }

  private var resolvedCrop: ResolvedCrop? {
    @inline(never) get {
      guard let image, let recipe else { return nil }
      return try? recipe.resolved(for: image)
    }
  }

  // MARK: JPEG

  /// Sets the JPEG in which the image is stored, and returns whether it moved the selection: if
  /// nothing was edited, the style's initial selection is made again.
  mutating func setJPEG(_ jpeg: StoredJPEG?) -> Bool {
    self.jpeg = jpeg
    let isUntouched = !isRestored && !canReset && !canUndo && !canRedo
    guard isUntouched, let selection = firstSelection(of: edit), selection != edit.selection
    else { return false }
    edit.selection = selection
    initial = edit
    return true
  }

  /// The plan for cutting the JPEG; nil without a valid selection, if new pixels must be made, or
  /// if the image is not in a JPEG that can be cut by blocks.
  func jpegPlan(_ mode: LosslessMode) -> JPEGPlan? {
    guard let jpeg, let crop = resolvedCrop else { return nil }
    // A straightened result has new pixels, and a canvas adds pixels.
    if crop.quad != nil { return nil }
    if let canvas = edit.canvas?.canvas {
      let size = canvas.layout(of: crop.output)
      if size?.size != crop.output || size?.crop.size != crop.output { return nil }
    }
    return JPEGPlan(crop, grid: jpeg.grid, orientation: jpeg.orientation, mode: mode)
  }

  /// The rectangle to cut if the crop moves to the JPEG's grid; nil if it does not move.
  var snappedRect: PixelRect<FrameSpace>? {
    guard settings.lossless == .snap || settings.lossless == .outward,
      let plan = jpegPlan(settings.lossless), plan.way == .lossless
    else { return nil }
    return plan.frameRect
  }

  /// The stored pixels that the result is drawn from: under a tilt, all of them; nil without a JPEG
  /// or a valid selection.
  var drawnPart: BitmapRect? {
    guard let jpeg, let crop = resolvedCrop else { return nil }
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(jpeg.orientation, of: jpeg.grid.size)
    let all = ImageRect(x: 0, y: 0, width: crop.image.width, height: crop.image.height)
    return toImage.inverse(crop.quad != nil ? crop.neededImagePart : crop.imageRect ?? all)
  }
}

// The canvas around the result.
extension Document {
  /// The position of the crop on its canvas, in pixels of the result; nil without a canvas or a
  /// valid selection, and if the canvas can't contain this crop.
  var canvasLayout: CanvasLayout? {
    guard let canvas = edit.canvas, let size = resultSize else { return nil }
    return canvas.canvas.layout(of: size)
  }

  /// Whether the canvas is visible around the crop, or makes the crop smaller.
  private var showsCanvas: Bool {
    guard let canvasLayout else { return edit.canvas != nil }
    return canvasLayout.isVisible(around: resultSize)
  }

  /// Puts the result on a canvas, or on none.
  ///
  /// - Parameter movesRatio: moves the ratio from the selection to the canvas. The selection
  ///   becomes the complete image if nothing of the canvas would be visible. Without a canvas, the
  ///   selection gets its ratio back.
  mutating func setCanvas(_ canvas: FilledCanvas?, movesRatio: Bool) {
    let old = edit.canvas
    edit.canvas = canvas
    guard movesRatio, (canvas == nil) != (old == nil), settings.style != .quad else { return }
    if canvas != nil {
      freeRatio()
    } else if let ratio = old?.canvas.ratio {
      edit.ratio = .fixed(ratio)
      reselect(isChosen: true)
    }
  }

  /// Removes the selection's ratio, and extends it to the complete image if nothing of the canvas
  /// would be visible otherwise.
  private mutating func freeRatio() {
    // A viewfinder always has a ratio.
    edit.ratio = settings.style == .viewfinder ? .original(isSwapped: false) : .free
    if edit.output?.isExact ?? false { edit.output = nil }
    guard edit.selection == nil || !showsCanvas || settings.style == .viewfinder else { return }
    intent = nil
    selectLargest()
  }
}

extension CanvasLayout {
  /// Whether the canvas is visible around a crop of this size, or makes the crop smaller.
  func isVisible(around result: FrameSize?) -> Bool { crop.size != size || size != result }
}

extension CropCanvas {
  /// Whether the canvas is valid for some crop.
  var isUsable: Bool {
    let sides = 1...Self.largestSide
    if case .size(let size) = extent {
      guard sides.contains(size.width), sides.contains(size.height) else { return false }
    }
    return switch margin {
    case .pixels(let count): count >= 0 && count < Double(Self.largestSide)
    case .percent(let share): (0..<50).contains(share)
    }
  }

  /// The requested ratio, or that of the requested size.
  fileprivate var ratio: AspectRatio? {
    switch extent {
    case .crop: nil
    case .ratio(let ratio): ratio
    case .size(let size): AspectRatio(size.width, size.height)
    }
  }
}
