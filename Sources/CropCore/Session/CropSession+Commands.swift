/// What buttons, menus and programs ask for.
extension CropSession {
  mutating func handle(_ command: Command) {
    switch command.need {
    case .nothing: break
    case .rest: endGesture(keeping: true)
    case .image:
      guard image != nil else { return refuse() }
      endGesture(keeping: true)
    }
    switch command {
    // Settings
    case .style(let style): setStyle(style)
    case .cover(let cover): setCover(cover)
    case .minimumSize(let size): setLimits(minimum: size, maximum: settings.maximum)
    case .maximumSize(let size): setLimits(minimum: settings.minimum, maximum: size)
    case .grid(let grid):
      if grid != settings.grid { change(.scene) { $0.settings.grid = grid } }
    case .reduceMotion(let reduces): setReducesMotion(reduces)
    case .lossless(let mode): change(.scene) { $0.settings.lossless = mode }
    case .rightToLeft(let rightToLeft): settings.isRightToLeft = rightToLeft
    case .keepsRatio(let keeps): settings.keepsRatio = keeps
    case .margin(let margin):
      if margin != settings.margin { relayout { $0.settings.margin = margin } }
    case .layoutArea(let area):
      if area != settings.layoutArea { relayout { $0.settings.layoutArea = area } }
    case .viewfinderTop(let share):
      if share != settings.viewfinderTop { relayout { $0.settings.viewfinderTop = share } }
    // Interaction
    case .focus(let key): setFocus(key)
    case .armDraw(let isArmed): arm(.draw, isArmed && settings.style.canDraw)
    case .armLevel(let isArmed): arm(.level, isArmed && settings.style != .quad)
    case .cancelGesture: cancelGesture()
    case .crop: feedback.changes.insert(isValid ? .cropWanted : .refused)
    case .increment(let key): adjust(key, by: 1)
    case .decrement(let key): adjust(key, by: -1)
    // Zoom
    case .zoom(let factor): zoom(by: factor)
    case .fit: fit()
    // History
    case .undo: walk(forward: false)
    case .redo: walk(forward: true)
    case .reset: reset()
    // Turns and tilt
    case .turn(let clockwise): turn(clockwise: clockwise)
    case .mirror(let vertically): mirror(vertically: vertically)
    case .tilt(let angle, let phase): tilt(to: angle, phase)
    // The selection
    case .clear: settings.style == .marquee ? clearSelection() : reset()
    case .selectAll: place { $0.selectAll() }
    case .select(let rect): select(rect)
    case .center: isValid ? place { $0.center() } : refuse()
    case .snapToGrid: snapToGrid()
    case .set(let field, let value): set(field, to: value)
    // The result
    case .ratio(let ratio): setRatio(ratio)
    case .swapRatio: swapRatio()
    case .outputSize(let size): setOutputSize(size)
    case .longestSide(let side): setLongestSide(side)
    case .shape(let shape): setShape(shape)
    case .canvas(let canvas, let movesRatio): setCanvas(canvas, movesRatio: movesRatio)
    }
  }

  mutating func refuse() { feedback.changes.insert(.refused) }

  // MARK: Steps

  /// Applies a change as one step of the history, then shows the selection where the style requires
  /// it.
  mutating func step(_ kind: History.Kind, _ change: (inout Document) -> Void) {
    let displayed = displayedViewport
    if document.step(kind, at: interaction.now, change) { reveal(from: displayed) }
  }

  /// Changes the selection as one step, and announces it.
  mutating func place(_ change: (inout Document) -> Void) {
    let before = document.edit.selection
    step(.command, change)
    announceSelection(isLimit: document.edit.selection == before)
  }

  /// Shows the selection where the style requires it, with an animation from `displayed`.
  mutating func reveal(from displayed: Viewport) {
    if settings.style.restsPicture {
      placement.settle(document)
    } else {
      rest()
    }
    animate(from: displayed, for: Interaction.ratioDuration, .out)
  }

  private mutating func walk(forward: Bool) {
    let (before, displayed, wasFitted) = (document.edit, displayedViewport, zoom < 1.001)
    guard document.walk(forward: forward) else { return refuse() }
    let isReoriented = document.edit.orientation != before.orientation
    if isReoriented || (document.edit.canvas != before.canvas && wasFitted) { rest() }
    reveal(from: isReoriented ? placement.viewport : displayed)
    announce(forward ? .redone : .undone)
  }

  private mutating func reset() {
    guard canReset else { return }
    let (orientation, displayed) = (document.edit.orientation, displayedViewport)
    document.step(.command, at: interaction.now) { $0.reset() }
    rest()
    animate(
      from: document.edit.orientation == orientation ? displayed : placement.viewport,
      for: Interaction.bounceDuration, .out)
    announce(.reset)
  }

  // MARK: Settings

  private mutating func change(_ changes: Changes, _ change: (inout Self) -> Void) {
    change(&self)
    feedback.changes.formUnion(changes)
  }

