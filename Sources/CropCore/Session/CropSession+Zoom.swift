/// Panning, pinching and zooming the picture.
extension CropSession {
  mutating func beginPan() {
    let (frame, focus) = (restingFrame, pointers.first?.position ?? middleOfView)
    let isBouncing = motion?.easing == .bounce
    let raw = isBouncing ? unresisted(shownViewport, frame: frame, about: focus) : viewport
    motion = nil
    gesture = .panning(
      Panning(
        raw: raw, focus: focus, frame: frame, start: style == .marquee ? nil : edit.selection))
  }

  /// Two fingers: whatever one finger was doing is taken back first, but for a pan, which goes on.
  mutating func beginPinch() {
    var mayMove = style == .studio
    switch gesture {
    case .ignoring: return
    case .panning: mayMove = false
    case .resizing, .moving, .levelling:
      edit = editBeforeGesture
      viewport = viewportBeforeGesture
      beginPan()
    case .none, .pressed: beginPan()
    }
    motion = nil
    snaps = Snaps()
    pendingTap = nil
    guard case .panning(var panning) = gesture else { return }
    let (a, b) = (pointers[0].position, pointers[1].position)
    panning.span = Panning.Span(
      startLength: max(1, (b - a).length), startDirection: Angle.direction(from: a, to: b),
      startScale: panning.raw.scale, startTilt: edit.tilt, isUndecided: mayMove)
    gesture = .panning(panning)
    rebasePan()
  }

  /// Finds out what two fingers in the studio do: going apart, together or round each other they
  /// pinch the picture, going the same way they move the frame.
  ///
  /// The way of one finger alone fits both. Fingers that move at once are reported one after the
  /// other, so that it counts as a pinch only once time has passed without the other, or at the end.
  mutating func decideBetweenPinchAndMove(atEnd: Bool = false) {
    guard case .panning(var panning) = gesture, panning.span?.isUndecided == true,
      let span = panning.span, pointers.count >= 2
    else { return }
    let (a, b) = (pointers[0].position, pointers[1].position)
    let twist = Angle.direction(from: a, to: b).degrees - span.startDirection.degrees
    let turned = Angle(degrees: twist - (twist / 360).rounded(.toNearestOrAwayFromZero) * 360)
    let apart = max(
      abs((b - a).length - span.startLength), abs(turned.radians) * span.startLength)
    let together = (fingers.now - fingers.start).length
    guard max(apart, together) >= Interaction.touchThreshold else { return }
    if together > apart {
      beginMoving(at: fingers.start)
      return
    }
    let hasRested = now > pointers[0].lastMove && now > pointers[1].lastMove
    guard atEnd || hasRested || apart > 3 * together else { return }
    panning.span?.isUndecided = false
    gesture = .panning(panning)
  }

  /// One of two fingers went up: the other goes on panning.
  mutating func pinchBecamePan() {
    guard case .panning(var panning) = gesture else { return }
    panning.span = nil
    gesture = .panning(panning)
    rebasePan()
  }

  /// Counts the fingers' way from where they are now.
  private mutating func rebasePan() {
    for index in pointers.indices { pointers[index].start = pointers[index].position }
    if case .panning(var panning) = gesture {
      panning.origin = panning.raw
      gesture = .panning(panning)
    }
  }

  /// The middle between the first two pointers, at the start and now.
  var fingers: (start: ViewPoint, now: ViewPoint) {
    guard pointers.count >= 2 else { return (pointers[0].start, pointers[0].position) }
    func middle(_ a: ViewPoint, _ b: ViewPoint) -> ViewPoint {
      ViewPoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
    }
    return (
      middle(pointers[0].start, pointers[1].start),
      middle(pointers[0].position, pointers[1].position)
    )
  }

