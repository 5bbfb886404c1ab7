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
  /// The settings.
  public internal(set) var settings = SessionSettings()
  var document = SessionDocument()
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
    let before = Observed(self)
    self.document.image = image
    document.jpeg = nil
    document.isRestored = false
    dropGesture()
    document.history = History()
    document.intent = nil
    placement.motion = nil
    interaction.recenterTime = nil
    let kept = document.edit
    document.edit = Edit()
    (document.edit.ratio, document.edit.shape) = (kept.ratio, kept.shape)
    document.edit.canvas = kept.canvas
    document.edit = conformed(document.edit)
    document.initial = document.edit
    placement.viewport = layout.restingViewport(for: document.edit.selection)
    dropLostFocus()
    var changes: Changes = [.scene, .recipe, .history, .cursor, .elements]
    changes.formUnion(before.changes(to: self))
    #if CROPKIT_CHECKS
      checkInvariants()
    #endif
    return changes
  }

  /// Closes the image. The settings, the size of the view, the ratio, the shape and the canvas are
  /// kept.
  ///
  /// - Returns: what changed.
  @discardableResult
  public mutating func close() -> Changes {
    var closed = CropSession()
    closed.settings = settings
    closed.placement.view = placement.view
    closed.interaction.now = interaction.now
    (closed.document.edit.ratio, closed.document.edit.shape) = (ratio, shape)
    closed.document.edit.canvas = canvas
    self = closed
    return [.scene, .recipe, .history, .cursor, .elements]
  }

  /// Handles an input and returns what it changed.
  ///
  /// An input whose position or time is not finite changes nothing and returns `refused`.
  public mutating func handle(_ input: Input) -> Changes {
    guard input.isFinite else { return .refused }
    let before = Observed(self)
    feedback.changes = []
    advance(to: input)
    switch input {
    case .pointer(let pointer): handle(pointer)
    case .wheel(let wheel): handle(wheel)
    case .magnify(let point, let factor, _): magnify(by: factor, at: point)
    case .key(let key, let modifiers, _): handle(key, modifiers)
    case .resize(let size): resize(to: size)
    case .tick: break
    case .command(let command, _): handle(command)
    }
    dropLostFocus()
    updateCursor()
    feedback.changes.formUnion(before.changes(to: self))
    #if CROPKIT_CHECKS
      checkInvariants()
    #endif
    return feedback.changes
  }

  /// The current recipe or, while the image is moving, the one it will have when it stops; nil
  /// without a valid selection.
  public var recipe: CropRecipe? {
    guard let selection = document.edit.selection else { return nil }
    if let quad = document.edit.quad { return recipe(of: quad) }
    var recipe = CropRecipe(rect: selection, tilt: document.edit.tilt, shape: document.edit.shape)
    recipe.orientation = document.edit.orientation
    recipe.output = document.edit.output
    if let image, !recipe.fits(image) { recipe.output = nil }
    return recipe.normalized()
  }

  /// The size of the result in pixels. It is that of the selection, unless another size was
  /// requested or the edges move outward to a JPEG's grid; nil without a valid selection.
  public var resultSize: FrameSize? {
    guard let selection = document.edit.selection else { return nil }
    if let snapped = snappedRect { return snapped.size }
    let size =
      document.edit.quad?.size
      ?? FrameSize(width: Int(selection.width), height: Int(selection.height))
    guard document.edit.output != nil || document.edit.quad != nil, let image, let recipe else {
      return size
    }
    return (try? recipe.resolved(for: image))?.output ?? size
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
    let before = Observed(self)
    feedback.changes = []
    endGesture(keeping: true)
    dropGesture()
    document.isRestored = true
    let old = document.edit
    document.edit.orientation = resolved.orientation
    document.edit.tilt = resolved.tilt
    (document.edit.selection, document.edit.quad) = (resolved.rect, resolved.quad)
    document.edit.shape = resolved.shape
    document.edit.output = recipe.output
    if let ratio = ratioToKeep, !ratio.matches(PixelLengths(resolved.rect)) {
      // A viewfinder takes the recipe's ratio, so that it shows what is cropped.
      let own = AspectRatio(Int(resolved.rect.width), Int(resolved.rect.height))
      document.edit.ratio = settings.style == .viewfinder ? own.map { .fixed($0) } ?? .free : .free
    }
    // In quad style, the ratio would apply to the result, whose size the recipe has.
    if settings.style == .quad { document.edit.ratio = .free }
    document.edit = conformed(document.edit)
    document.intent = nil
    if document.edit != old { document.history.record(old, kind: .command, at: interaction.now) }
    dropLostFocus()
    placement.viewport = layout.restingViewport(for: document.edit.selection)
    placement.motion = nil
    feedback.changes.formUnion(before.changes(to: self))
    #if CROPKIT_CHECKS
      checkInvariants()
    #endif
    return feedback.changes
  }

  /// The size of the upright image; nil if no image is open.
  public var image: ImageSize? { document.image }
  /// The JPEG in which the image is stored; nil if it is not in one that can be cut by blocks.
  public var jpeg: StoredJPEG? { document.jpeg }
  /// The size of the view, in view points.
  public var view: ViewSize { placement.view }
  /// The shape that the mouse pointer should have.
  public var cursor: CropCursor { feedback.cursor }
  /// The element that has the keyboard focus; nil for none.
  public var focus: ElementKey? { feedback.focus }
  /// What a screen reader should announce; set after an input that returns `announcement`.
  public var announcement: Announcement? { feedback.announcement }
  /// What the next drag does instead of the style's default; nil for the default.
  public var armed: NextDrag? { interaction.armed }
  /// Whether there is a selection that can be cropped.
  public var isValid: Bool { document.edit.selection != nil }
  /// Whether a step can be undone.
  public var canUndo: Bool { changes(document.history.past) }
  /// Whether a step can be redone.
  public var canRedo: Bool { changes(document.history.future) }
  /// Whether anything differs from the state in which the image was opened.
  public var canReset: Bool { document.edit != document.initial }
  /// The ratio that the selection keeps.
  public var ratio: RatioChoice { document.edit.ratio }
  /// The tilt.
  public var tilt: Angle { document.edit.tilt }
  /// The outline of the result.
  public var shape: CropShape { document.edit.shape }
  /// The zoom, as a multiple of the smallest zoom.
  public var zoom: Double {
    image == nil ? 1 : placement.viewport.scale / layout.zoomRange(for: restingCropFrame).least
  }
  /// The frame: the size of the image after its quarter turns, in pixels.
  public var frame: FrameSize { frame(of: document.edit) }
  /// Whether an animation is running. (A comparison with nil would need to compare motions.)
  var isMoving: Bool { if case .some = placement.motion { true } else { false } }
  /// Whether the scene depends on time, so that the session needs ticks.
  public var wantsTicks: Bool {
    isMoving || interaction.pendingTap != nil || interaction.recenterTime != nil || isScrolling
      || (!settings.reducesMotion && feedback.shadeFade.isFading(at: interaction.now))
  }
  /// Whether the user is dragging or pinching.
  public var isGestureActive: Bool { interaction.gesture.isActive }
  /// Whether touches anywhere on the view belong to the session and not to the surrounding page.
  public var needsTouch: Bool {
    guard isShown else { return false }
    return !settings.style.restsPicture || !interaction.pointers.isEmpty || interaction.armed != nil
      || zoom > 1.001
  }
  /// Whether a touch at this point belongs to the session. A touch beside an image that does not
  /// move and can't be drawn on may scroll the surrounding page.
  public func needsTouch(at point: ViewPoint) -> Bool {
    let reach = Interaction.touchHitArea / 2
    return needsTouch
      || (isShown && placement.viewport(layout.pictureBox).inset(by: -reach).contains(point))
  }
  /// The rule that the selection violates because a higher one has precedence; nil for none.
  public var violatedRule: SelectionRule? {
    document.edit.selection.flatMap { rules.broken(by: $0) }
  }
  /// The requested size of the result; nil for the selection's.
  public var outputSize: OutputSize? { document.edit.output }
}

