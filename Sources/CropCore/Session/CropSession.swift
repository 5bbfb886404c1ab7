/// The interaction of one user with one image: input goes in, a scene and a recipe come out.
///
///     var session = CropSession()
///     session.open(ImageSize(width: 4000, height: 3000))
///     let changes = session.handle(.pointer(PointerInput(.down, at: point, time: now)))
///     if changes.contains(.scene) { draw(session.scene) }
///     upload(session.recipe)
///
/// It is a value without a clock, a screen or pixels: the same inputs give the same outputs
/// everywhere. Its state is the position of the frame in the view and the selection on the frame.
/// The selection is quantized after every step, so that errors do not accumulate.
public struct CropSession: Hashable, Sendable {
  var editor = SessionEditor()
  var gestures = GestureRecognizer()
  /// The shape that the mouse pointer should have.
  public private(set) var cursor = CropCursor.standard
  private var observed = Observed()

  /// A session without an image and with an empty view.
  public init(style: CropStyle = .marquee) {
    settings.style = style
  }
}

extension CropSession {
  /// Opens another image. The selection becomes the initial one of the style, and the history is
  /// cleared. Ratio, shape and canvas are kept.
  ///
  /// - Parameter image: the upright size in pixels, each side from 1 to 2³⁰.
  /// - Returns: what changed; only `refused` for an invalid size.
  @discardableResult
  public mutating func open(_ image: ImageSize) -> Changes {
    let sides = 1...(1 << 30)
    guard sides.contains(image.width), sides.contains(image.height) else { return .refused }
    editor.announcer.changes = []
    gestures.drop(&editor)
    editor.document.open(image)
    editor.rest()
    editor.announcer.changes = [.scene, .recipe, .history, .cursor, .elements]
    return changes()
  }

  /// Closes the image. The settings, the size of the view, the ratio, the shape and the canvas are
  /// kept.
  ///
  /// - Returns: what changed.
  @discardableResult
  public mutating func close() -> Changes {
    var closed = CropSession()
    closed.editor.document = editor.document
    closed.editor.document.close()
    closed.editor.placement.view = view
    closed.editor.now = editor.now
    self = closed
    _ = changes()
    return [.scene, .recipe, .history, .cursor, .elements]
  }

  /// Handles an input and returns what it changed.
  ///
  /// An input whose position or time is not finite changes nothing and returns `refused`.
  public mutating func handle(_ input: Input) -> Changes {
    guard input.isFinite else { return .refused }
    editor.announcer.changes = []
    let elapsed = editor.advance(to: input.time)
    gestures.advance(to: input, after: elapsed, &editor)
    switch input {
    case .pointer(let pointer): gestures.handle(pointer, &editor)
    case .wheel(let wheel): if gestures.isIdle { editor.handle(wheel) }
    case .magnify(let point, let factor, _):
      if gestures.isIdle { editor.magnify(by: factor, at: point) }
    case .key(let key, let modifiers, _): handle(key, modifiers)
    case .resize(let size): resize(to: size)
    case .tick: break
    case .command(let command, _): handle(command)
    }
    cursor = gestures.cursor(on: editor)
    return changes()
  }

  /// Applies a recipe as if the user had made it; undo restores the previous state.
  ///
  /// A rectangle outside the smallest and largest size is changed to fit them.
  ///
  /// - Throws: why the recipe does not fit the image; ``RecipeError/emptyPicture`` if no image is
  ///   open; ``RecipeError/quadNotTaken`` for four corners in any style but ``CropStyle/quad``.
  /// - Returns: what changed.
  public mutating func restore(_ recipe: CropRecipe) throws(RecipeError) -> Changes {
    guard let image else { throw .emptyPicture }
    let resolved = try recipe.resolved(for: image)
    if resolved.quad != nil, settings.style != .quad { throw .quadNotTaken }
    editor.announcer.changes = []
    gestures.end(keeping: true, &editor)
    gestures.drop(&editor)
    editor.document.restore(resolved, output: recipe.output, at: editor.now)
    editor.rest()
    return changes()
  }

  /// Moves the four corners to a sheet that was found in the image, as one step that can be undone.
  /// A ratio or size that the user has chosen stays; otherwise the result gets the sheet's ratio,
  /// or that of A4 or letter paper if the sheet has it within two percent.
  ///
  /// - Parameter sheet: its corners on the upright image, in pixels.
  /// - Returns: what changed; only `refused` in any style but ``CropStyle/quad``, and for corners
  ///   that are not inside the image.
  public mutating func setSheet(_ sheet: Quad) -> Changes {
    guard settings.style == .quad, let image,
      sheet.fault(in: FrameSize(width: image.width, height: image.height)) == nil
    else { return .refused }
    editor.announcer.changes = []
    gestures.end(keeping: true, &editor)
    gestures.drop(&editor)
    editor.document.step(.command, at: editor.now) { $0.setSheet(sheet, on: image) }
    editor.rest()
    editor.announcer.announceSelection(of: editor.document)
    return changes()
  }

  /// Sets mirror, turns and tilt as a user would, but exactly and without adding a history step.
  /// The same part stays selected.
  ///
  /// - Returns: what changed; only `refused` for a tilt that is out of range or leaves no space for
  ///   a pixel, and for any tilt in the style ``CropStyle/quad``.
  public mutating func setTransform(_ transform: PictureTransform) -> Changes {
    guard editor.document.allowsTilt(transform.tilt, in: transform.orientation) else {
      return .refused
    }
    let orientation = editor.document.edit.orientation
    editor.document.orient(by: orientation.inverse.followed(by: transform.orientation))
    if tilt != transform.tilt { editor.document.tilt(to: transform.tilt) }
    editor.rest()
    _ = changes()
    return [.scene, .recipe, .elements]
  }

  /// Sets the JPEG in which the open image is stored; nil if it is not in a JPEG that can be cut by
  /// blocks. Opening an image resets it to nil.
  ///
  /// - Returns: what changed; only `refused` for a JPEG of another size.
  @discardableResult
  public mutating func setJPEG(_ jpeg: StoredJPEG?) -> Changes {
    if let jpeg, jpeg.imageSize != image { return .refused }
    if jpeg == self.jpeg { return [] }
    let isMoved = editor.document.setJPEG(jpeg)
    if isMoved { editor.placement.rest(editor.document) }
    _ = changes()
    return isMoved ? [.scene, .recipe, .elements] : .scene
  }

  /// Updates the layout for another size of the view. The selected and the visible part of the
  /// image stay the same.
  private mutating func resize(to size: ViewSize) {
    guard size != view else { return }
    gestures.end(keeping: true, &editor)
    editor.relayout { $0.placement.view = size }
  }

  /// Checks the state after a change from outside, and returns what changed since the last one.
  private mutating func changes() -> Changes {
    // The keyboard focus can't stay on an element that no longer exists.
    if !isValid, focus != .picture { editor.focus = nil }
    editor.announcer.changes.formUnion(observed.update(editor, gestures, cursor: cursor))
    checkInvariants()
    return editor.announcer.changes
  }
}
