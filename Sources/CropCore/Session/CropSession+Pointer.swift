/// A tap that would clear the selection, held back in case a second one makes it a double tap.
struct PendingTap: Hashable, Sendable {
  var position: ViewPoint
  var time: Seconds

  /// Whether a tap at `position` and `time` is the second of a double tap.
  func isFollowed(byTapAt position: ViewPoint, time: Seconds) -> Bool {
    time - self.time <= Interaction.doubleTapWait
      && (position - self.position).length <= Interaction.doubleTapReach
  }

  /// Whether an input leaves open what the tap will be; `isFollowed` while a second press, begun in
  /// time, is down.
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

/// From pointers to gestures: who presses where, and what it becomes.
extension CropSession {
  mutating func handle(_ input: PointerInput) {
    switch input.phase {
    case .down: if isShown { pointerDown(input) }
    case .move: pointerMove(input)
    case .up: pointerUp(input)
    case .cancel: pointerCancel(input)
    case .leave: if pointers.isEmpty { hover = nil }
    }
  }

  private mutating func pointerDown(_ input: PointerInput) {
    if let lost = pointers.first(where: { $0.id == input.id }) {
      // Its way up was lost: it ended where it was seen last.
      var up = input
      (up.phase, up.position) = (.up, lost.position)
      pointerUp(up, isTap: false)
    }
    guard pointers.count < 10 else { return }
    changes.formUnion([.handled, .scene])
    pointers.append(
      ActivePointer(
        id: input.id, kind: input.kind, start: input.position, position: input.position,
        startTime: now, trail: [ActivePointer.Place(position: input.position, time: now)]))
    heldModifiers = input.modifiers
    hover = input.kind == .mouse ? input.position : nil
    if pointers.count == 1 {
      let caught = catchMotion()
      editBeforeGesture = edit
      viewportBeforeGesture = viewport
      gesture = .pressed(
        Press(
          target: target(at: input.position, kind: input.kind), button: input.button,
          caughtMotion: caught, followsTap: followsTap(input)))
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
    changes.formUnion([.handled, .scene])
    decideBetweenPinchAndMove()
    pointers[index].move(to: input.position, at: now)
    decideBetweenPinchAndMove()
    heldModifiers = input.modifiers
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

  private mutating func pointerUp(_ input: PointerInput, isTap mayTap: Bool = true) {
    guard let index = pointers.firstIndex(where: { $0.id == input.id }) else { return }
    changes.formUnion([.handled, .scene])
    let pointer = pointers[index]
    if pointer.position != input.position, gesture.isActive {
      pointers[index].move(to: input.position, at: now)
      decideBetweenPinchAndMove(atEnd: true)
      follow(modifiers: input.modifiers)
    }
    let last = pointers[index]
    pointers.remove(at: index)
    if pointers.isEmpty {
      if case .pressed(let press) = gesture {
        gesture = .none
        // A microsecond more: a difference of times has a rounding error.
        let isShort = now - last.startTime <= Interaction.longestTap + 1e-6
        let isTap = mayTap && isShort && !press.caughtMotion && press.button == .primary
        if isTap { tap(at: input.position, press) } else { settle() }
      } else {
        finish(last)
      }
      hold(false)
    } else if case .moving = gesture {
      // Two fingers moved the frame, and no longer do.
      finish(last)
    } else if pointers.count > 1 {
      // Another pair of fingers goes on from where it is.
      if index < 2 { beginPinch() }
    } else {
      pinchBecamePan()
    }
  }

  private mutating func pointerCancel(_ input: PointerInput) {
    guard pointers.contains(where: { $0.id == input.id }) else { return }
    changes.insert(.scene)
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
    defer { motion = nil }
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
    case .moving(let start, let grab): move(start, by: viewport.inverse(fingers.now) - grab)
    case .panning(let panning): if panning.span?.isUndecided != true { pan(panning) }
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
      endPan(panning, velocity: panning.hasZoomed ? .zero : last.speed(at: now))
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

  /// Ends the gesture under way; its change is one step of the history.
  mutating func endGesture(keeping: Bool) {
    snaps = Snaps()
    guard gesture != .none else { return }
    let wasActive = gesture.isActive
    // Only a drawing that was kept has used up the command that armed it.
    if keeping, case .resizing(let resizing) = gesture, resizing.isDrawing { isDrawArmed = false }
    gesture = pointers.isEmpty ? .none : .ignoring
    guard wasActive else { return }
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

  /// Whether a press comes soon and near enough after a tap to make a double tap.
  private func followsTap(_ input: PointerInput) -> Bool {
    let first = pendingTap ?? lastTap
    return first?.isFollowed(byTapAt: input.position, time: now) ?? false
  }

  private mutating func tap(at position: ViewPoint, _ press: Press) {
    if press.followsTap {
      pendingTap = nil
      lastTap = nil
      doubleTap(at: position)
      return
    }
    let tap = PendingTap(position: position, time: now)
    if style == .marquee, press.target == .outside, edit.selection != nil {
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
    case .resizing(let resizing): cursor = resizing.held.cursor
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
