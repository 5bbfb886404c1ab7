// What a user interface asks a session.
extension CropSession {
  /// The settings.
  public internal(set) var settings: SessionSettings {
    get { editor.document.settings }
    set { editor.document.settings = newValue }
  }
  /// The size of the upright image; nil if no image is open.
  public var image: ImageSize? { editor.document.image }
  /// The JPEG in which the image is stored; nil if it is not in one that can be cut by blocks.
  public var jpeg: StoredJPEG? { editor.document.jpeg }
  /// The frame: the size of the image after its quarter turns, in pixels.
  public var frame: FrameSize { editor.document.frame }

  // MARK: The crop

  /// The current recipe or, while the image is moving, the one it will have when it stops; nil
  /// without a valid selection.
  public var recipe: CropRecipe? { editor.document.recipe }
  /// The recipe of a smaller version of the result, of the same ratio; nil without a valid
  /// selection.
  ///
  /// - Parameter side: the largest side of that version, in pixels, at least 1.
  public func recipe(maxSide side: Int) -> CropRecipe? { editor.document.recipe(maxSide: side) }
  /// The size of the result in pixels. It is that of the selection, unless another size was
  /// requested or the edges move outward to a JPEG's grid; nil without a valid selection.
  public var resultSize: FrameSize? { editor.document.resultSize }
  /// Whether there is a selection that can be cropped.
  public var isValid: Bool { editor.document.isValid }
  /// The rule that the selection violates because a higher one has precedence; nil for none.
  public var violatedRule: SelectionRule? { editor.document.violatedRule }
  /// The ratio that the selection keeps.
  public var ratio: RatioChoice { editor.document.edit.ratio }
  /// The ratio that the result keeps, as four corners give it to the photographed sheet; nil if any
  /// will do.
  public var resultRatio: AspectRatio? { editor.document.resultRatio }
  /// The width-to-height ratio of the sheet between four corners; nil for other crops, and if it
  /// can't be determined.
  public var sheetRatio: Double? {
    editor.document.edit.quad.flatMap { $0.sheetRatio(in: editor.document.frame) }
  }
  /// The tilt.
  public var tilt: CropAngle { editor.document.edit.tilt }
  /// The outline of the result.
  public var shape: CropShape { editor.document.edit.shape }
  /// The requested size of the result; nil for the selection's.
  public var outputSize: OutputSize? { editor.document.edit.output }
  /// The canvas around the result and its fill; nil if the result has no canvas.
  public var canvas: FilledCanvas? { editor.document.edit.canvas }
  /// The position of the crop on its canvas, in pixels of the result; nil without a canvas or a
  /// valid selection, and if the canvas can't contain this crop.
  public var canvasLayout: CanvasLayout? { editor.document.canvasLayout }
  /// The plan for cutting the JPEG; nil without a valid selection, if new pixels must be made, or
  /// if the image is not in a JPEG that can be cut by blocks.
  public var jpegPlan: JPEGPlan? { editor.document.jpegPlan(settings.lossless) }
  /// The plan for cutting the JPEG in another lossless mode.
  public func jpegPlan(_ mode: LosslessMode) -> JPEGPlan? { editor.document.jpegPlan(mode) }
  /// Whether the result will be cut from the JPEG with all its blocks copied.
  public var isLossless: Bool {
    jpegPlan.map { $0.way == .lossless && $0.requantized.isEmpty } ?? false
  }
  /// The stored pixels that the result is drawn from: under a tilt, all of them; nil without a JPEG
  /// or a valid selection.
  public var drawnPart: BitmapRect? { editor.document.drawnPart }

  // MARK: The history

  /// Whether a step can be undone.
  public var canUndo: Bool { editor.document.canUndo }
  /// Whether a step can be redone.
  public var canRedo: Bool { editor.document.canRedo }
  /// Whether anything differs from the state in which the image was opened.
  public var canReset: Bool { editor.document.canReset }

  // MARK: The view

  /// The size of the view, in view points.
  public var view: ViewSize { editor.placement.view }
  /// The zoom, as a multiple of the smallest zoom.
  public var zoom: Double { editor.zoom }
  /// The element that has the keyboard focus; nil for none.
  public var focus: ElementKey? { editor.focus }
  /// What a screen reader should announce; set after an input that returns `announcement`.
  public var announcement: Announcement? { editor.announcer.announcement }

  // MARK: The interaction

  /// What the next drag does instead of the style's default; nil for the default.
  public var armed: NextDrag? { gestures.armed }
  /// Whether the user is dragging, pinching, or dragging a ruler with ``Command/tilt(_:_:)``.
  public var isGestureActive: Bool { gestures.gesture.isActive || editor.ruler.isDragged }
  /// The handle that is dragged, a different one after sides have crossed; nil if none is, also while
  /// a new rectangle is drawn.
  public var activeHandle: CropHandle? {
    if case .draw = gestures.gesture { return nil }
    return gestures.gesture.appearance.handle
  }
  /// Whether the scene depends on time, so that the session needs ticks.
  public var wantsTicks: Bool { gestures.wantsTicks(editor) }
  /// Whether touches anywhere on the view belong to the session and not to the surrounding page.
  public var needsTouch: Bool {
    guard editor.isVisible else { return false }
    return !settings.style.restsPicture || !gestures.pointers.isEmpty || armed != nil
      || zoom > 1.001
  }
  /// Whether a touch at this point belongs to the session. A touch beside an image that does not
  /// move and can't be drawn on may scroll the surrounding page.
  public func needsTouch(at point: ViewPoint) -> Bool {
    let reach = Interaction.touchHitArea / 2
    return needsTouch
      || (editor.isVisible
        && editor.placement.viewport(editor.layout.pictureBox).inset(by: -reach).contains(point))
  }
}
