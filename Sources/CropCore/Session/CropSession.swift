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
  /// The upright picture's size; nil before one is opened.
  public private(set) var image: ImageSize?
  /// The view's size, in points.
  public internal(set) var view = ViewSize(width: 0, height: 0)
  /// Who does what.
  public internal(set) var style: CropStyle = .marquee
  /// How the viewfinder's picture covers the opening.
  public internal(set) var cover: Cover = .fill
  /// The helping lines that are always shown.
  public internal(set) var grid: Grid = .off
  /// Whether animations land at once.
  public internal(set) var reducesMotion = false
  /// Whether controls run from right to left.
  public internal(set) var isRightToLeft = false
  /// The smallest selection, in frame pixels.
  public internal(set) var minimum: FrameSize?
  /// The largest selection, in frame pixels.
  public internal(set) var maximum: FrameSize?
  /// Whether a quarter turn keeps the ratio and does not turn it with the picture.
  public internal(set) var keepsRatio = false
  /// Whether a JPEG is to be cut without decoding it.
  public internal(set) var lossless: LosslessMode = .exact
  /// The JPEG in which the picture is stored; nil where it is in none that can be cut by blocks.
  public internal(set) var jpeg: StoredJPEG?
  /// The room round the frame, in view points.
  public internal(set) var margin = Interaction.margin
  /// The part of the view in which pictures and frames are fitted; nil for all but the margin.
  public internal(set) var room: ViewRect?
  /// Where the viewfinder's opening has its top, as a share of the view's height; nil for the middle.
  public internal(set) var openingTop: Double?
  /// The pointer's look.
  public internal(set) var cursor: CropCursor = .standard
  /// Which element has the keyboard.
  public internal(set) var focus: ElementKey?
  /// What to say aloud, after a change that said so.
  public internal(set) var announcement: Announcement?
  /// Whether the next drag draws.
  public internal(set) var isDrawArmed = false
  /// Whether the next drag draws along a horizon.
  public internal(set) var isLevelArmed = false

  var edit = Edit()
  var initial = Edit()
  var history = History()
  var intent: Intent?
  var viewport = Viewport(scale: 1, origin: .zero)
  var rest: Rest?
  var motion: Motion?
  var gesture: Gesture = .none
  var editBeforeGesture = Edit()
  var viewportBeforeGesture = Viewport(scale: 1, origin: .zero)
  var pointers: [ActivePointer] = []
  var hover: ViewPoint?
  var isSpaceHeld = false
  var heldModifiers: Modifiers = []
  var pendingTap: PendingTap?
  var lastTap: PendingTap?
  var recentreTime: Seconds?
  var snaps = Snaps()
  var touch = TouchFade()
  var now: Seconds = 0
  var changes: Changes = []

  /// A session without a picture and without a view.
  public init(style: CropStyle = .marquee) {
    self.style = style
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
    self.image = image
    jpeg = nil
    dropGesture()
    history = History()
    intent = nil
    motion = nil
    recentreTime = nil
    let kept = edit
    edit = Edit()
    (edit.ratio, edit.shape) = (kept.ratio, kept.shape)
    edit.selection = firstSelection()
    initial = edit
    viewport = restingViewport()
    dropLostFocus()
    var changes: Changes = [.scene, .recipe, .history, .cursor, .elements]
    before.compare(to: self, &changes)
    return changes
  }

  /// Takes an input and says what it changed.
  ///
  /// A position or time that is not a finite number is refused and changes nothing.
  public mutating func handle(_ input: Input) -> Changes {
    guard input.isFinite else { return .refused }
    let before = Observed(self)
    changes = []
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
    before.compare(to: self, &changes)
    return changes
  }

  /// The recipe as it stands, or will stand when the picture has come to rest; nil while nothing
  /// valid is selected.
  public var recipe: CropRecipe? {
    guard let selection = edit.selection else { return nil }
    var recipe = CropRecipe(rect: selection, tilt: edit.tilt, shape: edit.shape)
    recipe.orientation = edit.orientation
    recipe.output = edit.output
    if let image, (try? recipe.resolved(for: image)) == nil { recipe.output = nil }
    return recipe.normalized()
  }

  /// The size of the result in pixels: the selection's, unless another was asked for or its edges
  /// move outward to a JPEG's grid; nil while nothing valid is selected.
  public var resultSize: FrameSize? {
    guard let selection = edit.selection else { return nil }
    if let snapped = snappedRect { return snapped.size }
    let size = FrameSize(width: Int(selection.width), height: Int(selection.height))
    guard edit.output != nil, let image, let recipe else { return size }
    return (try? recipe.resolved(for: image))?.output ?? size
  }

  /// Shows a recipe as if it had just been made by hand; undo brings back what was before.
  ///
  /// A rectangle beyond the smallest or the largest size is brought within them.
  ///
  /// - Throws: why the recipe does not fit the picture; ``RecipeError/emptyPicture`` without one.
  /// - Returns: what changed.
  public mutating func restore(_ recipe: CropRecipe) throws(RecipeError) -> Changes {
    guard let image else { throw .emptyPicture }
    let resolved = try recipe.resolved(for: image)
    let before = Observed(self)
    changes = []
    endGesture(keeping: true)
    dropGesture()
    let old = edit
    edit.orientation = resolved.orientation
    edit.tilt = resolved.tilt
    edit.selection = resolved.rect
    edit.shape = resolved.shape
    edit.output = recipe.output
    if let ratio = ratioToKeep, !ratio.matches(PixelLengths(resolved.rect)) {
      // An opening takes the recipe's ratio, so that what is seen is what is cut.
      let own = AspectRatio(Int(resolved.rect.width), Int(resolved.rect.height))
      edit.ratio = style == .viewfinder ? own.map { .fixed($0) } ?? .free : .free
    }
    edit = conformed(edit)
    intent = nil
    if edit != old { history.record(old, kind: .command, at: now) }
    dropLostFocus()
    viewport = restingViewport()
    motion = nil
    before.compare(to: self, &changes)
    return changes
  }

  /// Whether something is selected that can be cropped.
  public var isValid: Bool { edit.selection != nil }
  /// Whether a step can be taken back.
  public var canUndo: Bool { !history.past.isEmpty }
  /// Whether a step can be done again.
  public var canRedo: Bool { !history.future.isEmpty }
  /// Whether anything differs from how the picture was opened.
  public var canReset: Bool { edit != initial }
  /// The ratio to keep.
  public var ratio: RatioChoice { edit.ratio }
  /// The tilt.
  public var tilt: Angle { edit.tilt }
  /// The outline of the result.
  public var shape: CropShape { edit.shape }
  /// The zoom, in multiples of the smallest.
  public var zoom: Double { image == nil ? 1 : viewport.scale / zoomRange(for: restingFrame).least }
  /// The frame: the picture's size after its quarter turns.
  public var frame: FrameSize { frame(of: edit) }
  /// Whether what is shown is on its way. Comparing with nil would compare two motions.
  var isMoving: Bool { if case .some = motion { true } else { false } }
  /// Whether time matters to what is shown.
  public var wantsTicks: Bool {
    isMoving || pendingTap != nil || recentreTime != nil || isScrolling
      || (!reducesMotion && touch.isFading(at: now))
  }
  /// Whether the picture or the selection follows a pointer right now.
  public var isGestureActive: Bool { gesture.isActive }
  /// Whether a finger anywhere on the view belongs to the session and not to the page around it.
  public var needsTouch: Bool {
    guard isShown else { return false }
    return style != .marquee || !pointers.isEmpty || isDrawArmed || isLevelArmed || zoom > 1.001
  }
  /// Whether a finger put down there belongs to the session: beside a picture that rests and has
  /// nothing to draw on, the page around may scroll.
  public func needsTouch(at point: ViewPoint) -> Bool {
    let reach = Interaction.touchHitArea / 2
    return needsTouch || (isShown && viewport(pictureBox).inset(by: -reach).contains(point))
  }
  /// The rule that the present selection can't obey for a higher one, if any.
  public var gaveWay: SelectionRule? { edit.selection.flatMap { rules.broken(by: $0) } }
  /// The size of the result, where it is not the selection's.
  public var outputSize: OutputSize? { edit.output }
}

