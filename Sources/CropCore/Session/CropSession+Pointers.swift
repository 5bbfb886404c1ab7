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
    interaction.pointers.append(ActivePointer(input, at: interaction.now))
    interaction.heldModifiers = input.modifiers
    interaction.hover = input.kind == .mouse ? input.position : nil
    if interaction.pointers.count == 1 {
      let caught = catchMotion()
      interaction.before = Before(edit: document.edit, viewport: placement.viewport)
      let first = interaction.pendingTap ?? interaction.lastTap
      setGesture(
        .pressed(
          Press(
            target: target(at: input.position, kind: input.kind), button: input.button,
            caughtMotion: caught,
            followsTap: first?.isFollowed(byTapAt: input.position, time: interaction.now) ?? false
          )))
      hold(true)
    } else if interaction.pointers.count == 2 {
      startPinch()
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
    decidePinch()
    interaction.pointers[index].move(to: input.position, at: interaction.now)
    decidePinch()
    interaction.heldModifiers = input.modifiers
    if interaction.pointers[index].kind == .mouse { interaction.hover = input.position }
    if case .pressed(let press) = interaction.gesture {
      let moved = (input.position - interaction.pointers[index].start).length
      let threshold =
        input.kind == .mouse ? Interaction.mouseThreshold : Interaction.touchThreshold
      // A press exceeds the threshold at exactly its length.
      guard index == 0, moved >= threshold else { return }
      start(press, modifiers: input.modifiers)
    }
    follow(modifiers: input.modifiers)
  }

  private mutating func pointerUp(_ input: PointerInput, isTap mayTap: Bool = true) {
    guard let index = interaction.pointers.firstIndex(where: { $0.id == input.id }) else { return }
    feedback.changes.formUnion([.handled, .scene])
    if interaction.pointers[index].position != input.position, interaction.gesture.isActive {
      interaction.pointers[index].move(to: input.position, at: interaction.now)
      decidePinch(atEnd: true)
      follow(modifiers: input.modifiers)
    }
    let last = interaction.pointers.remove(at: index)
    if interaction.pointers.isEmpty {
      if case .pressed(let press) = interaction.gesture {
        setGesture(.none)
        // The microsecond allows for rounding errors in differences of times.
        let isShort = interaction.now - last.startTime <= Interaction.longestTap + 1e-6
        let isTap = mayTap && isShort && !press.caughtMotion && press.button == .primary
        if isTap { tap(at: input.position, press) } else { settle() }
      } else {
        finish(last)
      }
      hold(false)
    } else if case .move = interaction.gesture {
      // Two fingers were moving the frame; one was lifted.
      finish(last)
    } else if interaction.pointers.count > 1 {
      // Another pair of fingers continues from the current position.
      if index < 2 { startPinch() }
    } else if let pan = interaction.gesture.pan {
      // The other finger continues.
      interaction.rebasePointers()
      setGesture(.pan(pan.rebased))
    }
  }

  private mutating func pointerCancel(_ input: PointerInput) {
    guard interaction.pointers.contains(where: { $0.id == input.id }) else { return }
    feedback.changes.insert(.scene)
    interaction.pointers.removeAll { $0.id == input.id }
    cancelGesture()
    if interaction.pointers.isEmpty { hold(false) } else { setGesture(.ignoring) }
  }

  /// Records whether something is held, which changes the shade.
  mutating func hold(_ isHeld: Bool) {
    guard feedback.shadeFade.isHeld != isHeld else { return }
    feedback.shadeFade = ShadeFade(time: interaction.now, isHeld: isHeld)
    feedback.changes.insert(.scene)
  }

  private func target(at point: ViewPoint, kind: PointerKind) -> Target {
    Target(at: point, kind: kind, on: document, placement)
  }

  private mutating func tap(at position: ViewPoint, _ press: Press) {
    if press.followsTap {
      (interaction.pendingTap, interaction.lastTap) = (nil, nil)
      return doubleTap(at: position)
    }
    let tap = PendingTap(position: position, time: interaction.now)
    if settings.style == .marquee, press.target == .outside, isValid {
      interaction.pendingTap = tap
    } else {
      interaction.lastTap = tap
    }
  }

  // MARK: Gestures

  private mutating func setGesture(_ gesture: Gesture) {
    interaction.gesture = gesture
    placement.heldScale = gesture.isActive ? interaction.before.viewport.scale : nil
  }

  /// Starts the gesture that a moved press has in this style.
  private mutating func start(_ press: Press, modifiers: Modifiers) {
    let at = interaction.pointers[0].start
    interaction.pendingTap = nil
    interaction.recenterTime = nil
    defer { placement.motion = nil }
    if armed == .level, press.button == .primary {
      return setGesture(.level(Gesture.Level(from: at, to: at)))
    }
    let moves = modifiers.contains(.space) || interaction.isSpaceHeld || press.button == .middle
    switch (settings.style, press.target) {
    case (.viewfinder, _): startPan()
    case (_, _) where armed == .draw && !moves: startDrawing(at: at)
    case (.marquee, _) where moves: startPan()
    case (.quad, _) where moves: startPan()
    case (.studio, _) where moves: startMoving(at: at)
    case (_, .handle(let handle)): startResizing(handle, at: at)
    case (.marquee, .inside), (.quad, .inside): startMoving(at: at)
    case (.marquee, .outside): startDrawing(at: at)
    case (.studio, _), (.quad, .outside): startPan()
    }
  }

  private mutating func startDrawing(at position: ViewPoint) {
    setGesture(.draw(Gesture.Draw(at: position, on: document, under: placement.viewport)))
    feedback.focus = nil
  }

  private mutating func startResizing(_ handle: Handle, at position: ViewPoint) {
    let viewport = placement.viewport
    if let quad = document.edit.quad {
      setGesture(.corner(Gesture.Corner(handle, of: quad, at: position, under: viewport)))
    } else if let selection = document.edit.selection {
      setGesture(.resize(Gesture.Resize(handle, of: selection, at: position, under: viewport)))
    }
  }

  private mutating func startMoving(at position: ViewPoint) {
    let move = Gesture.Move(at: position, on: document, under: placement.viewport)
    if let move { setGesture(.move(move)) }
  }

  private mutating func startPan() { setGesture(.pan(newPan())) }

  private func newPan() -> Gesture.Pan {
    Gesture.Pan(
      at: interaction.pointers.first?.position ?? layout.middle, on: document, placement,
      at: interaction.now)
  }

  /// Starts a two-finger gesture; it first undoes what one finger was doing, except for a pan,
  /// which continues.
  private mutating func startPinch() {
    guard let fingers = Fingers(interaction.pointers) else { return }
    let pan: Gesture.Pan
    var mayMove = settings.style == .studio
    switch interaction.gesture {
    case .ignoring: return
    case .none, .pressed: pan = newPan()
    case .draw, .resize, .corner, .move, .level:
      undoGesture()
      pan = newPan()
    case .pan(let current): (pan, mayMove) = (current, false)
    case .pinch(let pinch): (pan, mayMove) = (pinch.pan, false)
    }
    placement.motion = nil
    interaction.pendingTap = nil
    interaction.rebasePointers()
    setGesture(.pinch(Gesture.Pinch(pan, fingers, tilt: tilt, mayMove: mayMove)))
  }

  /// Determines whether two fingers pinch the image or move the frame.
  private mutating func decidePinch(atEnd: Bool = false) {
    guard case .pinch(let pinch) = interaction.gesture, pinch.isUndecided,
      let fingers = Fingers(interaction.pointers)
    else { return }
    let haveRested = interaction.pointers.prefix(2).allSatisfy { $0.lastMove < interaction.now }
    switch pinch.decided(by: fingers, haveRested: atEnd || haveRested) {
    case .pinch(let pinch): setGesture(.pinch(pinch))
    case .move: startMoving(at: fingers.start)
    }
  }

  /// Updates the gesture to the current positions of the pointers.
  mutating func follow(modifiers: Modifiers) {
    guard let first = interaction.pointers.first, let fingers = Fingers(interaction.pointers)
    else { return }
    let (position, viewport) = (first.position, placement.viewport)
    let modifiers = interaction.isSpaceHeld ? modifiers.union(.space) : modifiers
    switch interaction.gesture {
    case .none, .pressed, .ignoring: return
    case .draw(let draw):
      interaction.gesture = .draw(draw.moved(to: position, modifiers, &document, under: viewport))
    case .resize(let resize):
      interaction.gesture = .resize(
        resize.moved(to: position, modifiers, &document, under: viewport))
    case .corner(let corner):
      interaction.gesture = .corner(
        corner.moved(to: position, modifiers, &document, under: viewport))
    case .move(let move):
      interaction.gesture = .move(move.moved(to: fingers.now, &document, under: viewport))
    case .pan(let pan):
      interaction.gesture = .pan(pan.moved(by: fingers, &document, &placement))
    case .pinch(let pinch):
      interaction.gesture = .pinch(pinch.moved(by: fingers, &document, &placement))
    case .level(let line):
      interaction.gesture = .level(Gesture.Level(from: line.from, to: position))
    }
    feedback.changes.insert(.scene)
  }

  /// Ends a gesture after its last pointer went up.
  private mutating func finish(_ last: ActivePointer) {
    switch interaction.gesture {
    case .none, .pressed, .ignoring: endGesture(keeping: true)
    case .draw, .resize, .corner, .move:
      endGesture(keeping: true)
      if settings.style == .studio {
        interaction.recenterTime = interaction.now + Interaction.recenterWait
      }
    case .pan(let pan): end(pan, last)
    case .pinch(let pinch): end(pinch.pan, last)
    case .level(let line):
      setGesture(.none)
      interaction.armed = nil
      if let tilt = line.tilt(from: tilt) { setTilt(tilt, kind: .gesture) }
    }
  }

  private mutating func end(_ pan: Gesture.Pan, _ last: ActivePointer) {
    let displayed = displayedViewport
    let (duration, easing) = pan.end(speed: last.speed(at: interaction.now), &document, &placement)
    setGesture(.none)
    animate(from: displayed, for: duration, easing)
    recordGesture()
  }

  /// Ends the current gesture; its change becomes one step of the history.
  mutating func endGesture(keeping: Bool) {
    let ended = interaction.gesture
    guard ended != .none else { return }
    // Drawing only disarms the command if the result was kept.
    if keeping, case .draw = ended { interaction.armed = nil }
    setGesture(interaction.pointers.isEmpty ? .none : .ignoring)
    if keeping, ended.isActive { recordGesture() }
  }

  private mutating func recordGesture() {
    if document.record(since: interaction.before.edit, .gesture, at: interaction.now) {
      announceSelection()
    }
  }

  private mutating func undoGesture() {
    document.edit = interaction.before.edit
    placement.viewport = interaction.before.viewport
  }

  /// Cancels the current gesture and undoes its changes.
  mutating func cancelGesture() {
    guard interaction.gesture != .none else { return }
    if interaction.gesture.isActive {
      let displayed = displayedViewport
      undoGesture()
      animate(from: displayed, for: Interaction.bounceDuration, .out)
      feedback.changes.formUnion([.scene, .elements])
    }
    endGesture(keeping: false)
    settle()
  }

  /// Discards pointers and gesture, as when another image is opened.
  mutating func dropGesture() {
    interaction.pointers = []
    setGesture(.none)
    interaction.pendingTap = nil
    interaction.armed = nil
    interaction.recenterTime = nil
    hold(false)
  }

  // MARK: Scrolling along

  /// Whether a drag near the view's edge is scrolling a zoomed image.
  var isScrolling: Bool { scrollSpeed != .zero }

  private var scrollSpeed: ViewVector {
    guard interaction.gesture.movesSelection, let pointer = interaction.pointers.first else {
      return .zero
    }
    return placement.scrollSpeed(at: pointer.position, document)
  }

  /// Scrolls for the elapsed time; the drag continues at the new position.
  mutating func scroll(for elapsed: Seconds) {
    let (speed, before) = (scrollSpeed, placement.viewport)
    guard speed != .zero else { return }
    placement.scroll(by: speed * min(elapsed, 0.1), document)
    if placement.viewport != before { follow(modifiers: interaction.heldModifiers) }
  }

  // MARK: The cursor

  mutating func updateCursor() {
    guard let hover = interaction.hover, isVisible else { return feedback.cursor = .standard }
    feedback.cursor = interaction.gesture.cursor ?? restingCursor(at: hover)
  }

  private func restingCursor(at point: ViewPoint) -> CropCursor {
    if armed != nil { return .crosshair }
    if settings.style == .viewfinder { return .grab }
    if interaction.isSpaceHeld { return settings.style == .studio ? .move : .grab }
    switch (settings.style, target(at: point, kind: .mouse)) {
    case (_, .handle(let handle)): return handle.cursor
    case (.marquee, .inside), (.quad, .inside): return .move
    case (.marquee, .outside): return .crosshair
    case (.quad, .outside), (.studio, _), (.viewfinder, _): return .grab
    }
  }
}