  /// Takes the picture where the fingers are.
  mutating func pan(_ panning: Panning) {
    var panning = panning
    let (start, position) = fingers
    var factor = 1.0
    let tiltBefore = panning.span?.startTilt ?? edit.tilt
    if var span = panning.span, pointers.count >= 2 {
      factor = zoomFactor(&span)
      panning.span = span
      if factor != 1 { panning.hasZoomed = true }
    }
    panning.raw = panning.origin.panned(by: position - start).zoomed(by: factor, about: position)
    if edit.tilt != tiltBefore, let frame = panning.frame {
      // What lies in the frame's middle stays there while the picture turns about its own.
      panning.hasZoomed = true
      let middle = panning.raw.inverse(frame.center)
      let content = TiltedPicture(frame: self.frame, tilt: tiltBefore).turnedBack(middle)
      panning.raw = Viewport(
        scale: panning.raw.scale, placing: picture.turned(content), at: frame.center)
    }
    panning.focus = position
    gesture = .panning(panning)
    settle(panning.raw, panning)
  }

  /// The fingers' zoom since they came down; a twist tilts instead, in the studio.
  private mutating func zoomFactor(_ span: inout Panning.Span) -> Double {
    let (a, b) = (pointers[0].position, pointers[1].position)
    let factor = max(1, (b - a).length) / span.startLength
    guard style == .studio else { return factor }
    var twist = Angle.direction(from: a, to: b).degrees - span.startDirection.degrees
    twist -= (twist / 360).rounded(.toNearestOrAwayFromZero) * 360
    if case .open = span.lock {
      if max(factor, 1 / factor) >= Interaction.pinchLock {
        span.lock = .zoom
      } else if abs(twist) >= Interaction.twistLock {
        span.lock = .twist(from: Angle(degrees: twist), factor: factor)
      }
    }
    guard case .twist(let from, let lockedFactor) = span.lock else { return factor }
    // Counted from where the lock closed, so that nothing jumps.
    let tilt = Self.steppedTilt(
      Angle(degrees: span.startTilt.degrees + twist - from.degrees), hasMagnet: true)
    if TiltedPicture(frame: frame, tilt: tilt).hasRoom { edit.tilt = tilt }
    return lockedFactor
  }

  /// The state while the picture is held: what it will be when let go.
  private mutating func settle(_ raw: Viewport, _ panning: Panning) {
    viewport = rested(raw, frame: panning.frame, about: panning.focus)
    guard let frame = panning.frame, edit.selection != nil else { return }
    edit.selection = selection(
      in: frame, under: viewport, keeping: panning.hasZoomed ? nil : panning.start)
  }

  /// The picture is let go: it glides on, or springs back to where it may rest.
  mutating func endPan(_ panning: Panning, velocity: ViewVector) {
    let shown = shownViewport
    let isInside = viewport.isNear(panning.raw)
    var duration = Interaction.bounceDuration
    var easing = Motion.Easing.bounce
    let glide = Interaction.glideDuration(speed: velocity.length)
    if isInside, glide > 0, !reducesMotion {
      let reach = Interaction.glideReach(speed: velocity.length)
      let end = panning.raw.panned(by: velocity * (reach / velocity.length))
      settle(end, panning)
      (duration, easing) = (glide, .glide)
    }
    alignToSelection(in: panning.frame)
    keepRest(panning.frame, raw: viewport)
    gesture = .none
    animate(from: shown, for: duration, easing)
    endedPan(before: editBeforeGesture)
  }

  private mutating func endedPan(before: Edit) {
    if edit != before {
      history.record(before, kind: .gesture, at: now)
      announceSelection()
    }
  }

  /// Puts the quantised selection exactly behind the frame on the screen.
  private mutating func alignToSelection(in frame: ViewRect?) {
    guard let frame, let selection = edit.selection else { return }
    if fitsWidth { return }
    viewport = viewport(of: selection, in: frame)
  }

  /// Springs back whatever is shown beyond its limits.
  mutating func settle() {
    let shown = shownViewport
    viewport = rested(viewport, frame: restingFrame, about: middleOfView)
    if shown != viewport { animate(from: shown, for: Interaction.bounceDuration, .out) }
  }

