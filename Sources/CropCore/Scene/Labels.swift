// Where the size and the magnifier are drawn, so that neither is under the finger.
extension SceneBuilder {
  /// The size or, during a twist or the drag of a ruler, the tilt: below the frame, above it or inside it; otherwise
  /// beyond the magnifier, or the finger.
  func label(in rect: ViewRect) -> SceneItem? {
    guard let size else { return nil }
    // Half the height of a pill, the gap between it and the frame, and the space a finger covers.
    let (half, gap, fingerRoom) = (12.0, 10.0, 56.0)
    let reach = half + gap + Interaction.markThickness
    let radius = Interaction.lensRadius
    // A pill is rarely wider than this, on either side.
    let reachX = min(90, view.width / 2)
    let x = min(max(rect.midX, reachX), view.width - reachX)
    @inline(never)  // One copy for all its callers, for the size of the page's module.
    func isFree(_ y: Double) -> Bool {
      if y < area.minY + half || y + half > area.maxY { return false }
      if let finger, abs(finger.y - y) < fingerRoom { return false }
      guard let lens else { return true }
      return abs(lens.y - y) >= radius + half || abs(lens.x - x) >= radius + reachX
    }
    var y = rect.maxY + reach
    if !isFree(y) { y = rect.minY - reach }
    if !isFree(y) {
      y = finger.map { $0.y > rect.midY } ?? false ? rect.minY + reach : rect.maxY - reach
    }
    if let lens, let finger, !isFree(y) {
      let side = lens.y < finger.y ? -1.0 : 1
      y = lens.y + side * (radius + gap + half)
      if !isFree(y) { y = finger.y - side * (fingerRoom + half) }
    }
    y = min(max(y, area.minY + half), max(area.minY + half, area.maxY - half))
    // Edges snapped to a JPEG's grid may have changed the ratio.
    let isKept = snapped == nil || ratio?.matches(PixelLengths(size.bounds)) ?? true
    let label: SceneLabel =
      isTilting ? .angle(edit.tilt) : .size(size, isKept ? ratio : nil)
    return .label(label, at: ViewPoint(x: x, y: y))
  }

  /// The center of the magnifier: above the finger, or below it if there is no space above.
  static func lens(by finger: ViewPoint, in view: ViewSize) -> ViewPoint {
    let (radius, distance) = (Interaction.lensRadius, Interaction.lensDistance)
    let isLow = finger.y - distance - radius < 0
    return ViewPoint(
      x: min(max(finger.x, radius), max(radius, view.width - radius)),
      y: finger.y + (isLow ? distance : -distance))
  }
}