extension CropSession {
  /// The picture under its tilt.
  var picture: TiltedPicture { TiltedPicture(frame: frame, tilt: edit.tilt) }

  /// The picture's size after an edit's quarter turns.
  private func frame(of edit: Edit) -> FrameSize {
    guard let image else { return FrameSize(width: 0, height: 0) }
    return OrientationMap<ImageSpace, FrameSpace>(edit.orientation, of: image).target
  }

  /// The rules a selection must satisfy.
  var rules: SelectionRules { rules(of: edit) }

  private func rules(of edit: Edit) -> SelectionRules {
    let frame = frame(of: edit)
    return SelectionRules(
      bounds: TiltedPicture(frame: frame, tilt: edit.tilt), ratio: ratioToKeep(edit, on: frame),
      minimum: minimum ?? FrameSize(width: 1, height: 1), maximum: maximum)
  }

  /// The ratio that a selection must have: the one chosen; an opening without one is square.
  var ratioToKeep: AspectRatio? { ratioToKeep(edit, on: frame) }

  private func ratioToKeep(_ edit: Edit, on frame: FrameSize) -> AspectRatio? {
    edit.ratio.ratio(on: frame) ?? (style == .viewfinder ? .square : nil)
  }

  /// The selection each style starts with.
  func firstSelection() -> FrameRect? { firstSelection(under: rules) }