  /// Stops what moves by itself and can be stopped half way, and says whether there was something:
  /// a glide, with the picture where it is seen, or a recentring, with the frame where it is seen.
  mutating func catchMotion() -> Bool {
    guard let motion else { return false }
    let shown = shownViewport
    switch motion.easing {
    case .out, .inOut, .bounce: return false
    case .spring: viewport = shown
    case .glide:
      let frame = restingFrame
      viewport = rested(shown, frame: frame, about: middleOfView)
      if let frame, let selection = edit.selection {
        edit.selection = self.selection(in: frame, under: viewport, keeping: selection)
      }
      keepRest(frame, raw: viewport)
    }
    self.motion = nil
    changes.insert(.scene)
    return true
  }

  // MARK: Zooming without fingers on the picture

  mutating func handle(_ input: WheelInput) {
    guard isShown, case .none = gesture else { return }
    let isPinch = input.modifiers.contains(.command)
    if input.isPrecise && !isPinch {
      scroll(by: input.delta, at: input.position)
      return
    }
    let factor =
      input.isPrecise
      ? LibM.power(Interaction.preciseZoom, -input.delta.dy)
      : LibM.power(Interaction.detentZoom, -input.delta.dy / Interaction.detentLength)
    let before = viewport
    magnify(by: factor, at: input.position)
    // At its limit a wheel is the page's again; a pinch would zoom the page.
    if !isPinch, viewport.isNear(before) { changes.remove(.handled) }
  }

  /// Pans by a scroll; where the picture has no room for it, the page around may scroll.
  private mutating func scroll(by delta: ViewVector, at point: ViewPoint) {
    let before = shownViewport
    _ = catchMotion()
    let raw = validRest?.raw ?? viewport
    move(to: raw.panned(by: delta * -1), about: point, zooms: false, kind: .wheel)
    let after = validRest?.raw ?? viewport
    if !after.isNear(raw) || !viewport.isNear(before) { changes.insert(.handled) }
  }

  /// Zooms about a point, within the limits.
  mutating func magnify(by factor: Double, at point: ViewPoint) {
    guard isShown, case .none = gesture else { return }
    changes.insert(.handled)
    _ = catchMotion()
    let raw = validRest?.raw ?? viewport
    let bounded = min(max(factor, 1e-3), 1e3)
    move(to: raw.zoomed(by: bounded, about: point), about: point, zooms: true, kind: .wheel)
  }

  /// Brings a viewport within its limits and takes it, with the selection it makes.
  private mutating func move(
    to raw: Viewport, about point: ViewPoint, zooms: Bool, kind: History.Kind,
    animated duration: Seconds = 0
  ) {
    let before = edit
    let shown = shownViewport
    let frame = restingFrame
    motion = nil
    let put = rested(raw, frame: frame, about: point)
    viewport = put
    if let frame, let selection = edit.selection {
      edit.selection = self.selection(in: frame, under: put, keeping: zooms ? nil : selection)
      alignToSelection(in: frame)
      keepRest(frame, raw: put)
    }
    animate(from: shown, for: duration, .out)
    if edit != before {
      history.record(before, kind: kind, at: now)
      announceSelection()
    }
  }

  /// Zooms to two and a half times the smallest zoom about a point, or back to the smallest.
  mutating func doubleTap(at point: ViewPoint) {
    let range = zoomRange(for: restingFrame)
    let isZoomed = viewport.scale > range.least * 1.01
    let scale = isZoomed ? range.least : range.least * Interaction.doubleTapZoom
    move(
      to: viewport.zoomed(by: scale / viewport.scale, about: point), about: point, zooms: true,
      kind: .gesture, animated: Interaction.doubleTapDuration)
  }

  /// Zooms about the middle of the view.
  mutating func zoom(by factor: Double) {
    guard isShown, case .none = gesture else { return }
    move(
      to: viewport.zoomed(by: min(max(factor, 1e-3), 1e3), about: middleOfView),
      about: middleOfView, zooms: true, kind: .wheel, animated: Interaction.doubleTapDuration)
  }

  /// Shows the whole picture, or what the style comes nearest to it.
  mutating func fit() {
    guard isShown, case .none = gesture else { return }
    let least = zoomRange(for: restingFrame).least
    let middle = Viewport(scale: least, placing: picture.center, at: middleOfView)
    move(
      to: middle, about: middleOfView, zooms: true, kind: .gesture,
      animated: Interaction.doubleTapDuration)
  }
}
