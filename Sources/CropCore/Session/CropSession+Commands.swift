/// What buttons, menus and programs ask for.
extension CropSession {
  mutating func handle(_ command: Command) {
    switch command {
    case .style(let style): setStyle(style)
    case .cover(let cover): setCover(cover)
    case .minimumSize(let size): setLimits(minimum: size, maximum: settings.maximum)
    case .maximumSize(let size): setLimits(minimum: settings.minimum, maximum: size)
    case .grid(let grid):
      if grid != settings.grid {
        (self.settings.grid, feedback.changes) = (grid, feedback.changes.union(.scene))
      }
    case .reduceMotion(let reduces): setReducesMotion(reduces)
    case .lossless(let mode):
      (settings.lossless, feedback.changes) = (mode, feedback.changes.union(.scene))
    case .rightToLeft(let rightToLeft): settings.isRightToLeft = rightToLeft
    case .keepsRatio(let keeps): settings.keepsRatio = keeps
    case .margin(let margin):
      if margin != settings.margin { relayout { $0.settings.margin = margin } }
    case .layoutArea(let area):
      if area != settings.layoutArea { relayout { $0.settings.layoutArea = area } }
    case .viewfinderTop(let share):
      if share != settings.viewfinderTop { relayout { $0.settings.viewfinderTop = share } }
    case .focus(let key): setFocus(key)
    case .armDraw(let isArmed):
      arm(.draw, isArmed && settings.style.canDraw)
    case .armLevel(let isArmed): arm(.level, isArmed && settings.style != .quad)
    case .cancelGesture: cancelGesture()
    case .crop: feedback.changes.insert(isValid ? .cropWanted : .refused)
    case .ratio(let ratio) where image == nil: document.edit.ratio = ratio
    case .shape(let shape) where image == nil: document.edit.shape = shape
    case .canvas(let canvas, _) where image == nil && canvas?.canvas.isUsable ?? true:
      document.edit.canvas = canvas
    default:
      guard image != nil else {
        feedback.changes.insert(.refused)
        return
      }
      // A command during a gesture keeps what the gesture has done so far.
      endGesture(keeping: true)
      change(by: command)
    }
  }

  private mutating func change(by command: Command) {
    switch command {
    case .undo: walk(forward: false)
    case .redo: walk(forward: true)
    case .reset: reset()
    case .clear: settings.style == .marquee ? clearSelection() : reset()
    case .selectAll: place { $0.selectAll() }
    case .select(let rect): select(rect)
    case .turn(let clockwise): turn(clockwise: clockwise)
    case .mirror(let vertically): mirror(vertically: vertically)
    case .tilt(let angle, let phase): tilt(to: angle, phase)
    case .ratio(let ratio): setRatio(ratio)
    case .swapRatio: swapRatio()
    case .outputSize(let size): setOutputSize(size)
    case .longestSide(let side): setLongestSide(side)
    case .shape(let shape):
      step(moving: false) { $0.document.edit.shape = shape }
      announce(.shape(shape))
    case .canvas(let canvas, let movesRatio): setCanvas(canvas, movesRatio: movesRatio)
    case .zoom(let factor): zoom(by: factor)
    case .fit: fit()
    case .center: center()
    case .snapToGrid: snapToGrid()
    case .set(let field, let value): set(field, to: value)
    case .increment(let key): adjust(key, by: 1)
    case .decrement(let key): adjust(key, by: -1)
    default: break
    }
  }

  /// Applies a change to the edit as one step of the history, and shows the result.
  mutating func step(
    _ kind: History.Kind = .command, moving: Bool = true, _ change: (inout Self) -> Void
  ) {
    let before = document.edit
    let shown = shownViewport
    change(&self)
    guard document.edit != before else { return }
    document.history.record(before, kind: kind, at: interaction.now)
    if moving { show(from: shown) }
  }

  /// Changes the selection as one step, and announces it.
  mutating func place(_ change: (inout Self) -> Void) {
    let before = document.edit.selection
    step(.command, moving: true, change)
    announceSelection(orLimitAfter: before)
  }

