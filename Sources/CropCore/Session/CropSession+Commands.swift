/// What buttons, menus and programs ask for.
extension CropSession {
  mutating func handle(_ command: Command) {
    switch command {
    case .style(let style): setStyle(style)
    case .cover(let cover): setCover(cover)
    case .minimumSize(let size): setLimits(minimum: size, maximum: maximum)
    case .maximumSize(let size): setLimits(minimum: minimum, maximum: size)
    case .grid(let grid): (self.grid, changes) = (grid, changes.union(.scene))
    case .reduceMotion(let reduces): setReducesMotion(reduces)
    case .rightToLeft(let rightToLeft): isRightToLeft = rightToLeft
    case .focus(let key): setFocus(key)
    case .armDraw(let isArmed): isDrawArmed = isArmed && style != .viewfinder
    case .armLevel(let isArmed): isLevelArmed = isArmed
    case .cancelGesture: cancelGesture()
    case .crop: changes.insert(isValid ? .cropWanted : .refused)
    default:
      guard image != nil else {
        changes.insert(.refused)
        return
      }
      // A command in mid-gesture takes what the gesture has done so far.
      endGesture(keeping: true)
      change(by: command)
    }
  }

  private mutating func change(by command: Command) {
    switch command {
    case .undo: restore(history.undo(from: edit), saying: .undone)
    case .redo: restore(history.redo(from: edit), saying: .redone)
    case .reset: reset()
    case .clear: style == .marquee ? clearSelection() : reset()
    case .selectAll: step { $0.selectAll() }
    case .turn(let clockwise): turn(clockwise: clockwise)
    case .mirror(let vertically): mirror(vertically: vertically)
    case .tilt(let angle, let phase): tilt(to: angle, phase)
    case .ratio(let ratio): setRatio(ratio)
    case .swapRatio: swapRatio()
    case .shape(let shape): step(moving: false) { $0.edit.shape = shape }
    case .zoom(let factor): zoom(by: factor)
    case .fit: fit()
    case .center: step { $0.center() }
    case .set(let field, let value): set(field, to: value)
    case .increment(let key): adjust(key, by: 1)
    case .decrement(let key): adjust(key, by: -1)
    default: break
    }
  }

  /// Does something to the edit as one step of the history, and shows where it leads.
  private mutating func step(
    _ kind: History.Kind = .command, moving: Bool = true, _ change: (inout Self) -> Void
  ) {
    let before = edit
    let shown = shownViewport
    change(&self)
    guard edit != before else { return }
    history.record(before, kind: kind, at: now)
    if moving { show(from: shown) }
  }

  /// Shows the selection where the style shows it, on the way from where things were.
  private mutating func show(from shown: Viewport) {
    if style == .marquee {
      viewport = rested(viewport, frame: nil, about: area.center)
    } else {
      viewport = restingViewport()
    }
    animate(from: shown, for: Interaction.ratioDuration, .out)
  }

  /// Brings a selection made before a turn, or under other limits, within the present maximum. The
  /// minimum is left alone: what is taken back must be what was there.
  private mutating func keepWithinMaximum() {
    guard let selection = edit.selection else { return }
    let (width, height) = (selection.width, selection.height)
    let isTooLarge =
      maximum.map { width > Double($0.width) || height > Double($0.height) } ?? false
    if isTooLarge { edit.selection = rules.quantised(selection).rect }
  }

  private mutating func restore(_ past: Edit?, saying announcement: Announcement) {
    guard let past else {
      changes.insert(.refused)
      return
    }
    let isRelaid = past.orientation != edit.orientation
    let shown = shownViewport
    edit = past
    intent = nil
    keepWithinMaximum()
    if isRelaid || style != .marquee { viewport = restingViewport() }
    show(from: isRelaid ? viewport : shown)
    announce(announcement)
  }

  private mutating func reset() {
    guard canReset else { return }
    let before = edit
    edit = initial
    intent = nil
    keepWithinMaximum()
    history.record(before, kind: .command, at: now)
    let shown = shownViewport
    viewport = restingViewport()
    animate(
      from: before.orientation == initial.orientation ? shown : viewport,
      for: Interaction.bounceDuration, .out)
    announce(.reset)
  }

  // MARK: Settings

  private mutating func setStyle(_ style: CropStyle) {
    guard style != self.style else { return }
    endGesture(keeping: true)
    let wasUntouched = !canReset
    self.style = style
    focus = nil
    isDrawArmed = false
    if wasUntouched {
      edit.selection = firstSelection()
      initial = edit
      history = History()
    } else if style != .marquee {
      initial.selection = nil
      let kept = edit.selection ?? picture.largestCentered
      select(style == .viewfinder ? ofOpeningRatio(kept) : kept)
      initial.selection = initialSelection()
    } else {
      initial.selection = nil
    }
    motion = nil
    viewport = restingViewport()
    changes.formUnion([.scene, .recipe, .elements, .history])
  }

