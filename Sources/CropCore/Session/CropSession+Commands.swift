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
    case .armDraw(let isArmed): arm(.draw, isArmed && settings.style != .viewfinder)
    case .armLevel(let isArmed): arm(.level, isArmed)
    case .cancelGesture: cancelGesture()
    case .crop: feedback.changes.insert(isValid ? .cropWanted : .refused)
    case .ratio(let ratio) where image == nil: document.edit.ratio = ratio
    case .shape(let shape) where image == nil: document.edit.shape = shape
    default:
      guard image != nil else {
        feedback.changes.insert(.refused)
        return
      }
      // A command in mid-gesture takes what the gesture has done so far.
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
    case .zoom(let factor): zoom(by: factor)
    case .fit: fit()
    case .center: center()
    case .set(let field, let value): set(field, to: value)
    case .increment(let key): adjust(key, by: 1)
    case .decrement(let key): adjust(key, by: -1)
    default: break
    }
  }

  /// Does something to the edit as one step of the history, and shows where it leads.
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

  /// Selects something else as one step, and says what.
  mutating func place(_ change: (inout Self) -> Void) {
    let before = document.edit.selection
    step(.command, moving: true, change)
    announceSelection(orLimitAfter: before)
  }

  /// Shows the selection where the style shows it, on the way from where things were.
  private mutating func show(from shown: Viewport) {
    if settings.style == .marquee {
      placement.viewport = layout.rested(placement.viewport, cropFrame: nil, about: layout.middle)
    } else {
      placement.viewport = layout.restingViewport(for: document.edit.selection)
    }
    animate(from: shown, for: Interaction.ratioDuration, .out)
  }

  /// Goes through the history to the next edit that shows something else.
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
    let isRelaid = past.orientation != document.edit.orientation
    let shown = shownViewport
    document.edit = past
    document.intent = nil
    if isRelaid || settings.style != .marquee {
      placement.viewport = layout.restingViewport(for: document.edit.selection)
    }
    show(from: isRelaid ? placement.viewport : shown)
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
    conformAll(wasUntouched: wasUntouched)
    placement.motion = nil
    placement.viewport = layout.restingViewport(for: document.edit.selection)
    feedback.changes.formUnion([.scene, .recipe, .elements, .history])
  }

  /// Makes the selection obey the present style and limits; the history keeps what was made before
  /// them. Settings are no steps of it.
  ///
  /// - Parameter wasUntouched: the selection was the style's first, and becomes the present style's.
  private mutating func conformAll(wasUntouched: Bool) {
    var step = document.history.step(to: document.edit)
    if wasUntouched, step.made == document.edit.selection { step.made = nil }
    document.history.beginEra()
    document.edit = shown(step)
    document.history.show(document.edit, for: step.made)
    document.initial.selection = nil
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

  /// Arms the next drag, or disarms it where it was armed for that.
  private mutating func arm(_ drag: ArmedDrag, _ isArmed: Bool) {
    if isArmed {
      interaction.armed = drag
    } else if interaction.armed == drag {
      interaction.armed = nil
    }
  }

  private mutating func setFocus(_ key: ElementKey?) {
    feedback.focus = key
    // A key that goes up while another element has the keyboard is not heard.
    if key == nil { interaction.isSpaceHeld = false }
  }

  // MARK: The selection by numbers

  private mutating func selectAll() {
    let whole = picture.largestCentered
    select(rules.ratio?.fitted(in: whole) ?? whole)
  }

  /// What lies under a rectangle of the view; one that drawing would count as nothing is refused.
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
    place { $0.document.edit.selection = $0.rules.moved(selection, to: corner) }
  }

  private mutating func set(_ field: SelectionField, to value: Double) {
    // More than any picture has is a slip of the hand or of a program.
    guard let selection = document.edit.selection, abs(value) < 1e9 else {
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

  /// What a handle of the selection draws when it is brought to a point.
  private func pulled(_ handle: Handle, of selection: FrameRect, to point: FramePoint)
    -> (FrameRect, Anchor)
  {
    let drag = HandleDrag(
      handle: handle, start: selection, ratio: rules.ratio, isCentered: false, mayCross: false,
      picture: picture)
    return drag.rect(at: point)
  }

  /// Makes an element's value larger or smaller by a pixel.
  private mutating func adjust(_ key: ElementKey, by step: Double) {
    switch key {
    case .picture: zoom(by: step > 0 ? Interaction.keyZoom : 1 / Interaction.keyZoom)
    case .selection: resizeSelection(.bottomRight, by: FrameVector(dx: step, dy: step))
    default:
      guard let handle = key.handle else { return }
      // Larger means outward, whichever way the handle looks.
      let outward = FrameVector(
        dx: handle.x == 0 ? -step : handle.x == 1 ? step : 0,
        dy: handle.y == 0 ? -step : handle.y == 1 ? step : 0)
      resizeSelection(handle, by: outward)
    }
  }

  /// Moves a handle by whole pixels, as one of a run of such steps.
  mutating func resizeSelection(_ handle: Handle, by vector: FrameVector) {
    guard let selection = document.edit.selection else { return }
    let vector = rules.ratio?.step(vector, of: handle, on: PixelLengths(selection)) ?? vector
    var (rect, anchor) = pulled(handle, of: selection, to: selection.point(handle) + vector)
    if rules.ratio?.isExact ?? false {
      // A side that changes by an odd number about its middle: outward when it grows, inward when it
      // shrinks, so that there and back is the same place.
      let rounding: FloatingPointRoundingRule = rect.width > selection.width ? .down : .up
      if anchor.x == 0.5 { rect.x = rules.onGrain(rect.x, rounding) }
      if anchor.y == 0.5 { rect.y = rules.onGrain(rect.y, rounding) }
    }
    step(.resize(handle)) { $0.select(rect, anchor: anchor) }
    announceSelection(orLimitAfter: selection)
  }

  /// Moves the selection by whole pixels, as one of a run of such steps.
  mutating func nudge(by vector: FrameVector) {
    guard let selection = document.edit.selection else { return }
    step(.nudge) { $0.slide(to: selection.origin + vector) }
    announceSelection(orLimitAfter: selection)
  }

  /// Moves the selection straight towards a place, and no farther than the picture has room.
  private mutating func slide(to origin: FramePoint) {
    guard var selection = document.edit.selection else { return }
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
  /// The largest rectangle of this ratio inside another, about its centre.
  func fitted(in rect: FrameRect) -> FrameRect {
    let width = min(rect.width, rect.height * value)
    return FrameRect(center: rect.center, width: width, height: width / value)
  }

  /// A move of a handle by whole pixels, changed so that both sides keep to the ratio: at least by the
  /// ratio's own terms where it is exact, outward or inward as was asked.
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
