/// Recognizes gestures in pointer events.
struct GestureRecognizer: Hashable, Sendable {
  /// The pointers that are down, the oldest first.
  private(set) var pointers: [ActivePointer] = []
  private(set) var gesture: Gesture = .none
  /// The edit and the position of the image when the first pointer came down, to which a gesture
  /// returns if it is cancelled.
  private var before = Before(edit: Edit(), viewport: Viewport(scale: 1, origin: .zero))
  /// The position of a mouse without a pressed button.
  private var hover: ViewPoint?
  /// Whether the space bar is down.
  var isSpaceHeld = false
  /// The modifiers of the latest pointer.
  private var heldModifiers: Modifiers = []
  /// A tap that may become a double tap.
  private(set) var pendingTap: PendingTap?
  /// The last tap that was not part of a double tap.
  private var lastTap: PendingTap?
  /// The time at which the frame of the style `studio` recenters; nil if it does not.
  private(set) var recenterTime: Seconds?
  /// What the next drag does instead of the style's default.
  var armed: NextDrag?

  private struct Before: Hashable, Sendable {
    let edit: Edit
    let viewport: Viewport
  }
}

extension GestureRecognizer {
  mutating func handle(_ input: PointerInput, _ editor: inout SessionEditor) {
    switch input.phase {
    case .down: if editor.isVisible { pointerDown(input, &editor) }
    case .move: pointerMove(input, &editor)
    case .up: pointerUp(input, &editor)
    case .cancel: pointerCancel(input, &editor)
    case .leave: if pointers.isEmpty { hover = nil }
    }
  }

  private mutating func pointerDown(_ input: PointerInput, _ editor: inout SessionEditor) {
    if let lost = pointers.first(where: { $0.id == input.id }) {
      // Its `up` event was lost: the pointer was released at its last known position.
      var up = input
      (up.phase, up.position) = (.up, lost.position)
      pointerUp(up, isTap: false, &editor)
    }
    guard pointers.count < 10 else { return }
    editor.announcer.changes.formUnion([.handled, .scene])
    pointers.append(ActivePointer(input, at: editor.now))
    heldModifiers = input.modifiers
    hover = input.kind == .mouse ? input.position : nil
    if pointers.count == 1 {
      let caught = editor.catchMotion()
      before = Before(edit: editor.document.edit, viewport: editor.placement.viewport)
      let first = pendingTap ?? lastTap
      let press = Press(
        target: Target(at: input.position, kind: input.kind, on: editor), button: input.button,
        caughtMotion: caught,
        followsTap: first?.isFollowed(byTapAt: input.position, time: editor.now) ?? false)
      setGesture(.pressed(press), &editor)
      editor.hold(true)
    } else if pointers.count == 2 {
      startPinch(&editor)
    }
  }

  private mutating func pointerMove(_ input: PointerInput, _ editor: inout SessionEditor) {
    guard let index = pointers.firstIndex(where: { $0.id == input.id }) else {
      // A hovering mouse only changes the cursor.
      if pointers.isEmpty, input.kind == .mouse { hover = input.position }
      return
    }
    guard pointers[index].position != input.position else { return }
    editor.announcer.changes.formUnion([.handled, .scene])
    decidePinch(&editor)
    pointers[index].move(to: input.position, at: editor.now)
    decidePinch(&editor)
    heldModifiers = input.modifiers
    if pointers[index].kind == .mouse { hover = input.position }
    if case .pressed(let press) = gesture {
      let moved = (input.position - pointers[index].start).length
      let threshold =
        input.kind == .mouse ? Interaction.mouseThreshold : Interaction.touchThreshold
      // A press exceeds the threshold at exactly its length.
      guard index == 0, moved >= threshold else { return }
      start(press, input.modifiers, &editor)
    }
    follow(input.modifiers, &editor)
  }