  /// What the present style starts with on the picture as it was opened.
  private func initialSelection() -> FrameRect? {
    var untouched = self
    untouched.edit = initial
    return untouched.firstSelection()
  }

  /// The largest rectangle of the viewfinder's ratio inside another, about its centre.
  private func ofOpeningRatio(_ rect: FrameRect) -> FrameRect {
    (edit.ratio.ratio(on: frame) ?? .square).fitted(in: rect)
  }

  private mutating func setCover(_ cover: Cover) {
    guard cover != self.cover else { return }
    endGesture(keeping: true)
    self.cover = cover
    guard style == .viewfinder, isShown else { return }
    step { session in
      let frame = session.opening
      session.viewport = session.rested(session.viewport, frame: frame, about: frame.center)
      session.edit.selection = session.selection(in: frame, under: session.viewport, keeping: nil)
    }
  }

  private mutating func setLimits(minimum: FrameSize?, maximum: FrameSize?) {
    func usable(_ size: FrameSize?) -> Bool { size.map { !$0.isEmpty } ?? true }
    guard usable(minimum), usable(maximum) else {
      changes.insert(.refused)
      return
    }
    endGesture(keeping: true)
    self.minimum = minimum
    self.maximum = maximum
    guard let selection = edit.selection else { return }
    step { $0.select(selection) }
  }

  private mutating func setReducesMotion(_ reduces: Bool) {
    reducesMotion = reduces
    if reduces, motion != nil { (motion, changes) = (nil, changes.union(.scene)) }
  }

  private mutating func setFocus(_ key: ElementKey?) {
    focus = edit.selection == nil && key != .picture ? nil : key
  }

  // MARK: Turns and mirrors

  private mutating func turn(clockwise: Bool) {
    let next: Orientation = clockwise ? .right : .left
    step(moving: false) { $0.lay(by: next) }
    announce(.turned(quarterTurns: edit.orientation.quarterTurns))
  }

  private mutating func mirror(vertically: Bool) {
    step(moving: false) { $0.lay(by: vertically ? .downMirrored : .upMirrored) }
    announce(.mirrored)
  }

  /// Lays what is seen down in another way; the same part stays selected.
  private mutating func lay(by next: Orientation) {
    let map = OrientationMap<FrameSpace, FrameSpace>(next, of: frame)
    let shown = shownViewport
    edit.selection = edit.selection.map { map($0) }
    edit.orientation = edit.orientation.followed(by: next)
    if next.isMirrored { edit.tilt = Angle(degrees: -edit.tilt.degrees + 0) }
    if next.isTransposing {
      if case .fixed = edit.ratio { edit.ratio = edit.ratio.swapped }
      if case .exact(let width, let height) = edit.output {
        edit.output = .exact(width: height, height: width)
      }
    }
    intent = nil
    keepWithinMaximum()
    viewport = restingViewport()
    guard !next.isMirrored, isShown, !reducesMotion else { return motion = nil }
    let center = edit.selection.map { viewport($0).center } ?? area.center
    motion = Motion(
      from: viewport, start: now, duration: Interaction.turnDuration, easing: .inOut,
      turn: next == .right ? -90 : 90, pivot: style == .marquee ? area.center : center,
      pivotScale: shown.scale / viewport.scale)
  }

  // MARK: Ratio and tilt

  private mutating func setRatio(_ ratio: RatioChoice) {
    step { session in
      session.edit.ratio = ratio
      session.edit.output = nil
      session.reselect()
    }
    announce(.ratio(ratio.ratio(on: frame)))
  }

  private mutating func swapRatio() {
    if case .free = edit.ratio {
      guard let selection = edit.selection else { return }
      step { session in
        session.select(
          FrameRect(
            center: selection.center, width: selection.height, height: selection.width))
      }
    } else {
      setRatio(edit.ratio.swapped)
    }
  }

  private mutating func tilt(to angle: Angle, _ phase: TiltPhase) {
    if phase != .ended || angle != edit.tilt {
      let hasMagnet = phase != .once
      setTilt(Self.steppedTilt(angle, hasMagnet: hasMagnet))
    }
    hold(phase == .dragging)
    if phase == .ended { history.separate() }
  }

