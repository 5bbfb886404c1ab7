/// Panning, pinching and zooming the image.
extension CropSession {
  mutating func beginPan() {
    let (cropFrame, focus) = (
      restingCropFrame, interaction.pointers.first?.position ?? layout.middle
    )
    let isBouncing = placement.motion?.easing == .bounce
    let raw =
      isBouncing
      ? layout.unresisted(displayedViewport, cropFrame: cropFrame, about: focus)
      : placement.viewport
    placement.motion = nil
    interaction.gesture = .panning(
      Panning(
        raw: raw, focus: focus, cropFrame: cropFrame,
        start: settings.style.restsPicture ? nil : document.edit.selection))
  }

  /// Starts a two-finger gesture; it first undoes what one finger was doing, except for a pan,
  /// which continues.
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

  /// Determines what two fingers do in the studio style: moving apart, together or around each
  /// other they pinch the image, moving the same way they move the frame.
  ///
  /// The movement of one finger fits both. Fingers that move at the same time are reported one
  /// after the other, so it only counts as a pinch after some time without movement of the other
  /// finger, or at the end.
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

  /// Continues panning with the other finger after one of two was lifted.
  mutating func pinchBecamePan() {
    guard case .panning(var panning) = interaction.gesture else { return }
    panning.span = nil
    interaction.gesture = .panning(panning)
    rebasePan()
  }

  /// Measures the movement of the fingers from their current positions.
  private mutating func rebasePan() {
    for index in interaction.pointers.indices {
      interaction.pointers[index].start = interaction.pointers[index].position
    }
    if case .panning(var panning) = interaction.gesture {
      panning.origin = panning.raw
      interaction.gesture = .panning(panning)
    }
  }

  /// The midpoint of the first two pointers, at the start and now.
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

