/// The element under a pointer when it came down.
enum Target: Hashable, Sendable {
  case handle(CropHandle), inside, outside

  /// The element that a pointer at a point of the view would drag.
  init(at point: ViewPoint, kind: PointerKind, on editor: borrowing SessionEditor) {
    let (edit, viewport) = (editor.document.edit, editor.placement.viewport)
    guard editor.settings.style != .viewfinder, let selection = edit.selection else {
      let isInside =
        edit.selection != nil && editor.layout.viewfinderFrame.contains(point)
      self = isInside ? .inside : .outside
      return
    }
    let reach = (kind == .mouse ? Interaction.mouseHitArea : Interaction.touchHitArea) / 2
    if let quad = edit.quad {
      self.init(at: point, on: quad, viewport, reach: reach)
    } else {
      self.init(at: point, on: viewport(selection), reach: reach)
    }
  }

  /// The handle, the inside or the outside of a rectangle.
  private init(at point: ViewPoint, on rect: ViewRect, reach: Double) {
    let x = Self.side(of: point.x, from: rect.minX, to: rect.maxX, reach: reach)
    let y = Self.side(of: point.y, from: rect.minY, to: rect.maxY, reach: reach)
    guard let x, let y else {
      self = .outside
      return
    }
    self = x == 0.5 && y == 0.5 ? .inside : .handle(CropHandle(x: x, y: y))
  }

  /// The nearest corner of a quad, the nearest edge, the area between them, or nothing.
  private init(at point: ViewPoint, on quad: Quad, _ viewport: Viewport, reach: Double) {
    var best: (handle: CropHandle, distance: Double)?
    var isInside = true
    for handle in CropHandle.allCases where handle.isCorner {
      let distance = (viewport(quad.point(handle)) - point).length
      if distance <= min(reach, best?.distance ?? reach) { best = (handle, distance) }
    }
    let isNearCorner = best != nil
    let depth = min(quad.bounds.width, quad.bounds.height) * viewport.scale
    for index in 0..<4 {
      let (a, b) = (viewport(quad[index]), viewport(quad[index + 1]))
      let (edge, way) = (b - a, point - a)
      let side = edge.dx * way.dy - edge.dy * way.dx
      if side < 0 { isInside = false }
      let along = edge.dx * way.dx + edge.dy * way.dy
      guard !isNearCorner, along >= 0, along <= edge.length * edge.length,
        let handle = CropHandle(rawValue: 2 * index + 1)
      else { continue }
      // Inside the quad, edges leave the middle free for panning.
      let most = side > 0 ? min(reach, depth * Interaction.largestHitShare) : reach
      let distance = abs(side) / edge.length
      if distance <= min(most, best?.distance ?? most) { best = (handle, distance) }
    }
    self = best.map { .handle($0.handle) } ?? (isInside ? .inside : .outside)
  }

  /// The edge that a coordinate is near: 0 for the lower, 1 for the upper, 0.5 for a position
  /// between them; nil outside.
  ///
  /// The reach inside is at most a third of the side, so that the middle can still be dragged.
  private static func side(
    of value: Double, from lower: Double, to upper: Double, reach: Double
  ) -> Double? {
    guard value >= lower - reach, value <= upper + reach else { return nil }
    let inside = min(reach, (upper - lower) * Interaction.largestHitShare)
    if value < lower + inside { return 0 }
    if value > upper - inside { return 1 }
    return 0.5
  }
}
