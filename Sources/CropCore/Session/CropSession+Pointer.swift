/// A tap that would clear the selection, held back in case a second one makes it a double tap.
struct PendingTap: Hashable, Sendable {
  var position: ViewPoint
  var time: Seconds

  /// Whether a tap at `position` and `time` is the second of a double tap.
  func isFollowed(byTapAt position: ViewPoint, time: Seconds) -> Bool {
    time - self.time <= Interaction.doubleTapWait
      && (position - self.position).length <= Interaction.doubleTapReach
  }

  /// Whether an input may still turn the tap into a double tap; `isFollowed` while a second press,
  /// started in time, is down.
  func awaits(_ input: Input, at now: Seconds, isFollowed: Bool) -> Bool {
    guard isFollowed || now - time <= Interaction.doubleTapWait else { return false }
    switch input {
    case .tick, .resize: return true
    case .pointer(let pointer):
      return pointer.phase != .down
        || self.isFollowed(byTapAt: pointer.position, time: pointer.time)
    default: return false
    }
  }
}

/// Turns pointer events into gestures.
extension CropSession {
  mutating func handle(_ input: PointerInput) {
    switch input.phase {
    case .down: if isVisible { pointerDown(input) }
    case .move: pointerMove(input)
    case .up: pointerUp(input)
    case .cancel: pointerCancel(input)
    case .leave: if interaction.pointers.isEmpty { interaction.hover = nil }
    }
  }

  private mutating func pointerDown(_ input: PointerInput) {
    if let lost = interaction.pointers.first(where: { $0.id == input.id }) {
      // Its `up` event was lost: the pointer was released at its last known position.
      var up = input
      (up.phase, up.position) = (.up, lost.position)
      pointerUp(up, isTap: false)
    }
    guard interaction.pointers.count < 10 else { return }
    feedback.changes.formUnion([.handled, .scene])
    interaction.pointers.append(
      ActivePointer(
        id: input.id, kind: input.kind, start: input.position, position: input.position,
        startTime: interaction.now,
        trail: [ActivePointer.Place(position: input.position, time: interaction.now)]))
    interaction.heldModifiers = input.modifiers
    interaction.hover = input.kind == .mouse ? input.position : nil
    if interaction.pointers.count == 1 {
      let caught = catchMotion()
      interaction.editBeforeGesture = document.edit
      interaction.viewportBeforeGesture = placement.viewport
      interaction.gesture = .pressed(
        Press(
          target: target(at: input.position, kind: input.kind), button: input.button,
          caughtMotion: caught, followsTap: followsTap(input)))
      hold(true)
    } else if interaction.pointers.count == 2 {
      beginPinch()
    }
  }

  private mutating func pointerMove(_ input: PointerInput) {
    guard let index = interaction.pointers.firstIndex(where: { $0.id == input.id }) else {
      // A hovering mouse only changes the cursor.
      if interaction.pointers.isEmpty, input.kind == .mouse { interaction.hover = input.position }
      return
    }
    guard interaction.pointers[index].position != input.position else { return }
    feedback.changes.formUnion([.handled, .scene])
    decideBetweenPinchAndMove()
    interaction.pointers[index].move(to: input.position, at: interaction.now)
    decideBetweenPinchAndMove()
    interaction.heldModifiers = input.modifiers
    if interaction.pointers[index].kind == .mouse { interaction.hover = input.position }
    switch interaction.gesture {
    case .none, .ignoring: break
    case .pressed(let press):
      let moved = (input.position - interaction.pointers[index].start).length
      let threshold =
        input.kind == .mouse ? Interaction.mouseThreshold : Interaction.touchThreshold
      // A press exceeds the threshold at exactly its length.
      if index == 0, moved >= threshold {
        begin(press, modifiers: input.modifiers)
        follow(modifiers: input.modifiers)
      }
    default: follow(modifiers: input.modifiers)
    }
  }