  /// Moves the image with the fingers.
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
      // The point in the middle of the frame stays fixed while the image turns about its own
      // centre.
      panning.hasZoomed = true
      let middle = panning.raw.inverse(cropFrame.center)
      let content = TiltedPicture(frame: frame, tilt: tiltBefore).turnedBack(middle)
      panning.raw = Viewport(
        scale: panning.raw.scale, placing: document.picture.turned(content), at: cropFrame.center)
    }
    panning.focus = position
    interaction.gesture = .panning(panning)
    settle(panning.raw, panning)
  }

  /// The zoom factor of the fingers since they came down; in the style `studio`, a twist tilts
  /// instead.
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
    // Measured from where the lock engaged, so that nothing jumps.
    let twisted = Angle(degrees: span.startTilt.degrees + twist - from.degrees)
    let tilt = twisted.heldAtZero(from: span.startTilt).asTilt
    if TiltedPicture(frame: frame, tilt: tilt).hasRoom { document.edit.tilt = tilt }
    return lockedFactor
  }

  /// Sets the state during a pan: the one that applies when the fingers are lifted.
  private mutating func settle(_ raw: Viewport, _ panning: Panning) {
    placement.viewport = layout.rested(raw, cropFrame: panning.cropFrame, about: panning.focus)
    guard let cropFrame = panning.cropFrame, document.edit.selection != nil else { return }
    document.select(
      visible: placement.viewport.inverse(cropFrame),
      keeping: panning.hasZoomed ? nil : panning.start)
  }

  /// Ends a pan: the image glides on, or springs back to a valid position.
  mutating func endPan(_ panning: Panning, velocity: ViewVector) {
    let displayed = displayedViewport
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
    animate(from: displayed, for: duration, easing)
    endedPan(before: interaction.editBeforeGesture)
  }

  private mutating func endedPan(before: Edit) {
    if document.edit != before {
      document.history.record(before, kind: .gesture, at: interaction.now)
      announceSelection()
    }
  }

  /// Aligns the quantised selection exactly with the crop frame.
  private mutating func alignToSelection(in cropFrame: ViewRect?) {
    guard let cropFrame, let selection = document.edit.selection else { return }
    if layout.fitsWidth { return }
    placement.viewport = layout.viewport(filling: cropFrame, with: selection)
  }

  /// Springs the image back if it is shown beyond its limits.
  mutating func settle() {
    let displayed = displayedViewport
    placement.viewport = layout.rested(
      placement.viewport, cropFrame: restingCropFrame, about: layout.middle)
    if displayed != placement.viewport {
      animate(from: displayed, for: Interaction.bounceDuration, .out)
    }
  }

  /// Stops an animation that can be interrupted, and returns whether there was one: a glide, with
  /// the image where it is visible, or a recentring, with the frame where it is visible.
  mutating func catchMotion() -> Bool {
    guard let motion = placement.motion else { return false }
    let displayed = displayedViewport
    switch motion.easing {
    case .out, .inOut, .bounce: return false
    case .spring: placement.viewport = displayed
    case .glide:
      let cropFrame = restingCropFrame
      placement.viewport = layout.rested(displayed, cropFrame: cropFrame, about: layout.middle)
      if let cropFrame, let selection = document.edit.selection {
        document.select(visible: placement.viewport.inverse(cropFrame), keeping: selection)
      }
      keepUnrounded(cropFrame, raw: placement.viewport)
    }
    self.placement.motion = nil
    feedback.changes.insert(.scene)
    return true
  }

  // MARK: Zooming by wheel and command

  mutating func handle(_ input: WheelInput) {
    guard isVisible, case .none = interaction.gesture else { return }
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

  /// Pans by a scroll, as far as the image allows.
  private mutating func scroll(by delta: ViewVector, at point: ViewPoint) {
    feedback.changes.insert(.handled)
    _ = catchMotion()
    let raw = unroundedPlacement?.raw ?? placement.viewport
    move(to: raw.panned(by: delta * -1), about: point, zooms: false, kind: .wheel)
  }

  /// Zooms about a point, within the limits.
  mutating func magnify(by factor: Double, at point: ViewPoint) {
    guard isVisible, case .none = interaction.gesture else { return }
    feedback.changes.insert(.handled)
    _ = catchMotion()
    let raw = unroundedPlacement?.raw ?? placement.viewport
    let bounded = min(max(factor, 1e-3), 1e3)
    move(to: raw.zoomed(by: bounded, about: point), about: point, zooms: true, kind: .wheel)
  }

  /// Sets a viewport inside its limits, and the selection that it gives.
  private mutating func move(
    to raw: Viewport, about point: ViewPoint, zooms: Bool, kind: History.Kind,
    animated duration: Seconds = 0
  ) {
    let before = document.edit
    let displayed = displayedViewport
    let cropFrame = restingCropFrame
    placement.motion = nil
    let put = layout.rested(raw, cropFrame: cropFrame, about: point)
    placement.viewport = put
    if let cropFrame, let selection = document.edit.selection {
      document.select(visible: put.inverse(cropFrame), keeping: zooms ? nil : selection)
      alignToSelection(in: cropFrame)
      keepUnrounded(cropFrame, raw: put)
    }
    animate(from: displayed, for: duration, .out)
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

  /// Zooms about the centre of the view.
  mutating func zoom(by factor: Double) {
    guard isVisible, case .none = interaction.gesture else { return }
    move(
      to: placement.viewport.zoomed(by: min(max(factor, 1e-3), 1e3), about: layout.middle),
      about: layout.middle, zooms: true, kind: .wheel, animated: Interaction.doubleTapDuration)
  }

  /// Shows the complete image, or as much as the style allows.
  mutating func fit() {
    guard isVisible, case .none = interaction.gesture else { return }
    let least = layout.zoomRange(for: restingCropFrame).least
    let middle = Viewport(scale: least, placing: document.picture.center, at: layout.middle)
    move(
      to: middle, about: layout.middle, zooms: true, kind: .gesture,
      animated: Interaction.doubleTapDuration)
  }
}