extension CropSession {
  /// The image with its tilt.
  var picture: TiltedPicture { TiltedPicture(frame: frame, tilt: document.edit.tilt) }

  /// The size of the image after an edit's quarter turns.
  private func frame(of edit: Edit) -> FrameSize {
    guard let image else { return FrameSize(width: 0, height: 0) }
    return OrientationMap<ImageSpace, FrameSpace>(edit.orientation, of: image).target
  }

  /// The rules that a selection must satisfy.
  var rules: SelectionRules { rules(of: document.edit) }

  private func rules(of edit: Edit) -> SelectionRules {
    let frame = frame(of: edit)
    // Size limits only apply to rectangles.
    let isQuad = settings.style == .quad
    return SelectionRules(
      bounds: TiltedPicture(frame: frame, tilt: edit.tilt), ratio: ratioToKeep(edit, on: frame),
      minimum: isQuad
        ? FrameSize(width: 1, height: 1) : settings.minimum ?? FrameSize(width: 1, height: 1),
      maximum: isQuad ? nil : settings.maximum)
  }

  /// The ratio that a selection must have: the chosen one; a viewfinder without one is square.
  var ratioToKeep: AspectRatio? { ratioToKeep(document.edit, on: frame) }

  private func ratioToKeep(_ edit: Edit, on frame: FrameSize) -> AspectRatio? {
    if settings.style == .quad { return nil }
    return edit.ratio.ratio(on: frame) ?? (settings.style == .viewfinder ? .square : nil)
  }