  /// Shows the selection where the style requires it, with an animation from `shown`.
  mutating func show(from shown: Viewport) {
    if settings.style.restsPicture {
      placement.viewport = layout.rested(placement.viewport, cropFrame: nil, about: layout.middle)
    } else {
      placement.viewport = layout.restingViewport(for: document.edit.selection)
    }
    animate(from: shown, for: Interaction.ratioDuration, .out)
  }

  /// Goes through the history to the next edit that looks different.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  private mutating func walk(forward: Bool) {
    guard forward ? canRedo : canUndo else {
      feedback.changes.insert(.refused)
      return
    }
    var past = document.edit
    while past == document.edit, let step = document.history.walk(forward: forward, from: past) {
      past = shown(step)
      document.history.show(past, for: step.made)
    }
    let isReoriented = past.orientation != document.edit.orientation
    let isOther = isReoriented || (past.canvas != document.edit.canvas && zoom < 1.001)
    let shown = shownViewport
    document.edit = past
    document.intent = nil
    if isOther || !settings.style.restsPicture {
      placement.viewport = layout.restingViewport(for: document.edit.selection)
    }
    show(from: isReoriented ? placement.viewport : shown)
    announce(forward ? .redone : .undone)
  }

  private mutating func reset() {
    guard canReset else { return }
    let before = document.edit
    document.edit = document.initial
    document.intent = nil
    document.history.record(before, kind: .command, at: interaction.now)
    let shown = shownViewport
    placement.viewport = layout.restingViewport(for: document.edit.selection)
    animate(
      from: before.orientation == document.initial.orientation ? shown : placement.viewport,
      for: Interaction.bounceDuration, .out)
    announce(.reset)
  }

  // MARK: Settings

  private mutating func setStyle(_ style: CropStyle) {
    guard style != self.settings.style else { return }
    endGesture(keeping: true)
    let wasUntouched = !canReset
    self.settings.style = style
    feedback.focus = nil
    arm(.draw, false)
    arm(.level, false)
    conformAll(wasUntouched: wasUntouched)
    placement.motion = nil
    placement.viewport = layout.restingViewport(for: document.edit.selection)
    feedback.changes.formUnion([.scene, .recipe, .elements, .history])
  }

  /// Makes the selection satisfy the current style and limits; the history keeps the state before.
  /// Changing settings is not a history step.
  ///
  /// - Parameter wasUntouched: the selection was the style's initial one, and becomes the new
  ///   style's.
  private mutating func conformAll(wasUntouched: Bool) {
    var step = document.history.step(to: document.edit)
    if wasUntouched, step.made == document.edit.made {
      (step.made.selection, step.made.quad) = (nil, nil)
    }
    document.history.beginEra()
    document.edit = shown(step)
    document.history.show(document.edit, for: step.made)
    (document.initial.selection, document.initial.quad) = (nil, nil)
    document.initial = conformed(document.initial)
    document.intent = nil
  }

  private mutating func setCover(_ cover: Cover) {
    guard cover != self.settings.cover else { return }
    endGesture(keeping: true)
    self.settings.cover = cover
    guard settings.style == .viewfinder, isShown else { return }
    let isUntouched = !canReset
    if isUntouched {
      placement.viewport = layout.restingViewport(for: document.edit.selection)
    } else {
      placement.viewport = layout.rested(
        placement.viewport, cropFrame: layout.viewfinderFrame, about: layout.viewfinderFrame.center)
      document.edit.selection = selection(
        in: layout.viewfinderFrame, under: placement.viewport, keeping: nil)
    }
    placement.motion = nil
    feedback.changes.formUnion([.scene, .elements])
  }

  private mutating func setLimits(minimum: FrameSize?, maximum: FrameSize?) {
    func usable(_ size: FrameSize?) -> Bool { size.map { !$0.isEmpty } ?? true }
    guard usable(minimum), usable(maximum) else {
      feedback.changes.insert(.refused)
      return
    }
    endGesture(keeping: true)
    let wasUntouched = !canReset
    self.settings.minimum = minimum
    self.settings.maximum = maximum
    guard image != nil else { return }
    let shown = shownViewport
    conformAll(wasUntouched: wasUntouched)
    show(from: shown)
  }

  private mutating func setReducesMotion(_ reduces: Bool) {
    settings.reducesMotion = reduces
    if reduces, isMoving {
      (placement.motion, feedback.changes) = (nil, feedback.changes.union(.scene))
    }
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

  // MARK: The selection by numbers

  private mutating func selectAll() {
    let whole = picture.largestCentered
    select(rules.ratio?.fitted(in: whole) ?? whole)
    if let selection = document.edit.selection {
      document.edit.selection = onGrid(selection, of: document.edit)
    }
  }

  /// Selects the area under a rectangle of the view; refuses one that is too small to be drawn.
  private mutating func select(_ rect: ViewRect) {
    let drawn = placement.viewport.inverse(rect).cut(to: frame.bounds)
    guard !isNothing(drawn) else {
      feedback.changes.insert(.refused)
      return
    }
    place { $0.select(drawn) }
  }

  private mutating func center() {
    guard let selection = document.edit.selection else {
      feedback.changes.insert(.refused)
      return
    }
    let corner = FramePoint(
      x: picture.center.x - selection.width / 2, y: picture.center.y - selection.height / 2)
    place { session in
      if let quad = session.document.edit.quad {
        session.setQuad(quad.moved(by: corner - selection.origin, in: session.frame))
      } else {
        session.document.edit.selection = session.rules.moved(selection, to: corner)
      }
    }
  }

  private mutating func set(_ field: SelectionField, to value: Double) {
    // Larger numbers are mistakes: no image has as many pixels.
    guard let selection = document.edit.selection, abs(value) < 1e9,
      document.edit.quad == nil || field == .x || field == .y
    else {
      feedback.changes.insert(.refused)
      return
    }
    var rect = selection
    let ratio = rules.ratio?.value
    switch field {
    case .x: rect.x = value
    case .y: rect.y = value
    case .width:
      rect.width = max(1, value)
      if let ratio { rect.height = rect.width / ratio }
    case .height:
      rect.height = max(1, value)
      if let ratio { rect.width = rect.height * ratio }
    }
    step { session in
      switch field {
      case .x, .y: session.slide(to: rect.origin)
      case .width, .height:
        let handle: Handle = ratio != nil ? .bottomRight : field == .width ? .right : .bottom
        let (drawn, anchor) = session.pulled(handle, of: selection, to: rect.point(handle))
        session.select(drawn, anchor: anchor)
      }
    }
    announceSelection()
  }

  /// The rectangle drawn when a handle of the selection is moved to a point.
  private func pulled(_ handle: Handle, of selection: FrameRect, to point: FramePoint)
    -> (FrameRect, Anchor)
  {
    let drag = HandleDrag(
      handle: handle, start: selection, ratio: rules.ratio, isCentered: false, mayCross: false,
      picture: picture)
    return drag.rect(at: point)
  }

  /// Increases or decreases an element's value by one pixel.
  private mutating func adjust(_ key: ElementKey, by step: Double) {
    switch key {
    case .picture: zoom(by: step > 0 ? Interaction.keyZoom : 1 / Interaction.keyZoom)
    case .selection: resizeSelection(.bottomRight, by: FrameVector(dx: step, dy: step))
    default:
      guard let handle = key.handle else { return }
      // Positive means outward, whatever the handle's direction.
      let outward = FrameVector(
        dx: handle.x == 0 ? -step : handle.x == 1 ? step : 0,
        dy: handle.y == 0 ? -step : handle.y == 1 ? step : 0)
      resizeSelection(handle, by: outward)
    }
  }

  /// Moves a handle by whole pixels, as one of a series of steps.
  mutating func resizeSelection(_ handle: Handle, by vector: FrameVector) {
    guard let selection = document.edit.selection else { return }
    if let quad = document.edit.quad {
      step(.resize(handle)) { $0.setQuad(quad.dragged(handle, by: vector, in: $0.frame)) }
      return announceQuad(orLimitAfter: quad)
    }
    let vector = rules.ratio?.step(vector, of: handle, on: PixelLengths(selection)) ?? vector
    var (rect, anchor) = pulled(handle, of: selection, to: selection.point(handle) + vector)
    if rules.ratio?.isExact ?? false {
      // An odd change about the centre is rounded outward when growing and inward when shrinking,
      // so that undoing it restores the position.
      let rounding: FloatingPointRoundingRule = rect.width > selection.width ? .down : .up
      if anchor.x == 0.5 { rect.x = rules.onGrain(rect.x, rounding) }
      if anchor.y == 0.5 { rect.y = rules.onGrain(rect.y, rounding) }
    }
    step(.resize(handle)) { $0.select(rect, anchor: anchor) }
    announceSelection(orLimitAfter: selection)
  }

  /// Moves the selection by whole pixels, as one of a series of steps.
  mutating func nudge(by vector: FrameVector) {
    guard let selection = document.edit.selection else { return }
    if let quad = document.edit.quad {
      step(.nudge) { $0.setQuad(quad.moved(by: vector, in: $0.frame)) }
      return announceQuad(orLimitAfter: quad)
    }
    step(.nudge) { $0.slide(to: selection.origin + vector) }
    announceSelection(orLimitAfter: selection)
  }

  /// Moves the selection in a straight line towards a position, as far as the image allows.
  private mutating func slide(to origin: FramePoint) {
    guard var selection = document.edit.selection else { return }
    if let quad = document.edit.quad {
      return setQuad(quad.moved(by: origin - selection.origin, in: frame))
    }
    let rules = rules
    var target = selection
    (target.x, target.y) = (origin.x, origin.y)
    let last = rules.bounds.last(from: selection, to: rules.onGrain(target))
    selection.x += rules.onGrain(last.x - selection.x, .towardZero)
    selection.y += rules.onGrain(last.y - selection.y, .towardZero)
    document.edit.selection = selection
  }

  mutating func announceSelection(orLimitAfter before: FrameRect? = nil) {
    guard let selection = document.edit.selection else { return announce(.cleared) }
    if selection == before { return announce(.limit) }
    announce(violatedRule.map { .violatedRule($0) } ?? .selection(selection))
  }
}

