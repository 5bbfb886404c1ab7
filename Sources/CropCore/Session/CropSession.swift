/// The interaction of one person with one picture: input goes in, a scene and a recipe come out.
///
///     var session = CropSession()
///     session.open(ImageSize(width: 4000, height: 3000))
///     let changes = session.handle(.pointer(PointerInput(.down, at: point, time: now)))
///     if changes.contains(.scene) { draw(session.scene) }
///     upload(session.recipe)
///
/// It is a value without a clock, a screen or a picture: the same inputs give the same outputs
/// everywhere. The state is where the frame lies in the view and which part of it is selected; the
/// selection is quantised at every step, so that nothing drifts.
public struct CropSession: Hashable, Sendable {
  /// How it works.
  public internal(set) var settings = SessionSettings()
  var document = SessionDocument()
  var placement = Placement()
  var interaction = InteractionState()
  var feedback = SessionFeedback()

  /// A session without a picture and without a view.
  public init(style: CropStyle = .marquee) {
    settings.style = style
  }
}

extension CropSession {
  /// Shows another picture: the selection is the style's first, the history is empty.
  ///
  /// - Parameter image: the upright size in pixels, each side at least 1 and at most 2³⁰.
  /// - Returns: what changed; `refused`, and nothing else, for a size that can't be.
  @discardableResult
  public mutating func open(_ image: ImageSize) -> Changes {
    let sides = 1...(1 << 30)
    guard sides.contains(image.width), sides.contains(image.height) else { return .refused }
    let before = Observed(self)
    self.document.image = image
    document.jpeg = nil
    dropGesture()
    document.history = History()
    document.intent = nil
    placement.motion = nil
    interaction.recenterTime = nil
    let kept = document.edit
    document.edit = Edit()
    (document.edit.ratio, document.edit.shape) = (kept.ratio, kept.shape)
    document.edit.selection = firstSelection()
    document.initial = document.edit
    placement.viewport = layout.restingViewport(for: document.edit.selection)
    dropLostFocus()
    var changes: Changes = [.scene, .recipe, .history, .cursor, .elements]
    before.compare(to: self, &changes)
    #if CROPKIT_CHECKS
      checkInvariants()
    #endif
    return changes
  }

  /// Shows no picture any more; the settings, the view's size, the ratio and the shape stay.
  ///
  /// - Returns: what changed.
  @discardableResult
  public mutating func close() -> Changes {
    var closed = CropSession()
    closed.settings = settings
    closed.placement.view = placement.view
    closed.interaction.now = interaction.now
    (closed.document.edit.ratio, closed.document.edit.shape) = (ratio, shape)
    self = closed
    return [.scene, .recipe, .history, .cursor, .elements]
  }