  /// The selection that the style starts with.
  func firstSelection() -> FrameRect? { firstSelection(of: document.edit) }

  private func firstSelection(of edit: Edit) -> FrameRect? {
    guard image != nil, settings.style != .marquee else { return nil }
    let rules = rules(of: edit)
    return onGrid(rules.quantised(rules.bounds.largestCentered).rect, of: edit)
  }

  /// A selection that the program chose, moved to where its crop of a JPEG is lossless, if
  /// possible.
  func onGrid(_ selection: FrameRect, of edit: Edit) -> FrameRect {
    guard let jpeg, edit.tilt.degrees == 0 else { return selection }
    return FrameGrid(jpeg, orientation: edit.orientation).nearest(to: selection)
  }

  /// An edit that has a selection if the style requires one, with the ratio to keep and within the
  /// limits.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func conformed(_ edit: Edit) -> Edit {
    var edit = edit
    let rules = rules(of: edit)
    if settings.style == .quad { return edit.withQuad(on: rules.bounds) }
    edit.quad = nil
    guard let selection = edit.selection else {
      edit.selection = firstSelection(of: edit)
      return edit
    }
    if let ratio = rules.ratio, !ratio.matches(PixelLengths(selection)) {
      edit.selection = onGrid(rules.quantised(ratio.fitted(in: selection)).rect, of: edit)
    } else if !rules.allowsSize(of: selection) {
      edit.selection = rules.quantised(selection).rect
    }
    return edit
  }

  /// Whether any of the steps looks different from the current state.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  private func changes(_ steps: [History.Step]) -> Bool {
    steps.contains { shown($0) != document.edit }
  }

  /// How the current style and limits display an edit.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func shown(_ step: History.Step) -> Edit {
    if step.era == document.history.era { return step.edit }
    var edit = step.edit
    edit.made = step.made
    return conformed(edit)
  }

  /// Selects a drawn rectangle, quantised.
  mutating func select(_ rect: FrameRect, anchor: Anchor = .center) {
    document.edit.selection = rules.quantised(rect, anchor: anchor).rect
    if settings.style == .quad { setQuad(document.edit.selection.map { Quad($0) }) }
  }

  /// Whether the selection is at a size limit, or a rule is violated.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  var isAtLimit: Bool {
    if violatedRule != nil { return true }
    guard settings.minimum != nil || settings.maximum != nil,
      let selection = document.edit.selection
    else { return false }
    func isAt(_ size: FrameSize?) -> Bool {
      size.map {
        selection.width == Double($0.width) || selection.height == Double($0.height)
      } ?? false
    }
    return isAt(settings.minimum) || isAt(settings.maximum)
  }

  /// Removes the keyboard focus from an element that no longer exists.
  mutating func dropLostFocus() {
    if document.edit.selection == nil, focus != .picture { feedback.focus = nil }
  }

  mutating func announce(_ announcement: Announcement) {
    self.feedback.announcement = announcement
    feedback.changes.insert(.announcement)
    if announcement == .limit { feedback.changes.insert(.limit) }
  }
}

/// The visible state of a session, to determine what an input changed.
struct Observed {
  let edit: Edit
  let canUndo: Bool, canRedo: Bool
  let viewport: Viewport
  let focus: ElementKey?
  let cursor: CropCursor
  let isActive: Bool
  let wantsTicks: Bool
  let snaps: Snaps
  let isAtLimit: Bool

