/// Zooming by wheel and command, and animations.
extension CropSession {
  // MARK: The layout

  /// The current layout.
  var layout: CropLayout { placement.layout(of: document) }

  /// Whether an image is open and the view is large enough to show it.
  var isVisible: Bool { image != nil && view.width >= 1 && view.height >= 1 }

  /// The viewport that is displayed now: under fingers beyond its limits, or on the way to the one
  /// in the state.
  var displayedViewport: Viewport {
    if let pan = interaction.gesture.pan {
      return layout.resisted(pan.raw, cropFrame: pan.cropFrame, about: pan.focus)
    }
    return placement.viewport(at: interaction.now)
  }

  /// Shows the selection as if the user had not zoomed.
  mutating func rest() { placement.rest(document) }

  /// Updates the layout for another size of the view. The selected and the visible part of the
  /// image stay the same.
  mutating func resize(to size: ViewSize) {
    if size != view { relayout { $0.placement.view = size } }
  }

  /// Changes something that determines the layout, then updates the layout.
  mutating func relayout(_ change: (inout Self) -> Void) {
    endGesture(keeping: true)
    let center = Placement.Center(placement, document)
    change(&self)
    placement.motion = nil
    feedback.changes.formUnion([.scene, .elements])
    placement.restore(center, document)
  }

  // MARK: Zoom

  mutating func handle(_ input: WheelInput) {
    let isPinch = input.modifiers.contains(.command)
    if input.isPrecise && !isPinch {
      zoom(to: { $0.panned(by: input.delta * -1) }, about: input.position, zooms: false)
    } else {
      magnify(
        by: input.isPrecise
          ? LibM.power(Interaction.preciseZoom, -input.delta.dy)
          : LibM.power(Interaction.detentZoom, -input.delta.dy / Interaction.detentLength),
        at: input.position)
    }
  }

  /// Zooms about a point, within the limits.
  mutating func magnify(by factor: Double, at point: ViewPoint) {
    let bounded = min(max(factor, 1e-3), 1e3)
    zoom(to: { $0.zoomed(by: bounded, about: point) }, about: point, zooms: true)
  }

  /// Zooms or scrolls by a step of a wheel, from the position before rounding.
  private mutating func zoom(
    to change: (Viewport) -> Viewport, about point: ViewPoint, zooms: Bool
  ) {
    guard isVisible, case .none = interaction.gesture else { return }
    feedback.changes.insert(.handled)
    _ = catchMotion()
    move(to: change(placement.raw(of: document)), about: point, zooms: zooms, kind: .wheel)
  }

  /// Zooms about the centre of the view.
  mutating func zoom(by factor: Double) {
    guard isVisible, case .none = interaction.gesture else { return }
    let (middle, bounded) = (layout.middle, min(max(factor, 1e-3), 1e3))
    move(
      to: placement.viewport.zoomed(by: bounded, about: middle), about: middle, kind: .wheel,
      animated: Interaction.doubleTapDuration)
  }

  /// Zooms to two and a half times the smallest zoom about a point, or back to the smallest.
  mutating func doubleTap(at point: ViewPoint) {
    let least = layout.zoomRange(for: placement.cropFrame(of: document)).least
    let isZoomed = placement.viewport.scale > least * 1.01
    let scale = isZoomed ? least : least * Interaction.doubleTapZoom
    move(
      to: placement.viewport.zoomed(by: scale / placement.viewport.scale, about: point),
      about: point, kind: .gesture, animated: Interaction.doubleTapDuration)
  }

  /// Shows the complete image, or as much as the style allows.
  mutating func fit() {
    guard isVisible, case .none = interaction.gesture else { return }
    let layout = layout
    let least = layout.zoomRange(for: placement.cropFrame(of: document)).least
    move(
      to: Viewport(scale: least, placing: document.picture.center, at: layout.middle),
      about: layout.middle, kind: .gesture, animated: Interaction.doubleTapDuration)
  }

  /// Sets a viewport inside its limits, and the selection that it gives.
  private mutating func move(
    to raw: Viewport, about point: ViewPoint, zooms: Bool = true, kind: History.Kind,
    animated duration: Seconds = 0
  ) {
    let (before, displayed) = (document.edit, displayedViewport)
    placement.move(to: raw, about: point, zooms: zooms, &document)
    animate(from: displayed, for: duration, .out)
    if document.record(since: before, kind, at: interaction.now) { announceSelection() }
  }

  // MARK: Time

  /// Updates everything that depends on time to the time of an input.
  mutating func advance(to input: Input) {
    // If the clock runs backwards, no time passes.
    let time = max(interaction.now, input.time ?? interaction.now)
    let elapsed = time - interaction.now
    interaction.now = time
    if case .tick = input { scroll(for: elapsed) }
    if let tap = interaction.pendingTap,
      !tap.awaits(input, at: time, isFollowed: interaction.isPressedAgain)
    {
      interaction.pendingTap = nil
      clearSelection()
    }
    if let motion = placement.motion, motion.isOver(at: time) {
      placement.motion = nil
      feedback.changes.formUnion([.scene, .elements])
    }
    if let recenterTime = interaction.recenterTime {
      if case .tick = input {
        if time >= recenterTime { recenter() }
      } else if input.cancelsRecentring {
        interaction.recenterTime = nil
      }
    }
  }

  /// Shows the selection of the style `studio` as large as it fits, after a delay.
  private mutating func recenter() {
    interaction.recenterTime = nil
    let displayed = displayedViewport
    rest()
    animate(from: displayed, for: Interaction.recenterDuration, .spring)
    feedback.changes.formUnion([.scene, .elements])
  }

  /// Springs the image back if it is shown beyond its limits.
  mutating func settle() {
    let displayed = displayedViewport
    placement.settle(document)
    if displayed != placement.viewport {
      animate(from: displayed, for: Interaction.bounceDuration, .out)
    }
  }

  /// Stops an animation that can be interrupted, and returns whether there was one.
  mutating func catchMotion() -> Bool {
    let isCaught = placement.catchMotion(at: interaction.now, &document)
    if isCaught { feedback.changes.insert(.scene) }
    return isCaught
  }

  /// Animates the image from its displayed position to the one in the state.
  mutating func animate(
    from displayed: Viewport, for duration: Seconds, _ easing: Motion.Easing
  ) {
    let isInstant = settings.reducesMotion || !isVisible
    placement.animate(
      from: displayed, for: isInstant ? 0 : duration, easing, at: interaction.now)
  }
}

extension Input {
  /// Whether the user started something else, so that the frame should stay where it is.
  fileprivate var cancelsRecentring: Bool {
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