  /// Takes an input and says what it changed.
  ///
  /// A position or time that is not a finite number is refused and changes nothing.
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
    before.compare(to: self, &feedback.changes)
    #if CROPKIT_CHECKS
      checkInvariants()
    #endif
    return feedback.changes
  }

  /// The recipe as it stands, or will stand when the picture has come to rest; nil while nothing
  /// valid is selected.
  public var recipe: CropRecipe? {
    guard let selection = document.edit.selection else { return nil }
    var recipe = CropRecipe(rect: selection, tilt: document.edit.tilt, shape: document.edit.shape)
    recipe.orientation = document.edit.orientation
    recipe.output = document.edit.output
    if let image, (try? recipe.resolved(for: image)) == nil { recipe.output = nil }
    return recipe.normalized()
  }

  /// The size of the result in pixels: the selection's, unless another was asked for or its edges
  /// move outward to a JPEG's grid; nil while nothing valid is selected.
  public var resultSize: FrameSize? {
    guard let selection = document.edit.selection else { return nil }
    if let snapped = snappedRect { return snapped.size }
    let size = FrameSize(width: Int(selection.width), height: Int(selection.height))
    guard document.edit.output != nil, let image, let recipe else { return size }
    return (try? recipe.resolved(for: image))?.output ?? size
  }

  /// Shows a recipe as if it had just been made by hand; undo brings back what was before.
  ///
  /// A rectangle beyond the smallest or the largest size is brought within them.
  ///
  /// - Throws: why the recipe does not fit the picture; ``RecipeError/emptyPicture`` without one;
  ///   ``RecipeError/quadNotTaken`` for four corners.
  /// - Returns: what changed.
  public mutating func restore(_ recipe: CropRecipe) throws(RecipeError) -> Changes {
    guard let image else { throw .emptyPicture }
    let resolved = try recipe.resolved(for: image)
    if resolved.quad != nil { throw .quadNotTaken }
    let before = Observed(self)
    feedback.changes = []
    endGesture(keeping: true)
    dropGesture()
    let old = document.edit
    document.edit.orientation = resolved.orientation
    document.edit.tilt = resolved.tilt
    document.edit.selection = resolved.rect
    document.edit.shape = resolved.shape
    document.edit.output = recipe.output
    if let ratio = ratioToKeep, !ratio.matches(PixelLengths(resolved.rect)) {
      // A viewfinder takes the recipe's ratio, so that what is seen is what is cut.
      let own = AspectRatio(Int(resolved.rect.width), Int(resolved.rect.height))
      document.edit.ratio = settings.style == .viewfinder ? own.map { .fixed($0) } ?? .free : .free
    }
    document.edit = conformed(document.edit)
    document.intent = nil
    if document.edit != old { document.history.record(old, kind: .command, at: interaction.now) }
    dropLostFocus()
    placement.viewport = layout.restingViewport(for: document.edit.selection)
    placement.motion = nil
    before.compare(to: self, &feedback.changes)
    #if CROPKIT_CHECKS
      checkInvariants()
    #endif
    return feedback.changes
  }

  /// The upright picture's size; nil before one is opened.
  public var image: ImageSize? { document.image }
  /// The JPEG in which the picture is stored; nil where it is in none that can be cut by blocks.
  public var jpeg: StoredJPEG? { document.jpeg }
  /// The view's size, in points.
  public var view: ViewSize { placement.view }
  /// The pointer's look.
  public var cursor: CropCursor { feedback.cursor }
  /// Which element has the keyboard.
  public var focus: ElementKey? { feedback.focus }
  /// What to say aloud, after a change that said so.
  public var announcement: Announcement? { feedback.announcement }
  /// What the next drag does instead of what its style gives it.
  public var armed: ArmedDrag? { interaction.armed }
  /// Whether something is selected that can be cropped.
  public var isValid: Bool { document.edit.selection != nil }
  /// Whether a step can be taken back.
  public var canUndo: Bool { changes(document.history.past) }
  /// Whether a step can be done again.
  public var canRedo: Bool { changes(document.history.future) }
  /// Whether anything differs from how the picture was opened.
  public var canReset: Bool { document.edit != document.initial }
  /// The ratio to keep.
  public var ratio: RatioChoice { document.edit.ratio }
  /// The tilt.
  public var tilt: Angle { document.edit.tilt }
  /// The outline of the result.
  public var shape: CropShape { document.edit.shape }
  /// The zoom, in multiples of the smallest.
  public var zoom: Double {
    image == nil ? 1 : placement.viewport.scale / layout.zoomRange(for: restingCropFrame).least
  }
  /// The frame: the picture's size after its quarter turns.
  public var frame: FrameSize { frame(of: document.edit) }
  /// Whether what is shown is on its way. Comparing with nil would compare two motions.
  var isMoving: Bool { if case .some = placement.motion { true } else { false } }
  /// Whether time matters to what is shown.
  public var wantsTicks: Bool {
    isMoving || interaction.pendingTap != nil || interaction.recenterTime != nil || isScrolling
      || (!settings.reducesMotion && feedback.shadeFade.isFading(at: interaction.now))
  }
  /// Whether the picture or the selection follows a pointer right now.
  public var isGestureActive: Bool { interaction.gesture.isActive }
  /// Whether a finger anywhere on the view belongs to the session and not to the page around it.
  public var needsTouch: Bool {
    guard isShown else { return false }
    return settings.style != .marquee || !interaction.pointers.isEmpty || interaction.armed != nil
      || zoom > 1.001
  }
  /// Whether a finger put down there belongs to the session: beside a picture that rests and has
  /// nothing to draw on, the page around may scroll.
  public func needsTouch(at point: ViewPoint) -> Bool {
    let reach = Interaction.touchHitArea / 2
    return needsTouch
      || (isShown && placement.viewport(layout.pictureBox).inset(by: -reach).contains(point))
  }
  /// The rule that the present selection can't obey for a higher one, if any.
  public var violatedRule: SelectionRule? {
    document.edit.selection.flatMap { rules.broken(by: $0) }
  }
  /// The size of the result, where it is not the selection's.
  public var outputSize: OutputSize? { document.edit.output }
}

