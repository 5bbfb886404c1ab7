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
/// The selection is quantised after every step, so that errors do not accumulate.
public struct CropSession: Hashable, Sendable {
  var document = Document()
  var placement = Placement()
  var interaction = InteractionState()
  var feedback = SessionFeedback()

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
    return change { session in
      session.dropGesture()
      session.document.open(image)
      session.rest()
      session.placement.motion = nil
      session.feedback.changes = [.scene, .recipe, .history, .cursor, .elements]
    }
  }

  /// Closes the image. The settings, the size of the view, the ratio, the shape and the canvas are
  /// kept.
  ///
  /// - Returns: what changed.
  @discardableResult
  public mutating func close() -> Changes {
    var closed = CropSession()
    closed.document = document
    closed.document.close()
    closed.placement.view = placement.view
    closed.interaction.now = interaction.now
    self = closed
    checkInvariants()
    return [.scene, .recipe, .history, .cursor, .elements]
  }

  /// Handles an input and returns what it changed.
  ///
  /// An input whose position or time is not finite changes nothing and returns `refused`.
  public mutating func handle(_ input: Input) -> Changes {
    guard input.isFinite else { return .refused }
    return change { session in
      session.advance(to: input)
      switch input {
      case .pointer(let pointer): session.handle(pointer)
      case .wheel(let wheel): session.handle(wheel)
      case .magnify(let point, let factor, _): session.magnify(by: factor, at: point)
      case .key(let key, let modifiers, _): session.handle(key, modifiers)
      case .resize(let size): session.resize(to: size)
      case .tick: break
      case .command(let command, _): session.handle(command)
      }
      session.updateCursor()
    }
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
    return change { session in
      session.endGesture(keeping: true)
      session.dropGesture()
      session.document.restore(resolved, output: recipe.output, at: session.interaction.now)
      session.rest()
      session.placement.motion = nil
    }
  }

  /// Sets mirror, turns and tilt as a user would, but exactly and without adding a history step.
  /// The same part stays selected.
  ///
  /// - Returns: what changed; only `refused` for a tilt that is out of range or leaves no space for
  ///   a pixel, and for any tilt in the style ``CropStyle/quad``.
  public mutating func setTransform(_ transform: PictureTransform) -> Changes {
    guard document.allowsTilt(transform.tilt, in: transform.orientation) else { return .refused }
    document.orient(by: document.edit.orientation.inverse.followed(by: transform.orientation))
    if tilt != transform.tilt { document.tilt(to: transform.tilt) }
    rest()
    placement.motion = nil
    checkInvariants()
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
    let isMoved = document.setJPEG(jpeg)
    if isMoved { rest() }
    checkInvariants()
    return isMoved ? [.scene, .recipe, .elements] : .scene
  }

  /// Applies a change from outside, checks the state, and returns what changed.
  private mutating func change(_ change: (inout Self) -> Void) -> Changes {
    let before = Observed(self)
    feedback.changes = []
    change(&self)
    // The keyboard focus can't stay on an element that no longer exists.
    if document.edit.selection == nil, focus != .picture { feedback.focus = nil }
    feedback.changes.formUnion(before.changes(to: self))
    checkInvariants()
    return feedback.changes
  }
}
