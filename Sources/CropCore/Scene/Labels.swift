// Where the size and the magnifier are drawn, so that neither is under the finger.
extension SceneBuilder {
  /// The size or, during a twist or the drag of a ruler, the tilt: below the frame, above it or inside it; otherwise
  /// beyond the magnifier, or the finger. It covers no handle of four corners, which can be anywhere: then it is in
  /// the nearest free place.
  func label(in rect: ViewRect, around quad: Quad? = nil) -> SceneItem? {
    guard let size else { return nil }
    // Half the height of a pill, the gap between it and the frame, and the space a finger covers.
    let (half, gap, fingerRoom) = (12.0, 10.0, 56.0)
    let reach = half + gap + Interaction.markThickness
    let radius = Interaction.lensRadius
    // A pill is rarely wider than this, on either side.
    let reachX = min(90, view.width / 2)
    let (lowest, highest) = (area.minY + half, max(area.minY + half, area.maxY - half))
    @inline(never)  // One copy for all its callers, for the size of the page's module.
    func isFree(_ x: Double, _ y: Double) -> Bool {
      if y < lowest || y > highest { return false }
      if let finger, abs(finger.y - y) < fingerRoom { return false }
      if let lens, abs(lens.y - y) < radius + half, abs(lens.x - x) < radius + reachX {
        return false
      }
      guard let quad else { return true }
      for handle in CropHandle.allCases {
        let mark = picture.place(quad.point(handle))
        if abs(mark.y - y) < half + 8, abs(mark.x - x) < reachX { return false }
      }
      return true
    }
    var x = min(max(rect.midX, reachX), view.width - reachX)
    // In a narrow frame, it is beyond the marks of the corners.
    let inset = rect.width < 2 * reachX ? reach + gap : reach
    let isLow = finger.map { $0.y > rect.midY } ?? false
    let inside = min(max(isLow ? rect.minY + inset : rect.maxY - inset, lowest), highest)
    var y = rect.maxY + reach
    if !isFree(x, y) { y = rect.minY - reach }
    if !isFree(x, y) { y = inside }
    if let lens, let finger, !isFree(x, y) {
      let side = lens.y < finger.y ? -1.0 : 1
      y = lens.y + side * (radius + gap + half)
      if !isFree(x, y) { y = finger.y - side * (fingerRoom + half) }
    }
    if !isFree(x, y) {
      let middle = x
      search: for column in [middle, reachX, view.width - reachX] {
        x = column
        // Above and below in turn, 8 points farther away each time.
        for step in 0..<Int((highest - lowest) / 4) {
          y = inside + Double(step.isMultiple(of: 2) ? step : -step - 1) * 4
          if isFree(x, y) { break search }
        }
      }
      if !isFree(x, y) { (x, y) = (middle, inside) }
    }
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
