/// What commands and keys change.
extension SessionEditor {
  // MARK: The history

  mutating func walk(forward: Bool) {
    let (before, displayed, wasFitted) = (document.edit, displayedViewport, zoom < 1.001)
    guard document.walk(forward: forward) else { return announcer.refuse() }
    let isReoriented = document.edit.orientation != before.orientation
    if isReoriented || (document.edit.canvas != before.canvas && wasFitted) { rest() }
    reveal(from: isReoriented ? placement.viewport : displayed)
    announcer.announce(forward ? .redone : .undone)
  }

  mutating func reset() {
    guard document.canReset else { return }
    let (orientation, displayed) = (document.edit.orientation, displayedViewport)
    document.step(.command, at: now) { $0.reset() }
    rest()
    animate(
      from: document.edit.orientation == orientation ? displayed : placement.viewport,
      for: Interaction.bounceDuration, .out)
    announcer.announce(.reset)
  }

  // MARK: Settings

  mutating func setStyle(_ style: CropStyle) {
    document.changeSettings { $0.style = style }
    focus = nil
    rest()
    announcer.changes.formUnion([.scene, .recipe, .elements, .history])
  }

  mutating func setCover(_ cover: Cover) {
    document.settings.cover = cover
    guard settings.style == .viewfinder, isVisible else { return }
    if document.canReset {
      let frame = layout.viewfinderFrame
      placement.viewport = layout.rested(
        placement.viewport, cropFrame: frame, about: frame.center)
      document.select(visible: placement.viewport.inverse(frame), keeping: nil)
      placement.motion = nil
    } else {
      rest()
    }
    announcer.changes.formUnion([.scene, .elements])
  }

  mutating func setLimits(minimum: FrameSize?, maximum: FrameSize?) {
    func isUsable(_ size: FrameSize?) -> Bool { size.map { !$0.isEmpty } ?? true }
    guard isUsable(minimum), isUsable(maximum) else { return announcer.refuse() }
    let displayed = displayedViewport
    document.changeSettings { ($0.minimum, $0.maximum) = (minimum, maximum) }
    if document.image != nil { reveal(from: displayed) }
  }

  mutating func setReducesMotion(_ reduces: Bool) {
    document.settings.reducesMotion = reduces
    guard reduces, placement.isMoving else { return }
    placement.motion = nil
    announcer.changes.insert(.scene)
  }

  // MARK: The selection

  /// Clears the selection, as a step that can be undone.
  mutating func clearSelection() {
    guard settings.style == .marquee, document.isValid else { return }
    document.step(.command, at: now) { $0.edit.selection = nil }
    announcer.announce(.cleared)
    if focus != .picture { focus = nil }
  }

  /// Selects the area under a rectangle of the view; refuses one that is too small to be drawn.
  mutating func select(_ rect: ViewRect) {
    let drawn = placement.viewport.inverse(rect).cut(to: document.frame.bounds)
    if placement.viewport.isTooSmall(drawn, on: document.frame) { return announcer.refuse() }
    place { $0.select(drawn) }
  }

  mutating func set(_ field: SelectionField, to value: Double) {
    // Larger numbers are mistakes: no image has as many pixels.
    guard document.isValid, abs(value) < 1e9,
      document.edit.quad == nil || field == .x || field == .y
    else { return announcer.refuse() }
    step(.command) { $0.set(field, to: value) }
    announcer.announceSelection(of: document)
  }

  mutating func center() {
    if document.isValid { place { $0.center() } } else { announcer.refuse() }
  }

  /// Moves a handle outward or, if negative, inward, by whole pixels.
  mutating func resize(_ handle: CropHandle, outward step: Double) {
    resize(
      handle, by: FrameVector(dx: (2 * handle.x - 1) * step, dy: (2 * handle.y - 1) * step))
  }

  /// Moves a handle by whole pixels, as one of a series of steps.
  mutating func resize(_ handle: CropHandle, by vector: FrameVector) {
    nudge(.resize(handle)) { document, _ in document.resize(handle, by: vector) }
  }

  /// Moves the selection by whole pixels, as one of a series of steps.
  mutating func nudge(by vector: FrameVector) {
    nudge(.nudge) { document, selection in document.slide(to: selection.origin + vector) }
  }

  private mutating func nudge(
    _ kind: History.Kind, _ change: (inout Document, FrameRect) -> Void
  ) {
    guard let selection = document.edit.selection else { return }
    let before = document.edit.made
    step(kind) { change(&$0, selection) }
    announcer.announceSelection(of: document, isLimit: document.edit.made == before)
  }

