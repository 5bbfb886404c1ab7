/// A tap that would clear the selection, held back in case a second one makes it a double tap.
struct PendingTap: Hashable, Sendable {
  var position: ViewPoint
  var time: Seconds

  /// Whether a tap at `position` and `time` is the second of a double tap.
  func isFollowed(byTapAt position: ViewPoint, time: Seconds) -> Bool {
    time - self.time <= Interaction.doubleTapWait
      && (position - self.position).length <= Interaction.doubleTapReach
  }

  /// Whether an input leaves open what the tap will be.
  func awaits(_ input: Input, at now: Seconds) -> Bool {
    guard now - time <= Interaction.doubleTapWait else { return false }
    switch input {
    case .tick, .resize: return true
    case .pointer(let pointer):
      return pointer.phase != .down || isFollowed(byTapAt: pointer.position, time: pointer.time)
    default: return false
    }
  }
}

/// From pointers to gestures: who presses where, and what it becomes.
extension CropSession {
  mutating func handle(_ input: PointerInput) {
    guard isShown else { return }
    switch input.phase {
    case .down: pointerDown(input)
    case .move: pointerMove(input)
    case .up: pointerUp(input)
    case .cancel: pointerCancel(input)
    case .leave: if pointers.isEmpty { hover = nil }
    }
  }

  private mutating func pointerDown(_ input: PointerInput) {
    guard !pointers.contains(where: { $0.id == input.id }), pointers.count < 10 else { return }
    changes.insert(.handled)
    pointers.append(
      ActivePointer(
        id: input.id, kind: input.kind, start: input.position, position: input.position,
        startTime: now, trail: input.position, trailTime: now))
    hover = input.kind == .mouse ? input.position : nil
    if pointers.count == 1 {
      let caught = motion != nil
      if caught { catchMotion() }
      editBeforeGesture = edit
      viewportBeforeGesture = viewport
      gesture = .pressed(
        Press(
          target: target(at: input.position, kind: input.kind), button: input.button,
          caughtMotion: caught))
      hold(true)
    } else if pointers.count == 2 {
      beginPinch()
    }
  }

  private mutating func pointerMove(_ input: PointerInput) {
    guard let index = pointers.firstIndex(where: { $0.id == input.id }) else {
      // A mouse that hovers: only the cursor follows.
      if pointers.isEmpty, input.kind == .mouse { hover = input.position }
      return
    }
    guard pointers[index].position != input.position else { return }
    changes.insert(.handled)
    pointers[index].position = input.position
    if now - pointers[index].trailTime > Interaction.glideMemory {
      pointers[index].trail = pointers[index].position
      pointers[index].trailTime = now
    }
    if pointers[index].kind == .mouse { hover = input.position }
    switch gesture {
    case .none, .ignoring: break
    case .pressed(let press):
      let moved = (input.position - pointers[index].start).length
      let threshold =
        input.kind == .mouse ? Interaction.mouseThreshold : Interaction.touchThreshold
      // A press is over the threshold at exactly its length.
      if index == 0, moved >= threshold {
        begin(press, modifiers: input.modifiers)
        follow(modifiers: input.modifiers)
      }
    default: follow(modifiers: input.modifiers)
    }
  }

  private mutating func pointerUp(_ input: PointerInput) {
    guard let index = pointers.firstIndex(where: { $0.id == input.id }) else { return }
    changes.insert(.handled)
    let pointer = pointers[index]
    if pointer.position != input.position, gesture.isActive {
      pointers[index].position = input.position
      follow(modifiers: input.modifiers)
    }
    let last = pointers[index]
    pointers.remove(at: index)
    if pointers.isEmpty {
      if case .pressed(let press) = gesture {
        gesture = .none
        let isTap =
          now - last.startTime <= Interaction.longestTap && !press.caughtMotion
          && press.button == .primary
        if isTap { tap(at: input.position, on: press.target) } else { settle() }
      } else {
        finish(last)
      }
      hold(false)
    } else if pointers.count == 1 {
      pinchBecamePan()
    }
  }

  private mutating func pointerCancel(_ input: PointerInput) {
    guard pointers.contains(where: { $0.id == input.id }) else { return }
    pointers.removeAll { $0.id == input.id }
    cancelGesture()
    if pointers.isEmpty { hold(false) } else { gesture = .ignoring }
  }

  /// Says that something is held, or no longer: the shade follows.
  mutating func hold(_ isHeld: Bool) {
    guard touch.isHeld != isHeld else { return }
    touch = TouchFade(time: now, isHeld: isHeld)
    changes.insert(.scene)
  }

  // MARK: Gestures

  /// Turns a press that moved into the gesture that the style gives it.
  private mutating func begin(_ press: Press, modifiers: Modifiers) {
    let start = pointers[0].start
    pendingTap = nil
    recentreTime = nil
    if isLevelArmed, press.button == .primary {
      gesture = .levelling(from: start, to: start)
      return
    }
    let moves = modifiers.contains(.space) || isSpaceHeld || press.button == .middle
    switch (style, press.target) {
    case (.viewfinder, _): beginPan()
    case (_, _) where isDrawArmed && !moves: beginDrawing(at: start)
    case (.marquee, _) where moves: beginPan()
    case (.studio, _) where moves: beginMoving(at: start)
    case (_, .handle(let handle)): beginResizing(handle, at: start)
    case (.marquee, .inside): beginMoving(at: start)
    case (.marquee, .outside): beginDrawing(at: start)
    case (.studio, _): beginPan()
    }
  }