  private mutating func pointerUp(_ input: PointerInput, isTap mayTap: Bool = true) {
    guard let index = interaction.pointers.firstIndex(where: { $0.id == input.id }) else { return }
    feedback.changes.formUnion([.handled, .scene])
    let pointer = interaction.pointers[index]
    if pointer.position != input.position, interaction.gesture.isActive {
      interaction.pointers[index].move(to: input.position, at: interaction.now)
      decideBetweenPinchAndMove(atEnd: true)
      follow(modifiers: input.modifiers)
    }
    let last = interaction.pointers[index]
    interaction.pointers.remove(at: index)
    if interaction.pointers.isEmpty {
      if case .pressed(let press) = interaction.gesture {
        interaction.gesture = .none
        // The microsecond allows for rounding errors in differences of times.
        let isShort = interaction.now - last.startTime <= Interaction.longestTap + 1e-6
        let isTap = mayTap && isShort && !press.caughtMotion && press.button == .primary
        if isTap { tap(at: input.position, press) } else { settle() }
      } else {
        finish(last)
      }
      hold(false)
    } else if case .moving = interaction.gesture {
      // Two fingers were moving the frame; one was lifted.
      finish(last)
    } else if interaction.pointers.count > 1 {
      // Another pair of fingers continues from the current position.
      if index < 2 { beginPinch() }
    } else {
      pinchBecamePan()
    }
  }

  private mutating func pointerCancel(_ input: PointerInput) {
    guard interaction.pointers.contains(where: { $0.id == input.id }) else { return }
    feedback.changes.insert(.scene)
    interaction.pointers.removeAll { $0.id == input.id }
    cancelGesture()
    if interaction.pointers.isEmpty { hold(false) } else { interaction.gesture = .ignoring }
  }

  /// Records whether something is held, which changes the shade.
  mutating func hold(_ isHeld: Bool) {
    guard feedback.shadeFade.isHeld != isHeld else { return }
    feedback.shadeFade = ShadeFade(time: interaction.now, isHeld: isHeld)
    feedback.changes.insert(.scene)
  }

  // MARK: Gestures

  /// Starts the gesture that a moved press has in this style.
  private mutating func begin(_ press: Press, modifiers: Modifiers) {
    let start = interaction.pointers[0].start
    interaction.pendingTap = nil
    interaction.recenterTime = nil
    defer { placement.motion = nil }
    if interaction.armed == .level, press.button == .primary {
      interaction.gesture = .levelling(from: start, to: start)
      return
    }
    let moves = modifiers.contains(.space) || interaction.isSpaceHeld || press.button == .middle
    switch (settings.style, press.target) {
    case (.viewfinder, _): beginPan()
    case (_, _) where interaction.armed == .draw && !moves: beginDrawing(at: start)
    case (.marquee, _) where moves: beginPan()
    case (.quad, _) where moves: beginPan()
    case (.studio, _) where moves: beginMoving(at: start)
    case (_, .handle(let handle)): beginResizing(handle, at: start)
    case (.marquee, .inside), (.quad, .inside): beginMoving(at: start)
    case (.marquee, .outside): beginDrawing(at: start)
    case (.studio, _), (.quad, .outside): beginPan()
    }
  }

  /// Updates the gesture to the current positions of the pointers.
  mutating func follow(modifiers: Modifiers) {
    guard let position = interaction.pointers.first?.position else { return }
    var modifiers = modifiers
    if interaction.isSpaceHeld { modifiers.insert(.space) }
    switch interaction.gesture {
    case .resizing(let resizing): resize(resizing, to: position, modifiers: modifiers)
    case .moving(let start, let grab):
      move(start, by: placement.viewport.inverse(fingers.now) - grab)
    case .panning(let panning): if panning.span?.isUndecided != true { pan(panning) }
    case .levelling(let from, _): interaction.gesture = .levelling(from: from, to: position)
    case .none, .pressed, .ignoring: return
    }
    feedback.changes.insert(.scene)
  }

  /// Ends a gesture after its last pointer went up.
  private mutating func finish(_ last: ActivePointer) {
    let ended = interaction.gesture
    switch ended {
    case .panning(let panning):
      endPan(panning, velocity: panning.hasZoomed ? .zero : last.speed(at: interaction.now))
    case .levelling(let from, let to):
      interaction.gesture = .none
      interaction.armed = nil
      level(from: from, to: to)
    default: break
    }
    endGesture(keeping: true)
    if settings.style == .studio {
      switch ended {
      case .resizing, .moving: interaction.recenterTime = interaction.now + Interaction.recenterWait
      default: break
      }
    }
  }

  /// Ends the current gesture; its change becomes one step of the history.
  mutating func endGesture(keeping: Bool) {
    interaction.snaps = Snaps()
    guard interaction.gesture != .none else { return }
    let wasActive = interaction.gesture.isActive
    // Drawing only disarms the command if the result was kept.
    if keeping, case .resizing(let resizing) = interaction.gesture, resizing.isDrawing {
      interaction.armed = nil
    }
    interaction.gesture = interaction.pointers.isEmpty ? .none : .ignoring
    guard wasActive else { return }
    if keeping, document.edit != interaction.editBeforeGesture {
      document.history.record(interaction.editBeforeGesture, kind: .gesture, at: interaction.now)
      announceSelection()
    }
  }