  init(_ session: borrowing CropSession) {
    edit = session.document.edit
    (canUndo, canRedo) = (session.canUndo, session.canRedo)
    viewport = session.placement.viewport
    focus = session.focus
    cursor = session.cursor
    isActive = session.interaction.gesture.isActive
    wantsTicks = session.wantsTicks
    snaps = session.interaction.snaps
    isAtLimit = session.isAtLimit
  }

  func changes(to session: borrowing CropSession) -> Changes {
    var changes: Changes = []
    if edit != session.document.edit { changes.formUnion([.recipe, .scene, .elements, .history]) }
    if canUndo != session.canUndo || canRedo != session.canRedo { changes.insert(.history) }
    if viewport != session.placement.viewport || focus != session.focus {
      changes.formUnion([.scene, .elements])
    }
    if cursor != session.cursor { changes.insert(.cursor) }
    if isActive != session.interaction.gesture.isActive {
      changes.formUnion([
        .scene, session.interaction.gesture.isActive ? .gestureStarted : .gestureEnded,
      ])
    }
    // Reports the last change of an animation when it ends.
    if wantsTicks { changes.insert(.scene) }
    if session.wantsTicks { changes.formUnion([.wantsTicks, .scene]) }
    if catches(session.interaction.snaps)
      || session.document.edit.tilt == .zero && edit.tilt != .zero
        && session.feedback.shadeFade.isHeld
    {
      changes.insert(.caught)
    }
    if session.isAtLimit && !isAtLimit { changes.insert(.limit) }
    return changes
  }

  /// Whether the selection snapped to a line that it was not on before.
  private func catches(_ now: Snaps) -> Bool {
    func isNew(
      _ line: Double?, _ old: Double?, _ low: Double?, _ middle: Double?, _ high: Double?
    ) -> Bool {
      line != nil && line != old && line != low && line != middle && line != high
    }
    let before = edit.selection
    return isNew(now.x, snaps.x, before?.minX, before?.midX, before?.maxX)
      || isNew(now.y, snaps.y, before?.minY, before?.midY, before?.maxY)
  }
}

extension Input {
  /// Whether every position, length and time is finite and small enough for the geometry.
  var isFinite: Bool {
    switch self {
    case .pointer(let pointer): pointer.position.isUsable && pointer.time.isUsable
    case .wheel(let wheel): wheel.position.isUsable && wheel.delta.isUsable && wheel.time.isUsable
    case .magnify(let point, let factor, let time):
      point.isUsable && factor.isUsable && factor > 0 && time.isUsable
    case .key(_, _, let time), .tick(let time): time.isUsable
    case .resize(let size):
      size.width.isUsable && size.height.isUsable && size.width >= 0 && size.height >= 0
    case .command(let command, let time): command.isUsable && time?.isUsable != false
    }
  }

  /// The time of the input, if it has one.
  var time: Seconds? {
    switch self {
    case .pointer(let pointer): pointer.time
    case .wheel(let wheel): wheel.time
    case .magnify(_, _, let time), .key(_, _, let time), .tick(let time): time
    case .command(_, let time): time
    case .resize: nil
    }
  }
}

extension Double {
  /// Whether the number is finite, and so small that products and sums of a few such numbers stay
  /// finite and precise.
  fileprivate var isUsable: Bool { abs(self) < 1e12 }
}

extension Point {
  fileprivate var isUsable: Bool { x.isUsable && y.isUsable }
}

extension Rect {
  fileprivate var isUsable: Bool {
    isProper && x.isUsable && y.isUsable && width.isUsable && height.isUsable
  }
}

extension Vector {
  fileprivate var isUsable: Bool { dx.isUsable && dy.isUsable }
}

extension Command {
  fileprivate var isUsable: Bool {
    switch self {
    case .tilt(let angle, _): angle.degrees.isUsable
    case .zoom(let factor): factor.isUsable && factor > 0
    case .margin(let margin): margin.isUsable && margin >= 0
    case .layoutArea(let area?):
      area.isUsable
    case .viewfinderTop(let share?): (0...1).contains(share)
    case .select(let rect): rect.isUsable
    case .set(_, let value): value.isUsable
    case .shape(.roundedRectangle(let radius)): radius.isUsable && radius >= 0
    default: true
    }
  }
}