  private mutating func pointerUp(
    _ input: PointerInput, isTap mayTap: Bool = true, _ editor: inout SessionEditor
  ) {
    guard let index = pointers.firstIndex(where: { $0.id == input.id }) else { return }
    editor.announcer.changes.formUnion([.handled, .scene])
    if pointers[index].position != input.position, gesture.isActive {
      pointers[index].move(to: input.position, at: editor.now)
      decidePinch(atEnd: true, &editor)
      follow(input.modifiers, &editor)
    }
    let last = pointers.remove(at: index)
    if pointers.isEmpty {
      if case .pressed(let press) = gesture {
        setGesture(.none, &editor)
        // The microsecond allows for rounding errors in differences of times.
        let isShort = editor.now - last.startTime <= Interaction.longestTap + 1e-6
        let isTap = mayTap && isShort && !press.caughtMotion && press.button == .primary
        if isTap { tap(at: input.position, press, &editor) } else { editor.settle() }
      } else {
        finish(last, &editor)
      }
      editor.hold(false)
    } else if case .move = gesture {
      // Two fingers were moving the frame; one was lifted.
      finish(last, &editor)
    } else if pointers.count > 1 {
      // Another pair of fingers continues from the current position.
      if index < 2 { startPinch(&editor) }
    } else if let pan = gesture.pan {
      // The other finger continues.
      rebasePointers()
      setGesture(.pan(pan.rebased), &editor)
    }
  }

  private mutating func pointerCancel(_ input: PointerInput, _ editor: inout SessionEditor) {
    guard pointers.contains(where: { $0.id == input.id }) else { return }
    editor.announcer.changes.insert(.scene)
    pointers.removeAll { $0.id == input.id }
    cancel(&editor)
    if pointers.isEmpty { editor.hold(false) } else { setGesture(.ignoring, &editor) }
  }

  private mutating func tap(at position: ViewPoint, _ press: Press, _ editor: inout SessionEditor) {
    if press.followsTap {
      (pendingTap, lastTap) = (nil, nil)
      return editor.doubleTap(at: position)
    }
    let tap = PendingTap(position: position, time: editor.now)
    if editor.settings.style == .marquee, press.target == .outside, editor.document.isValid {
      pendingTap = tap
    } else {
      lastTap = tap
    }
  }

  // MARK: Gestures

  /// Whether no pointer is down.
  var isIdle: Bool { if case .none = gesture { true } else { false } }

  /// Measures the movement of the pointers from their current positions.
  private mutating func rebasePointers() {
    for index in pointers.indices { pointers[index].start = pointers[index].position }
  }

  private mutating func setGesture(_ gesture: Gesture, _ editor: inout SessionEditor) {
    self.gesture = gesture
    editor.placement.heldScale = gesture.isActive ? before.viewport.scale : nil
  }

  private mutating func start(_ press: Press, _ modifiers: Modifiers, _ editor: inout SessionEditor)
  {
    (pendingTap, recenterTime) = (nil, nil)
    if let gesture = gesture(of: press, modifiers, editor) { setGesture(gesture, &editor) }
    if case .draw = gesture { editor.focus = nil }
    editor.placement.motion = nil
  }

  /// The gesture that a moved press has in this style.
  private func gesture(of press: Press, _ modifiers: Modifiers, _ editor: borrowing SessionEditor)
    -> Gesture?
  {
    let start = pointers[0].start
    if armed == .level, press.button == .primary {
      return .level(Gesture.Level(from: start, to: start))
    }
    let moves = modifiers.contains(.space) || isSpaceHeld || press.button == .middle
    switch (editor.settings.style, press.target) {
    case (.viewfinder, _): return .pan(newPan(editor))
    case (_, _) where armed == .draw && !moves: return .draw(Gesture.Draw(at: start, on: editor))
    case (.marquee, _) where moves, (.quad, _) where moves: return .pan(newPan(editor))
    case (.studio, _) where moves: return newMove(at: start, editor)
    case (_, .handle(let handle)): return Gesture(handle, at: start, on: editor)
    case (.marquee, .inside), (.quad, .inside): return newMove(at: start, editor)
    case (.marquee, .outside): return .draw(Gesture.Draw(at: start, on: editor))
    case (.studio, _), (.quad, .outside): return .pan(newPan(editor))
    }
  }

  private func newMove(at position: ViewPoint, _ editor: borrowing SessionEditor) -> Gesture? {
    Gesture.Move(at: position, on: editor).map { .move($0) }
  }

  private func newPan(_ editor: borrowing SessionEditor) -> Gesture.Pan {
    Gesture.Pan(at: pointers[0].position, on: editor)
  }