  private mutating func setStyle(_ style: CropStyle) {
    guard style != settings.style else { return }
    endGesture(keeping: true)
    document.changeSettings { $0.style = style }
    feedback.focus = nil
    interaction.armed = nil
    placement.motion = nil
    rest()
    feedback.changes.formUnion([.scene, .recipe, .elements, .history])
  }

  private mutating func setCover(_ cover: Cover) {
    guard cover != settings.cover else { return }
    endGesture(keeping: true)
    settings.cover = cover
    guard settings.style == .viewfinder, isVisible else { return }
    if canReset {
      let frame = layout.viewfinderFrame
      placement.viewport = layout.rested(
        placement.viewport, cropFrame: frame, about: frame.center)
      document.select(visible: placement.viewport.inverse(frame), keeping: nil)
    } else {
      rest()
    }
    placement.motion = nil
    feedback.changes.formUnion([.scene, .elements])
  }

  private mutating func setLimits(minimum: FrameSize?, maximum: FrameSize?) {
    func isUsable(_ size: FrameSize?) -> Bool { size.map { !$0.isEmpty } ?? true }
    guard isUsable(minimum), isUsable(maximum) else { return refuse() }
    endGesture(keeping: true)
    let displayed = displayedViewport
    document.changeSettings { ($0.minimum, $0.maximum) = (minimum, maximum) }
    if image != nil { reveal(from: displayed) }
  }

  private mutating func setReducesMotion(_ reduces: Bool) {
    settings.reducesMotion = reduces
    if reduces, isMoving { change(.scene) { $0.placement.motion = nil } }
  }

  /// Arms the next drag, or disarms it if it is armed for that.
  private mutating func arm(_ drag: NextDrag, _ isArmed: Bool) {
    if isArmed {
      interaction.armed = drag
    } else if interaction.armed == drag {
      interaction.armed = nil
    }
  }

  private mutating func setFocus(_ key: ElementKey?) {
    feedback.focus = key
    // Ignores key releases while another element has keyboard focus.
    if key == nil { interaction.isSpaceHeld = false }
  }

  // MARK: The selection

  /// Clears the selection, as a step that can be undone.
  mutating func clearSelection() {
    guard settings.style == .marquee, isValid else { return }
    document.step(.command, at: interaction.now) { $0.edit.selection = nil }
    announce(.cleared)
    if focus != .picture { feedback.focus = nil }
  }

  /// Selects the area under a rectangle of the view; refuses one that is too small to be drawn.
  private mutating func select(_ rect: ViewRect) {
    let drawn = placement.viewport.inverse(rect).cut(to: frame.bounds)
    if placement.viewport.isTooSmall(drawn, on: frame) {
      refuse()
    } else {
      place { $0.select(drawn) }
    }
  }

  private mutating func set(_ field: SelectionField, to value: Double) {
    // Larger numbers are mistakes: no image has as many pixels.
    guard isValid, abs(value) < 1e9, document.edit.quad == nil || field == .x || field == .y
    else { return refuse() }
    step(.command) { $0.set(field, to: value) }
    announceSelection()
  }

  /// Increases or decreases an element's value by one pixel.
  private mutating func adjust(_ key: ElementKey, by step: Double) {
    switch key {
    case .picture: zoom(by: step > 0 ? Interaction.keyZoom : 1 / Interaction.keyZoom)
    case .selection: resizeSelection(.bottomRight, by: FrameVector(dx: step, dy: step))
    case .topLeft, .top, .topRight, .right, .bottomRight, .bottom, .bottomLeft, .left:
      guard let handle = key.handle else { return }
      // Positive means outward, whatever the handle's direction.
      resizeSelection(
        handle,
        by: FrameVector(dx: (2 * handle.x - 1) * step, dy: (2 * handle.y - 1) * step))
    }
  }

  /// Moves a handle by whole pixels, as one of a series of steps.
  mutating func resizeSelection(_ handle: Handle, by vector: FrameVector) {
    guard isValid else { return }
    let before = document.edit.made
    step(.resize(handle)) { $0.resize(handle, by: vector) }
    announceSelection(isLimit: document.edit.made == before)
  }

  /// Moves the selection by whole pixels, as one of a series of steps.
  mutating func nudge(by vector: FrameVector) {
    guard let selection = document.edit.selection else { return }
    let before = document.edit.made
    step(.nudge) { $0.slide(to: selection.origin + vector) }
    announceSelection(isLimit: document.edit.made == before)
  }

  private mutating func snapToGrid() {
    guard isValid, jpeg != nil, document.edit.quad == nil, tilt.degrees == 0 else {
      return refuse()
    }
    place { $0.alignToGrid() }
  }

  mutating func announce(_ announcement: Announcement) {
    feedback.announcement = announcement
    feedback.changes.insert(.announcement)
    if announcement == .limit { feedback.changes.insert(.limit) }
  }

  /// Announces the selection or, with `isLimit`, that nothing moved.
  mutating func announceSelection(isLimit: Bool = false) {
    guard let selection = document.edit.selection else { return announce(.cleared) }
    if isLimit { return announce(.limit) }
    announce(violatedRule.map { .violatedRule($0) } ?? .selection(selection))
  }