extension CropSession {
  /// The picture under its tilt.
  var picture: TiltedPicture { TiltedPicture(frame: frame, tilt: document.edit.tilt) }

  /// The picture's size after an edit's quarter turns.
  private func frame(of edit: Edit) -> FrameSize {
    guard let image else { return FrameSize(width: 0, height: 0) }
    return OrientationMap<ImageSpace, FrameSpace>(edit.orientation, of: image).target
  }

  /// The rules a selection must satisfy.
  var rules: SelectionRules { rules(of: document.edit) }

  private func rules(of edit: Edit) -> SelectionRules {
    let frame = frame(of: edit)
    return SelectionRules(
      bounds: TiltedPicture(frame: frame, tilt: edit.tilt), ratio: ratioToKeep(edit, on: frame),
      minimum: settings.minimum ?? FrameSize(width: 1, height: 1), maximum: settings.maximum)
  }

  /// The ratio that a selection must have: the one chosen; a viewfinder without one is square.
  var ratioToKeep: AspectRatio? { ratioToKeep(document.edit, on: frame) }

  private func ratioToKeep(_ edit: Edit, on frame: FrameSize) -> AspectRatio? {
    edit.ratio.ratio(on: frame) ?? (settings.style == .viewfinder ? .square : nil)
  }

  /// The selection each style starts with.
  func firstSelection() -> FrameRect? { firstSelection(under: rules) }

  private func firstSelection(under rules: SelectionRules) -> FrameRect? {
    guard image != nil, settings.style != .marquee else { return nil }
    return rules.quantised(rules.bounds.largestCentered).rect
  }

  /// An edit with a selection where the style always has one, of the ratio to keep and within the
  /// limits.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func conformed(_ edit: Edit) -> Edit {
    var edit = edit
    let rules = rules(of: edit)
    guard let selection = edit.selection else {
      edit.selection = firstSelection(under: rules)
      return edit
    }
    if let ratio = rules.ratio, !ratio.matches(PixelLengths(selection)) {
      edit.selection = rules.quantised(ratio.fitted(in: selection)).rect
    } else if !rules.allowsSize(of: selection) {
      edit.selection = rules.quantised(selection).rect
    }
    return edit
  }

  /// Whether one of the steps would show anything else than what is shown.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  private func changes(_ steps: [History.Step]) -> Bool {
    steps.contains { shown($0) != document.edit }
  }

  /// What the present style and limits show of an edit.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func shown(_ step: History.Step) -> Edit {
    if step.era == document.history.era { return step.edit }
    var edit = step.edit
    edit.selection = step.made
    return conformed(edit)
  }

  /// Takes a drawn rectangle for the selection, quantised.
  mutating func select(_ rect: FrameRect, anchor: Anchor = .center) {
    document.edit.selection = rules.quantised(rect, anchor: anchor).rect
  }

  /// Whether the selection is as small or as large as the limits let it be, or a rule gave way.
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

  /// Takes the keyboard from an element that is gone.
  mutating func dropLostFocus() {
    if document.edit.selection == nil, focus != .picture { feedback.focus = nil }
  }

  mutating func announce(_ announcement: Announcement) {
    self.feedback.announcement = announcement
    feedback.changes.insert(.announcement)
    if announcement == .limit { feedback.changes.insert(.limit) }
  }
}

/// What a face can see of a session, to tell what an input changed.
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

  func compare(to session: borrowing CropSession, _ changes: inout Changes) {
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
    // What moved until now is seen once more, at its end.
    if wantsTicks { changes.insert(.scene) }
    if session.wantsTicks { changes.formUnion([.wantsTicks, .scene]) }
    if catches(session.interaction.snaps)
      || session.document.edit.tilt == .zero && edit.tilt != .zero
        && session.feedback.shadeFade.isHeld
    {
      changes.insert(.caught)
    }
    if session.isAtLimit && !isAtLimit { changes.insert(.limit) }
  }

  /// Whether a line holds the selection that did not before, nor happened to lie there.
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
  /// Whether every position, length and time is a number that geometry can be done with.
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

  /// When it happened, where that is known.
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
  /// Finite, and small enough that products and sums of a few stay finite and exact enough.
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