  /// Starts a two-finger gesture; it first undoes what one finger was doing, except for a pan,
  /// which continues.
  private mutating func startPinch(_ editor: inout SessionEditor) {
    guard let fingers = Fingers(pointers) else { return }
    let pan: Gesture.Pan
    var mayMove = editor.settings.style == .studio
    switch gesture {
    case .ignoring: return
    case .none, .pressed: pan = newPan(editor)
    case .draw, .resize, .corner, .move, .level:
      undo(&editor)
      pan = newPan(editor)
    case .pan(let current): (pan, mayMove) = (current, false)
    case .pinch(let pinch): (pan, mayMove) = (pinch.pan, false)
    }
    editor.placement.motion = nil
    pendingTap = nil
    rebasePointers()
    let tilt = editor.document.edit.tilt
    setGesture(.pinch(Gesture.Pinch(pan, fingers, tilt: tilt, mayMove: mayMove)), &editor)
  }

  /// Determines whether two fingers pinch the image or move the frame.
  private mutating func decidePinch(atEnd: Bool = false, _ editor: inout SessionEditor) {
    guard case .pinch(let pinch) = gesture, pinch.isUndecided,
      let fingers = Fingers(pointers)
    else { return }
    let haveRested = pointers.prefix(2).allSatisfy { $0.lastMove < editor.now }
    let decided = pinch.decided(by: fingers, haveRested: atEnd || haveRested)
    let next = decided.map { .pinch($0) } ?? newMove(at: fingers.start, editor)
    if let next { setGesture(next, &editor) }
  }

  /// Updates the gesture to the current positions of the pointers.
  private mutating func follow(_ modifiers: Modifiers, _ editor: inout SessionEditor) {
    guard let fingers = Fingers(pointers) else { return }
    let position = pointers[0].position
    let modifiers = isSpaceHeld ? modifiers.union(.space) : modifiers
    switch gesture {
    case .none, .pressed, .ignoring: return
    case .draw(var draw):
      draw.move(to: position, modifiers, &editor)
      gesture = .draw(draw)
    case .resize(var resize):
      resize.move(to: position, modifiers, &editor)
      gesture = .resize(resize)
    case .corner(var corner):
      corner.move(to: position, modifiers, &editor)
      gesture = .corner(corner)
    case .move(var move):
      move.move(to: fingers.now, &editor)
      gesture = .move(move)
    case .pan(var pan):
      pan.move(by: fingers, &editor)
      gesture = .pan(pan)
    case .pinch(var pinch):
      pinch.move(by: fingers, &editor)
      gesture = .pinch(pinch)
    case .level(let line): gesture = .level(line.moved(to: position))
    }
    editor.announcer.changes.insert(.scene)
  }

  /// Ends a gesture after its last pointer went up.
  private mutating func finish(_ last: ActivePointer, _ editor: inout SessionEditor) {
    switch gesture {
    case .none, .pressed, .ignoring: end(keeping: true, &editor)
    case .draw, .resize, .corner, .move:
      end(keeping: true, &editor)
      if editor.settings.style == .studio {
        recenterTime = editor.now + Interaction.recenterWait
      }
    case .pan(let pan): end(pan, last, &editor)
    case .pinch(let pinch): end(pinch.pan, last, &editor)
    case .level(let line):
      setGesture(.none, &editor)
      armed = nil
      if let tilt = line.tilt(from: editor.document.edit.tilt) {
        editor.setTilt(tilt, kind: .gesture)
      }
    }
  }

  private mutating func end(
    _ pan: Gesture.Pan, _ last: ActivePointer, _ editor: inout SessionEditor
  ) {
    let displayed = displayedViewport(editor)
    let (duration, easing) = pan.end(speed: last.speed(at: editor.now), &editor)
    setGesture(.none, &editor)
    editor.animate(from: displayed, for: duration, easing)
    editor.record(since: before.edit, .gesture)
  }

  /// Ends the current gesture; its change becomes one step of the history.
  mutating func end(keeping: Bool, _ editor: inout SessionEditor) {
    let ended = gesture
    if isIdle { return }
    // Drawing only disarms the command if the result was kept.
    if keeping, case .draw = ended { armed = nil }
    setGesture(pointers.isEmpty ? .none : .ignoring, &editor)
    if keeping, ended.isActive { editor.record(since: before.edit, .gesture) }
  }

  private func undo(_ editor: inout SessionEditor) {
    editor.document.edit = before.edit
    editor.placement.viewport = before.viewport
  }

