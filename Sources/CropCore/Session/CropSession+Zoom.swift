/// Panning, pinching and zooming the picture.
extension CropSession {
  mutating func beginPan() {
    let (cropFrame, focus) = (
      restingCropFrame, interaction.pointers.first?.position ?? layout.middle
    )
    let isBouncing = placement.motion?.easing == .bounce
    let raw =
      isBouncing
      ? layout.unresisted(shownViewport, cropFrame: cropFrame, about: focus) : placement.viewport
    placement.motion = nil
    interaction.gesture = .panning(
      Panning(
        raw: raw, focus: focus, cropFrame: cropFrame,
        start: settings.style == .marquee ? nil : document.edit.selection))
  }

  /// Two fingers: whatever one finger was doing is taken back first, but for a pan, which goes on.
  mutating func beginPinch() {
    var mayMove = settings.style == .studio
    switch interaction.gesture {
    case .ignoring: return
    case .panning: mayMove = false
    case .resizing, .moving, .levelling:
      document.edit = interaction.editBeforeGesture
      placement.viewport = interaction.viewportBeforeGesture
      beginPan()
    case .none, .pressed: beginPan()
    }
    placement.motion = nil
    interaction.snaps = Snaps()
    interaction.pendingTap = nil
    guard case .panning(var panning) = interaction.gesture else { return }
    let (a, b) = (interaction.pointers[0].position, interaction.pointers[1].position)
    panning.span = Panning.Span(
      startLength: max(1, (b - a).length), startDirection: Angle.direction(from: a, to: b),
      startScale: panning.raw.scale, startTilt: document.edit.tilt, isUndecided: mayMove)
    interaction.gesture = .panning(panning)
    rebasePan()
  }

  /// Finds out what two fingers in the studio do: going apart, together or round each other they
  /// pinch the picture, going the same way they move the frame.
  ///
  /// The way of one finger alone fits both. Fingers that move at once are reported one after the
  /// other, so that it counts as a pinch only once time has passed without the other, or at the end.
  mutating func decideBetweenPinchAndMove(atEnd: Bool = false) {
    guard case .panning(var panning) = interaction.gesture, panning.span?.isUndecided == true,
      let span = panning.span, interaction.pointers.count >= 2
    else { return }
    let (a, b) = (interaction.pointers[0].position, interaction.pointers[1].position)
    let apart = max(
      abs((b - a).length - span.startLength),
      abs(span.twist(from: a, to: b).radians) * span.startLength)
    let together = (fingers.now - fingers.start).length
    guard max(apart, together) >= Interaction.touchThreshold else { return }
    if together > apart {
      beginMoving(at: fingers.start)
      return
    }
    let hasRested =
      interaction.now > interaction.pointers[0].lastMove
      && interaction.now > interaction.pointers[1].lastMove
    guard atEnd || hasRested || apart > 3 * together else { return }
    panning.span?.isUndecided = false
    interaction.gesture = .panning(panning)
  }

  /// One of two fingers went up: the other goes on panning.
  mutating func pinchBecamePan() {
    guard case .panning(var panning) = interaction.gesture else { return }
    panning.span = nil
    interaction.gesture = .panning(panning)
    rebasePan()
  }

  /// Counts the fingers' way from where they are now.
  private mutating func rebasePan() {
    for index in interaction.pointers.indices {
      interaction.pointers[index].start = interaction.pointers[index].position
    }
    if case .panning(var panning) = interaction.gesture {
      panning.origin = panning.raw
      interaction.gesture = .panning(panning)
    }
  }

  /// The middle between the first two pointers, at the start and now.
  var fingers: (start: ViewPoint, now: ViewPoint) {
    guard interaction.pointers.count >= 2 else {
      return (interaction.pointers[0].start, interaction.pointers[0].position)
    }
    func middle(_ a: ViewPoint, _ b: ViewPoint) -> ViewPoint {
      ViewPoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
    }
    return (
      middle(interaction.pointers[0].start, interaction.pointers[1].start),
      middle(interaction.pointers[0].position, interaction.pointers[1].position)
    )
  }