  private func firstSelection(under rules: SelectionRules) -> FrameRect? {
    guard image != nil, style != .marquee else { return nil }
    return rules.quantised(rules.bounds.largestCentered).rect
  }

  /// An edit with a selection where the style always has one, of the ratio to keep and within the
  /// limits.
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

  /// Takes a drawn rectangle for the selection, quantised.
  mutating func select(_ rect: FrameRect, anchor: Anchor = .center) {
    edit.selection = rules.quantised(rect, anchor: anchor).rect
  }

  /// Whether the selection is as small or as large as the limits let it be, or a rule gave way.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  var isAtLimit: Bool {
    if gaveWay != nil { return true }
    guard minimum != nil || maximum != nil, let selection = edit.selection else { return false }
    func isAt(_ size: FrameSize?) -> Bool {
      size.map {
        selection.width == Double($0.width) || selection.height == Double($0.height)
      } ?? false
    }
    return isAt(minimum) || isAt(maximum)
  }

  /// Takes the keyboard from an element that is gone.
  mutating func dropLostFocus() {
    if edit.selection == nil, focus != .picture { focus = nil }
  }

  mutating func announce(_ announcement: Announcement) {
    self.announcement = announcement
    changes.insert(.announcement)
    if announcement == .limit { changes.insert(.limit) }
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
    edit = session.edit
    (canUndo, canRedo) = (session.canUndo, session.canRedo)
    viewport = session.viewport
    focus = session.focus
    cursor = session.cursor
    isActive = session.gesture.isActive
    wantsTicks = session.wantsTicks
    snaps = session.snaps
    isAtLimit = session.isAtLimit
  }

  func compare(to session: borrowing CropSession, _ changes: inout Changes) {
    if edit != session.edit { changes.formUnion([.recipe, .scene, .elements, .history]) }
    if canUndo != session.canUndo || canRedo != session.canRedo { changes.insert(.history) }
    if viewport != session.viewport || focus != session.focus {
      changes.formUnion([.scene, .elements])
    }
    if cursor != session.cursor { changes.insert(.cursor) }
    if isActive != session.gesture.isActive {
      changes.formUnion([.scene, session.gesture.isActive ? .gestureStarted : .gestureEnded])
    }
    // What moved until now is seen once more, at its end.
    if wantsTicks { changes.insert(.scene) }
    if session.wantsTicks { changes.formUnion([.wantsTicks, .scene]) }
    if catches(session.snaps)
      || session.edit.tilt == .zero && edit.tilt != .zero && session.touch.isHeld
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
    case .room(let room?):
      room.origin.isUsable && room.width.isUsable && room.height.isUsable && room.isProper
    case .openingTop(let share?): (0...1).contains(share)
    case .select(let rect): rect.isUsable
    case .set(_, let value): value.isUsable
    case .shape(.roundedRectangle(let radius)): radius.isUsable && radius >= 0
    default: true
    }
  }
}