  // MARK: The result

  private mutating func setRatio(_ ratio: RatioChoice, output: OutputSize? = nil) {
    guard image != nil else { return document.edit.ratio = ratio }
    step(.command) { $0.setRatio(ratio, output: output) }
    announce(.ratio(ratio.ratio(on: frame)))
    if let violatedRule { announce(.violatedRule(violatedRule)) }
  }

  private mutating func swapRatio() {
    if case .free = ratio {
      if isValid, document.edit.quad == nil { place { $0.swapSides() } }
    } else {
      setRatio(ratio.swapped, output: outputSize?.isExact ?? false ? outputSize?.swapped : nil)
    }
  }

  private mutating func setOutputSize(_ size: FrameSize?) {
    guard let size else { return setOutput(nil) }
    let sides = 1...RecipeError.largestOutputSide
    guard sides.contains(size.width), sides.contains(size.height),
      let ratio = AspectRatio(size.width, size.height)
    else { return refuse() }
    setRatio(.fixed(ratio), output: .exact(width: size.width, height: size.height))
  }

  private mutating func setLongestSide(_ side: Int?) {
    guard (1...RecipeError.largestOutputSide).contains(side ?? 1) else { return refuse() }
    setOutput(side.map { .maxSide($0) })
  }

  private mutating func setOutput(_ output: OutputSize?) {
    document.step(.command, at: interaction.now) { $0.edit.output = output }
  }

  private mutating func setShape(_ shape: CropShape) {
    guard image != nil else { return document.edit.shape = shape }
    document.step(.command, at: interaction.now) { $0.edit.shape = shape }
    announce(.shape(shape))
  }

  private mutating func setCanvas(_ canvas: FilledCanvas?, movesRatio: Bool) {
    guard canvas?.canvas.isUsable ?? true else { return refuse() }
    guard image != nil else { return document.edit.canvas = canvas }
    let (old, displayed, wasFitted) = (document.edit.canvas, displayedViewport, zoom < 1.001)
    // Consecutive changes of the colour are one undo step.
    let kind: History.Kind =
      if case .color = old?.fill, case .color = canvas?.fill, old?.canvas == canvas?.canvas {
        .fill
      } else {
        .command
      }
    document.step(kind, at: interaction.now) { $0.setCanvas(canvas, movesRatio: movesRatio) }
    guard canvas?.canvas != old?.canvas, isVisible else { return }
    if wasFitted { rest() }
    reveal(from: displayed)
  }

  // MARK: Turns and tilt

  private mutating func turn(clockwise: Bool) {
    step(orienting: clockwise ? .right : .left)
    announce(.turned(quarterTurns: document.edit.orientation.quarterTurns))
  }

  private mutating func mirror(vertically: Bool) {
    step(orienting: vertically ? .downMirrored : .upMirrored)
    announce(.mirrored)
  }

  private mutating func step(orienting next: Orientation) {
    let displayed = displayedViewport
    document.step(.command, at: interaction.now) { $0.orient(by: next) }
    rest()
    guard !next.isMirrored, isVisible, !settings.reducesMotion else {
      return placement.motion = nil
    }
    placement.animateTurn(
      clockwise: next == .right, from: displayed, document, at: interaction.now)
  }

  private mutating func tilt(to angle: Angle, _ phase: TiltPhase) {
    let wanted = interaction.ruler.tilt(to: angle, phase, from: tilt)
    if phase != .ended || wanted != tilt {
      // The last change of a drag belongs to the drag.
      setTilt(wanted, kind: .tilt(phase == .once ? .once : .dragging))
    }
    hold(phase == .dragging)
    if phase == .ended { document.history.separate() }
  }

  mutating func setTilt(_ angle: Angle, kind: History.Kind) {
    let angle = angle.asTilt
    guard angle != tilt else { return }
    guard document.allowsTilt(angle, in: document.edit.orientation) else {
      refuse()
      return announce(.limit)
    }
    let before = document.edit
    placement.tilt(to: angle, &document)
    _ = document.record(since: before, kind, at: interaction.now)
    announce(.tilt(angle))
  }
}

extension Command {
  /// What a command needs: nothing, that no gesture is under way, or an image.
  fileprivate enum Need { case nothing, rest, image }

  fileprivate var need: Need {
    switch self {
    case .style, .cover, .minimumSize, .maximumSize, .grid, .reduceMotion, .lossless, .rightToLeft,
      .keepsRatio, .margin, .layoutArea, .viewfinderTop, .focus, .armDraw, .armLevel,
      .cancelGesture, .crop:
      .nothing
    case .ratio, .shape, .canvas: .rest
    case .undo, .redo, .reset, .clear, .selectAll, .select, .center, .snapToGrid, .set, .turn,
      .mirror, .tilt, .swapRatio, .outputSize, .longestSide, .zoom, .fit, .increment, .decrement:
      .image
    }
  }
}