  /// Cancels the current gesture and undoes its changes.
  mutating func cancel(_ editor: inout SessionEditor) {
    if isIdle { return }
    if gesture.isActive {
      let displayed = displayedViewport(editor)
      undo(&editor)
      editor.animate(from: displayed, for: Interaction.bounceDuration, .out)
      editor.announcer.changes.formUnion([.scene, .elements])
    }
    end(keeping: false, &editor)
    editor.settle()
  }

  /// Discards pointers and gesture, as when another image is opened.
  mutating func drop(_ editor: inout SessionEditor) {
    pointers = []
    setGesture(.none, &editor)
    (pendingTap, armed, recenterTime) = (nil, nil, nil)
    editor.ruler = Ruler()
    editor.hold(false)
  }

  // MARK: Scrolling along

  /// The speed at which a drag near the view's edge scrolls a zoomed image.
  func scrollSpeed(_ editor: borrowing SessionEditor) -> ViewVector {
    guard gesture.movesSelection, !pointers.isEmpty else { return .zero }
    return editor.placement.scrollSpeed(at: pointers[0].position, editor.document)
  }

  /// Scrolls for the elapsed time; the drag continues at the new position.
  private mutating func scroll(for elapsed: Seconds, _ editor: inout SessionEditor) {
    let (speed, before) = (scrollSpeed(editor), editor.placement.viewport)
    guard speed != .zero else { return }
    editor.placement.scroll(by: speed * min(elapsed, 0.1), editor.document)
    if editor.placement.viewport != before { follow(heldModifiers, &editor) }
  }

  // MARK: Time

  /// Whether the scene depends on time.
  func wantsTicks(_ editor: borrowing SessionEditor) -> Bool {
    editor.placement.isMoving || pendingTap != nil || recenterTime != nil
      || scrollSpeed(editor) != .zero
      || (!editor.settings.reducesMotion && editor.shade.isFading(at: editor.now))
  }

  /// Updates what depends on time before an input, `elapsed` after the last one.
  mutating func advance(to input: Input, after elapsed: Seconds, _ editor: inout SessionEditor) {
    if case .tick = input { scroll(for: elapsed, &editor) }
    if let tap = pendingTap, !tap.awaits(input, at: editor.now, isFollowed: isPressedAgain) {
      pendingTap = nil
      editor.clearSelection()
    }
    if let time = recenterTime {
      if case .tick = input {
        guard editor.now >= time else { return }
        recenterTime = nil
        editor.recenter()
      } else if input.cancelsRecentering {
        recenterTime = nil
      }
    }
  }

  /// Whether the pointer is down for what may be the second tap of a double tap.
  private var isPressedAgain: Bool {
    if case .pressed(let press) = gesture { press.followsTap } else { false }
  }

  // MARK: The view

  /// The viewport that is displayed: beyond its limits under fingers, or on the way to the one in
  /// the state.
  func displayedViewport(_ editor: borrowing SessionEditor) -> Viewport {
    guard let pan = gesture.pan else { return editor.displayedViewport }
    return editor.layout.resisted(pan.raw, cropFrame: pan.cropFrame, about: pan.focus)
  }

  /// The shape of the mouse pointer.
  func cursor(on editor: borrowing SessionEditor) -> CropCursor {
    guard let hover, editor.isVisible else { return .standard }
    if let cursor = gesture.cursor { return cursor }
    let style = editor.settings.style
    if armed != nil { return .crosshair }
    if style == .viewfinder { return .grab }
    if isSpaceHeld { return style == .studio ? .move : .grab }
    switch (style, Target(at: hover, kind: .mouse, on: editor)) {
    case (_, .handle(let handle)): return handle.cursor
    case (.marquee, .inside), (.quad, .inside): return .move
    case (.marquee, .outside): return .crosshair
    case (.quad, .outside), (.studio, _), (.viewfinder, _): return .grab
    }
  }
}

extension Input {
  /// Whether the user started something else, so that the frame should stay where it is.
  fileprivate var cancelsRecentering: Bool {
    switch self {
    case .pointer(let pointer): pointer.phase == .down
    case .wheel, .magnify, .key: true
    case .command(let command, _):
      switch command {
      case .focus, .reduceMotion, .rightToLeft, .grid: false
      default: true
      }
    case .resize, .tick: false
    }
  }
}