  /// A tilt within ±45°, on the step, and zero where the magnet holds it.
  static func steppedTilt(_ angle: Angle, hasMagnet: Bool) -> Angle {
    let largest = CropRecipe.largestTilt.degrees
    let degrees = min(max(angle.degrees, -largest), largest)
    if hasMagnet, abs(degrees) < Interaction.tiltMagnet { return .zero }
    // Divided by ten and not multiplied by a tenth: the nearest number to what a person reads.
    let steps = (degrees / Interaction.tiltStep).rounded(.toNearestOrAwayFromZero)
    return Angle(degrees: steps / 10 + 0)
  }

  /// Tilts the picture; what the selection shows keeps its middle and shrinks as much as it must.
  mutating func setTilt(_ angle: Angle) {
    let angle = Self.steppedTilt(angle, hasMagnet: false)
    guard angle != edit.tilt else { return }
    guard TiltedPicture(frame: self.frame, tilt: angle).hasRoom else {
      changes.insert(.refused)
      return announce(.limit)
    }
    let before = edit
    let frame = restingFrame
    rememberIntent()
    edit.tilt = angle
    reselect()
    if style == .marquee {
      viewport = restingViewport()
    } else if let frame, let selection = edit.selection {
      viewport = viewport(of: selection, in: frame)
    }
    motion = nil
    history.record(before, kind: .tilt, at: now)
    announce(.tilt(angle))
  }

  /// Remembers what the person chose by hand, if the selection is not already derived from it.
  private mutating func rememberIntent() {
    guard let selection = edit.selection else { return intent = nil }
    if let intent, intent.result == selection { return }
    intent = Intent(
      center: picture.turnedBack(selection.center), width: selection.width,
      height: selection.height, result: selection)
  }

  /// Derives the selection from the intent under the present ratio and tilt.
  private mutating func reselect() {
    guard edit.selection != nil else { return }
    if intent == nil || intent?.result != edit.selection { rememberIntent() }
    guard var intent else { return }
    let center = picture.turned(intent.center)
    var rect = FrameRect(center: center, width: intent.width, height: intent.height)
    let wanted = edit.ratio.ratio(on: frame) ?? (style == .viewfinder ? .square : nil)
    if let wanted, !wanted.matches(PixelLengths(rect)) { rect = wanted.fitted(in: rect) }
    let scale = min(
      1, picture.largestScale(width: rect.width, height: rect.height, about: center))
    if scale < 1 {
      // Whole pixels are counted inwards here: outwards there is no room.
      rect = FrameRect(
        center: center, width: max(1, (rect.width * scale).rounded(.down)),
        height: max(1, (rect.height * scale).rounded(.down)))
    }
    select(rules.onGrain(rect))
    intent.result = edit.selection ?? rect
    self.intent = intent
  }

  // MARK: The selection by numbers

  private mutating func selectAll() {
    let whole = picture.largestCentered
    select(rules.ratio?.fitted(in: whole) ?? whole)
  }

  private mutating func center() {
    guard let selection = edit.selection else { return }
    edit.selection = rules.moved(
      selection,
      to: FramePoint(
        x: picture.center.x - selection.width / 2, y: picture.center.y - selection.height / 2))
  }

  private mutating func set(_ field: SelectionField, to value: Double) {
    guard var rect = edit.selection, abs(value) < 1e9 else {
      changes.insert(.refused)
      return
    }
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
      case .x, .y: session.edit.selection = session.rules.moved(rect, to: rect.origin)
      case .width, .height: session.select(rect, anchor: Anchor(x: 0, y: 0))
      }
    }
    announceSelection()
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
    guard let selection = edit.selection else { return }
    let drag = HandleDrag(
      handle: handle, start: selection, ratio: rules.ratio, isCentered: false, mayCross: false,
      picture: picture)
    let (rect, anchor) = drag.rect(at: selection.point(handle) + vector)
    step(.resize(handle)) { $0.select(rect, anchor: anchor) }
    announceSelection(orLimitAfter: selection)
  }

  /// Moves the selection by whole pixels, as one of a run of such steps.
  mutating func nudge(by vector: FrameVector) {
    guard let selection = edit.selection else { return }
    step(.nudge) { session in
      session.edit.selection = session.rules.moved(selection, to: selection.origin + vector)
    }
    announceSelection(orLimitAfter: selection)
  }

  mutating func announceSelection(orLimitAfter before: FrameRect? = nil) {
    guard let selection = edit.selection else { return announce(.cleared) }
    announce(selection == before ? .limit : .selection(selection))
  }
}

extension AspectRatio {
  /// The largest rectangle of this ratio inside another, about its centre.
  func fitted(in rect: FrameRect) -> FrameRect {
    let width = min(rect.width, rect.height * value)
    return FrameRect(center: rect.center, width: width, height: width / value)
  }
}