  /// Lets the gesture follow the pointers to where they are now.
  mutating func follow(modifiers: Modifiers) {
    guard let position = pointers.first?.position else { return }
    var modifiers = modifiers
    if isSpaceHeld { modifiers.insert(.space) }
    switch gesture {
    case .resizing(let resizing): resize(resizing, to: position, modifiers: modifiers)
    case .moving(let start, let grab): move(start, by: viewport.inverse(position) - grab)
    case .panning(let panning): pan(panning)
    case .levelling(let from, _): gesture = .levelling(from: from, to: position)
    case .none, .pressed, .ignoring: return
    }
    changes.insert(.scene)
  }

  /// Ends a gesture whose last pointer went up.
  private mutating func finish(_ last: ActivePointer) {
    let ended = gesture
    switch ended {
    case .panning(let panning):
      endPan(panning, velocity: speed(of: last, isPinch: panning.hasZoomed))
    case .levelling(let from, let to):
      gesture = .none
      isLevelArmed = false
      level(from: from, to: to)
    default: break
    }
    endGesture(keeping: true)
    if style == .studio {
      switch ended {
      case .resizing, .moving: recentreTime = now + Interaction.recentreWait
      default: break
      }
    }
  }

  /// How fast a pointer was going when it went up, in points a second.
  private func speed(of pointer: ActivePointer, isPinch: Bool) -> ViewVector {
    let elapsed = now - pointer.trailTime
    guard !isPinch, elapsed > 0, elapsed <= 2 * Interaction.glideMemory else { return .zero }
    return (pointer.position - pointer.trail) * (1 / elapsed)
  }

  /// Ends the gesture under way; its change is one step of the history.
  mutating func endGesture(keeping: Bool) {
    snaps = Snaps()
    guard gesture != .none else { return }
    let wasActive = gesture.isActive
    gesture = pointers.isEmpty ? .none : .ignoring
    guard wasActive else { return }
    isDrawArmed = false
    if keeping, edit != editBeforeGesture {
      history.record(editBeforeGesture, kind: .gesture, at: now)
      announceSelection()
    }
  }

  /// Takes back what the gesture under way has done.
  mutating func cancelGesture() {
    guard gesture != .none else { return }
    if gesture.isActive {
      let shown = shownViewport
      edit = editBeforeGesture
      viewport = viewportBeforeGesture
      animate(from: shown, for: Interaction.bounceDuration, .out)
      changes.formUnion([.scene, .elements])
    }
    endGesture(keeping: false)
    settle()
  }

  /// Forgets pointers and gesture, as when another picture is opened.
  mutating func dropGesture() {
    pointers = []
    gesture = .none
    pendingTap = nil
    snaps = Snaps()
    isDrawArmed = false
    isLevelArmed = false
    recentreTime = nil
    hold(false)
  }

  // MARK: Taps

  private mutating func tap(at position: ViewPoint, on target: Target) {
    if let first = pendingTap, first.isFollowed(byTapAt: position, time: now) {
      pendingTap = nil
      lastTap = nil
      doubleTap(at: position)
      return
    }
    if let first = lastTap, first.isFollowed(byTapAt: position, time: now) {
      lastTap = nil
      doubleTap(at: position)
      return
    }
    let tap = PendingTap(position: position, time: now)
    if style == .marquee, target == .outside, edit.selection != nil {
      pendingTap = tap
    } else {
      lastTap = tap
    }
  }

  /// Selects nothing, as a step that can be taken back.
  mutating func clearSelection() {
    guard style == .marquee, edit.selection != nil else { return }
    let before = edit
    edit.selection = nil
    history.record(before, kind: .command, at: now)
    announce(.cleared)
    if focus != .picture { focus = nil }
  }

  // MARK: What lies where

  /// What a pointer at `point` would take hold of.
  func target(at point: ViewPoint, kind: PointerKind) -> Target {
    guard style != .viewfinder, let selection = edit.selection else {
      return edit.selection == nil || !opening.contains(point) ? .outside : .inside
    }
    let rect = viewport(selection)
    let reach = (kind == .mouse ? Interaction.mouseHitArea : Interaction.touchHitArea) / 2
    let x = Self.side(of: point.x, from: rect.minX, to: rect.maxX, reach: reach)
    let y = Self.side(of: point.y, from: rect.minY, to: rect.maxY, reach: reach)
    guard let x, let y else { return .outside }
    return x == 0.5 && y == 0.5 ? .inside : .handle(Handle(x: x, y: y))
  }

  /// Which edge a coordinate is near: 0 the lower, 1 the upper, 0.5 neither but between; nil outside.
  ///
  /// The reach inside is at most a third of the side, so that the middle can still be taken hold of.
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
    guard let hover, isShown else {
      cursor = .standard
      return
    }
    switch gesture {
    case .resizing(let resizing) where resizing.isDrawing: cursor = .crosshair
    case .resizing(let resizing): cursor = resizing.handle.cursor
    case .moving: cursor = .move
    case .panning: cursor = .grabbing
    case .levelling: cursor = .crosshair
    case .none, .pressed, .ignoring: cursor = restingCursor(at: hover)
    }
  }

  private func restingCursor(at point: ViewPoint) -> CropCursor {
    if isLevelArmed || isDrawArmed { return .crosshair }
    if style == .viewfinder { return .grab }
    if isSpaceHeld { return style == .marquee ? .grab : .move }
    switch (style, target(at: point, kind: .mouse)) {
    case (_, .handle(let handle)): return handle.cursor
    case (.marquee, .inside): return .move
    case (.marquee, .outside): return .crosshair
    default: return .grab
    }
  }
}