  /// Undoes the changes of the current gesture.
  mutating func cancelGesture() {
    guard interaction.gesture != .none else { return }
    if interaction.gesture.isActive {
      let displayed = displayedViewport
      document.edit = interaction.editBeforeGesture
      placement.viewport = interaction.viewportBeforeGesture
      animate(from: displayed, for: Interaction.bounceDuration, .out)
      feedback.changes.formUnion([.scene, .elements])
    }
    endGesture(keeping: false)
    settle()
  }

  /// Discards pointers and gesture, as when another image is opened.
  mutating func dropGesture() {
    interaction.pointers = []
    interaction.gesture = .none
    interaction.pendingTap = nil
    interaction.snaps = Snaps()
    interaction.armed = nil
    interaction.recenterTime = nil
    hold(false)
  }

  // MARK: Taps

  /// Whether a press follows a tap soon and near enough to make a double tap.
  private func followsTap(_ input: PointerInput) -> Bool {
    let first = interaction.pendingTap ?? interaction.lastTap
    return first?.isFollowed(byTapAt: input.position, time: interaction.now) ?? false
  }

  private mutating func tap(at position: ViewPoint, _ press: Press) {
    if press.followsTap {
      interaction.pendingTap = nil
      interaction.lastTap = nil
      doubleTap(at: position)
      return
    }
    let tap = PendingTap(position: position, time: interaction.now)
    if settings.style == .marquee, press.target == .outside, document.edit.selection != nil {
      interaction.pendingTap = tap
    } else {
      interaction.lastTap = tap
    }
  }

  // MARK: Hit testing

  /// The element that a pointer at `point` would drag.
  func target(at point: ViewPoint, kind: PointerKind) -> Target {
    guard settings.style != .viewfinder, let selection = document.edit.selection else {
      return document.edit.selection == nil || !layout.viewfinderFrame.contains(point)
        ? .outside : .inside
    }
    if let quad = document.edit.quad { return target(at: point, kind: kind, of: quad) }
    let rect = placement.viewport(selection)
    let reach = (kind == .mouse ? Interaction.mouseHitArea : Interaction.touchHitArea) / 2
    let x = Self.side(of: point.x, from: rect.minX, to: rect.maxX, reach: reach)
    let y = Self.side(of: point.y, from: rect.minY, to: rect.maxY, reach: reach)
    guard let x, let y else { return .outside }
    return x == 0.5 && y == 0.5 ? .inside : .handle(Handle(x: x, y: y))
  }

  /// The edge that a coordinate is near: 0 for the lower, 1 for the upper, 0.5 for a position
  /// between them; nil outside.
  ///
  /// The reach inside is at most a third of the side, so that the middle can still be dragged.
  private static func side(
    of value: Double, from lower: Double, to upper: Double, reach: Double
  ) -> Double? {
    guard value >= lower - reach, value <= upper + reach else { return nil }
    let inside = min(reach, (upper - lower) * Interaction.largestHitShare)
    if value < lower + inside { return 0 }
    if value > upper - inside { return 1 }
    return 0.5
  }

  mutating func updateCursor() {
    guard let hover = interaction.hover, isVisible else {
      feedback.cursor = .standard
      return
    }
    switch interaction.gesture {
    case .resizing(let resizing) where resizing.isDrawing: feedback.cursor = .crosshair
    case .resizing(let resizing): feedback.cursor = resizing.held.cursor
    case .moving: feedback.cursor = .move
    case .panning: feedback.cursor = .grabbing
    case .levelling: feedback.cursor = .crosshair
    case .none, .pressed, .ignoring: feedback.cursor = restingCursor(at: hover)
    }
  }

  private func restingCursor(at point: ViewPoint) -> CropCursor {
    if interaction.armed != nil { return .crosshair }
    if settings.style == .viewfinder { return .grab }
    if interaction.isSpaceHeld { return settings.style == .studio ? .move : .grab }
    switch (settings.style, target(at: point, kind: .mouse)) {
    case (_, .handle(let handle)): return handle.cursor
    case (.marquee, .inside), (.quad, .inside): return .move
    case (.marquee, .outside): return .crosshair
    default: return .grab
    }
  }
}