extension AspectRatio {
  /// The largest rectangle of this ratio that is centred inside `rect`.
  func fitted(in rect: FrameRect) -> FrameRect {
    let width = min(rect.width, rect.height * value)
    return FrameRect(center: rect.center, width: width, height: width / value)
  }

  /// A handle move by whole pixels, adjusted so that both sides keep the ratio: by at least the
  /// ratio's terms if it is exact, outward or inward as requested.
  fileprivate func step(_ vector: FrameVector, of handle: Handle, on size: PixelLengths)
    -> FrameVector
  {
    let (signX, signY) = (2 * handle.x - 1, 2 * handle.y - 1)
    let (across, down) = (vector.dx * signX, vector.dy * signY)
    let isAcross = abs(across) >= abs(down)
    let wanted = isAcross ? across : down
    guard wanted != 0 else { return .zero }
    var width = wanted * (isAcross ? 1 : value)
    var height = width / value
    if isExact {
      let term = Double(isAcross ? self.width : self.height)
      let count = max(1, (abs(wanted) / term).rounded(.toNearestOrAwayFromZero))
      let least = 1 - size.width / Double(self.width)
      width = Double(self.width) * max(wanted < 0 ? -count : count, least)
      height = Double(self.height) * max(wanted < 0 ? -count : count, least)
    }
    return FrameVector(dx: width * signX, dy: height * signY)
  }
}