  /// Takes the picture where the fingers are.
  mutating func pan(_ panning: Panning) {
    var panning = panning
    let (start, position) = fingers
    var factor = 1.0
    let tiltBefore = panning.span?.startTilt ?? document.edit.tilt
    if var span = panning.span, interaction.pointers.count >= 2 {
      factor = zoomFactor(&span)
      panning.span = span
      if factor != 1 { panning.hasZoomed = true }
    }
    panning.raw = panning.origin.panned(by: position - start).zoomed(by: factor, about: position)
    if document.edit.tilt != tiltBefore, let cropFrame = panning.cropFrame {
      // What lies in the frame's middle stays there while the picture turns about its own.
      panning.hasZoomed = true
      let middle = panning.raw.inverse(cropFrame.center)
      let content = TiltedPicture(frame: frame, tilt: tiltBefore).turnedBack(middle)
      panning.raw = Viewport(
        scale: panning.raw.scale, placing: picture.turned(content), at: cropFrame.center)
    }
    panning.focus = position
    interaction.gesture = .panning(panning)
    settle(panning.raw, panning)
  }

  /// The fingers' zoom since they came down; a twist tilts instead, in the studio.
  private mutating func zoomFactor(_ span: inout Panning.Span) -> Double {
    let (a, b) = (interaction.pointers[0].position, interaction.pointers[1].position)
    let factor = max(1, (b - a).length) / span.startLength
    guard settings.style == .studio else { return factor }
    let twist = span.twist(from: a, to: b).degrees
    if case .open = span.lock {
      if max(factor, 1 / factor) >= Interaction.pinchLock {
        span.lock = .zoom
      } else if abs(twist) >= Interaction.twistLock {
        span.lock = .twist(from: Angle(degrees: twist), factor: factor)
      }
    }
    guard case .twist(let from, let lockedFactor) = span.lock else { return factor }
    // Counted from where the lock closed, so that nothing jumps.
    let twisted = Angle(degrees: span.startTilt.degrees + twist - from.degrees)
    let tilt = Self.steppedTilt(Self.heldAtZero(twisted, from: span.startTilt))
    if TiltedPicture(frame: frame, tilt: tilt).hasRoom { document.edit.tilt = tilt }
    return lockedFactor
  }

  /// The state while the picture is held: what it will be when let go.
  private mutating func settle(_ raw: Viewport, _ panning: Panning) {
    placement.viewport = layout.rested(raw, cropFrame: panning.cropFrame, about: panning.focus)
    guard let cropFrame = panning.cropFrame, document.edit.selection != nil else { return }
    document.edit.selection = selection(
      in: cropFrame, under: placement.viewport, keeping: panning.hasZoomed ? nil : panning.start)
  }

  /// The picture is let go: it glides on, or springs back to where it may rest.
  mutating func endPan(_ panning: Panning, velocity: ViewVector) {
    let shown = shownViewport
    let isInside = placement.viewport.isNear(panning.raw)
    var duration = Interaction.bounceDuration
    var easing = Motion.Easing.bounce
    let glide = Interaction.glideDuration(speed: velocity.length)
    if isInside, glide > 0, !settings.reducesMotion {
      let reach = Interaction.glideReach(speed: velocity.length)
      let end = panning.raw.panned(by: velocity * (reach / velocity.length))
      settle(end, panning)
      (duration, easing) = (glide, .glide)
    }
    alignToSelection(in: panning.cropFrame)
    keepUnrounded(panning.cropFrame, raw: placement.viewport)
    interaction.gesture = .none
    animate(from: shown, for: duration, easing)
    endedPan(before: interaction.editBeforeGesture)
  }

  private mutating func endedPan(before: Edit) {
    if document.edit != before {
      document.history.record(before, kind: .gesture, at: interaction.now)
      announceSelection()
    }
  }

  /// Puts the quantised selection exactly behind the crop frame.
  private mutating func alignToSelection(in cropFrame: ViewRect?) {
    guard let cropFrame, let selection = document.edit.selection else { return }
    if layout.fitsWidth { return }
    placement.viewport = layout.viewport(filling: cropFrame, with: selection)
  }

  /// Springs the picture back if it is shown beyond its limits.
  mutating func settle() {
    let shown = shownViewport
    placement.viewport = layout.rested(
      placement.viewport, cropFrame: restingCropFrame, about: layout.middle)
    if shown != placement.viewport { animate(from: shown, for: Interaction.bounceDuration, .out) }
  }

