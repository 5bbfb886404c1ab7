/// Zooming by wheel, trackpad and command.
extension SessionEditor {
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
    guard isVisible else { return }
    announcer.changes.insert(.handled)
    _ = catchMotion()
    move(to: change(placement.raw(of: document)), about: point, zooms: zooms, kind: .wheel)
  }

  /// Zooms about the center of the view.
  mutating func zoom(by factor: Double) {
    guard isVisible else { return }
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
    guard isVisible else { return }
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
    record(since: before, kind)
  }
}