  mutating func snapToGrid() {
    guard document.isValid, document.jpeg != nil, document.edit.quad == nil,
      document.edit.tilt.degrees == 0
    else { return announcer.refuse() }
    place { $0.alignToGrid() }
  }

  // MARK: The result

  mutating func setRatio(_ ratio: RatioChoice, output: OutputSize? = nil) {
    guard document.image != nil else { return document.edit.ratio = ratio }
    step(.command) { $0.setRatio(ratio, output: output) }
    announcer.announce(.ratio(document.resultRatio))
    if let rule = document.violatedRule { announcer.announce(.violatedRule(rule)) }
  }

  mutating func swapRatio() {
    let edit = document.edit
    if edit.quad != nil, !(edit.output?.isExact ?? false) {
      guard case .fixed = edit.ratio else { return }
      step(.command) { $0.edit.opposesSheet.toggle() }
      announcer.announce(.ratio(document.resultRatio))
    } else if edit.ratio != .free {
      setRatio(
        edit.ratio.swapped, output: edit.output?.isExact ?? false ? edit.output?.swapped : nil)
    } else if edit.selection != nil, edit.quad == nil {
      place { $0.swapSides() }
    }
  }

  mutating func setOutputSize(_ size: FrameSize?) {
    guard let size else { return setOutput(nil) }
    let sides = 1...RecipeError.largestOutputSide
    guard sides.contains(size.width), sides.contains(size.height),
      let ratio = AspectRatio(size.width, size.height)
    else { return announcer.refuse() }
    setRatio(.fixed(ratio), output: .exact(width: size.width, height: size.height))
  }

  mutating func setLongestSide(_ side: Int?) {
    guard (1...RecipeError.largestOutputSide).contains(side ?? 1) else { return announcer.refuse() }
    setOutput(side.map { .maxSide($0) })
  }

  private mutating func setOutput(_ output: OutputSize?) {
    document.step(.command, at: now) { $0.edit.output = output }
  }

  mutating func setShape(_ shape: CropShape) {
    guard document.image != nil else { return document.edit.shape = shape }
    document.step(.command, at: now) { $0.edit.shape = shape }
    announcer.announce(.shape(shape))
  }

  mutating func setCanvas(_ canvas: FilledCanvas?, movesRatio: Bool) {
    guard canvas?.canvas.isUsable ?? true else { return announcer.refuse() }
    guard document.image != nil else { return document.edit.canvas = canvas }
    let (old, displayed, wasFitted) = (document.edit.canvas, displayedViewport, zoom < 1.001)
    // Consecutive changes of the color are one undo step.
    let kind: History.Kind =
      if case .color = old?.fill, case .color = canvas?.fill, old?.canvas == canvas?.canvas {
        .fill
      } else {
        .command
      }
    document.step(kind, at: now) { $0.setCanvas(canvas, movesRatio: movesRatio) }
    guard canvas?.canvas != old?.canvas, isVisible else { return }
    if wasFitted { rest() }
    reveal(from: displayed)
  }

  // MARK: Turns and tilt

  mutating func turn(clockwise: Bool) {
    step(orienting: clockwise ? .right : .left)
    announcer.announce(.turned(quarterTurns: document.edit.orientation.quarterTurns))
  }

  mutating func mirror(vertically: Bool) {
    step(orienting: vertically ? .downMirrored : .upMirrored)
    announcer.announce(.mirrored)
  }

  private mutating func step(orienting next: Orientation) {
    let displayed = displayedViewport
    document.step(.command, at: now) { $0.orient(by: next) }
    rest()
    guard !next.isMirrored, isVisible, !settings.reducesMotion else {
      return placement.motion = nil
    }
    placement.animateTurn(
      clockwise: next == .right, from: displayed, document, at: now)
  }

  mutating func tilt(to angle: CropAngle, _ phase: TiltPhase) {
    let wanted = ruler.tilt(to: angle, phase, from: document.edit.tilt)
    if phase != .ended || wanted != document.edit.tilt {
      // The last change of a drag belongs to the drag.
      setTilt(wanted, kind: .tilt(phase == .once ? .once : .dragging))
    }
    hold(phase == .dragging)
    if phase == .ended { document.history.separate() }
  }

  mutating func setTilt(_ angle: CropAngle, kind: History.Kind) {
    let angle = angle.asTilt
    guard angle != document.edit.tilt else { return }
    guard document.allowsTilt(angle, in: document.edit.orientation) else {
      announcer.refuse()
      return announcer.announce(.limit)
    }
    let before = document.edit
    placement.tilt(to: angle, &document)
    document.record(since: before, kind, at: now)
    announcer.announce(.tilt(angle))
  }
}