  /// Stops what moves by itself and can be stopped half way, and says whether there was something:
  /// a glide, with the picture where it is seen, or a recentring, with the frame where it is seen.
  mutating func catchMotion() -> Bool {
    guard let motion = placement.motion else { return false }
    let shown = shownViewport
    switch motion.easing {
    case .out, .inOut, .bounce: return false
    case .spring: placement.viewport = shown
    case .glide:
      let cropFrame = restingCropFrame
      placement.viewport = layout.rested(shown, cropFrame: cropFrame, about: layout.middle)
      if let cropFrame, let selection = document.edit.selection {
        document.edit.selection = self.selection(
          in: cropFrame, under: placement.viewport, keeping: selection)
      }
      keepUnrounded(cropFrame, raw: placement.viewport)
    }
    self.placement.motion = nil
    feedback.changes.insert(.scene)
    return true
  }

  // MARK: Zooming without fingers on the picture

  mutating func handle(_ input: WheelInput) {
    guard isShown, case .none = interaction.gesture else { return }
    let isPinch = input.modifiers.contains(.command)
    if input.isPrecise && !isPinch {
      scroll(by: input.delta, at: input.position)
      return
    }
    let factor =
      input.isPrecise
      ? LibM.power(Interaction.preciseZoom, -input.delta.dy)
      : LibM.power(Interaction.detentZoom, -input.delta.dy / Interaction.detentLength)
    magnify(by: factor, at: input.position)
  }

  /// Pans by a scroll, as far as the picture has room.
  private mutating func scroll(by delta: ViewVector, at point: ViewPoint) {
    feedback.changes.insert(.handled)
    _ = catchMotion()
    let raw = unroundedPlacement?.raw ?? placement.viewport
    move(to: raw.panned(by: delta * -1), about: point, zooms: false, kind: .wheel)
  }

  /// Zooms about a point, within the limits.
  mutating func magnify(by factor: Double, at point: ViewPoint) {
    guard isShown, case .none = interaction.gesture else { return }
    feedback.changes.insert(.handled)
    _ = catchMotion()
    let raw = unroundedPlacement?.raw ?? placement.viewport
    let bounded = min(max(factor, 1e-3), 1e3)
    move(to: raw.zoomed(by: bounded, about: point), about: point, zooms: true, kind: .wheel)
  }

  /// Brings a viewport within its limits and takes it, with the selection it makes.
  private mutating func move(
    to raw: Viewport, about point: ViewPoint, zooms: Bool, kind: History.Kind,
    animated duration: Seconds = 0
  ) {
    let before = document.edit
    let shown = shownViewport
    let cropFrame = restingCropFrame
    placement.motion = nil
    let put = layout.rested(raw, cropFrame: cropFrame, about: point)
    placement.viewport = put
    if let cropFrame, let selection = document.edit.selection {
      document.edit.selection = self.selection(
        in: cropFrame, under: put, keeping: zooms ? nil : selection)
      alignToSelection(in: cropFrame)
      keepUnrounded(cropFrame, raw: put)
    }
    animate(from: shown, for: duration, .out)
    if document.edit != before {
      document.history.record(before, kind: kind, at: interaction.now)
      announceSelection()
    }
  }

  /// Zooms to two and a half times the smallest zoom about a point, or back to the smallest.
  mutating func doubleTap(at point: ViewPoint) {
    let range = layout.zoomRange(for: restingCropFrame)
    let isZoomed = placement.viewport.scale > range.least * 1.01
    let scale = isZoomed ? range.least : range.least * Interaction.doubleTapZoom
    move(
      to: placement.viewport.zoomed(by: scale / placement.viewport.scale, about: point),
      about: point, zooms: true,
      kind: .gesture, animated: Interaction.doubleTapDuration)
  }

  /// Zooms about the middle of the view.
  mutating func zoom(by factor: Double) {
    guard isShown, case .none = interaction.gesture else { return }
    move(
      to: placement.viewport.zoomed(by: min(max(factor, 1e-3), 1e3), about: layout.middle),
      about: layout.middle, zooms: true, kind: .wheel, animated: Interaction.doubleTapDuration)
  }

  /// Shows the whole picture, or what the style comes nearest to it.
  mutating func fit() {
    guard isShown, case .none = interaction.gesture else { return }
    let least = layout.zoomRange(for: restingCropFrame).least
    let middle = Viewport(scale: least, placing: picture.center, at: layout.middle)
    move(
      to: middle, about: layout.middle, zooms: true, kind: .gesture,
      animated: Interaction.doubleTapDuration)
  }
}
