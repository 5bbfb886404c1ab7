/// The style with four corners, which move one by one, or two by an edge.
extension CropSession {
  // MARK: Dragging

  /// Moves a corner or an edge of `quad`, as it was at the start, to the pointer.
  mutating func drag(
    _ resizing: Resizing, of quad: Quad, to point: FramePoint, modifiers: Modifiers
  ) {
    interaction.snaps = Snaps()
    var target = point + resizing.offset
    let snaps = resizing.handle.isCorner && !modifiers.contains(.command)
    if snaps { target = snapping(target, of: resizing.handle) }
    let start = quad.point(resizing.handle)
    let dragged = quad.dragged(resizing.handle, by: target - start, in: frame)
    document.edit.setQuad(dragged)
    // A corner that was stopped before the line has not reached it.
    let reached = dragged.point(resizing.handle)
    if interaction.snaps.x != reached.x { interaction.snaps.x = nil }
    if interaction.snaps.y != reached.y { interaction.snaps.y = nil }
  }

  // MARK: Hit testing

  /// The element of four corners that a pointer would drag: the nearest corner, the nearest edge,
  /// the area between them, or nothing.
  func target(at point: ViewPoint, kind: PointerKind, of quad: Quad) -> Target {
    let reach = (kind == .mouse ? Interaction.mouseHitArea : Interaction.touchHitArea) / 2
    var best: (handle: Handle, distance: Double)?
    var isInside = true
    for handle in Handle.allCases where handle.isCorner {
      let distance = (placement.viewport(quad.point(handle)) - point).length
      if distance <= min(reach, best?.distance ?? reach) { best = (handle, distance) }
    }
    let isNearCorner = best != nil
    for index in 0..<4 {
      let (a, b) = (placement.viewport(quad[index]), placement.viewport(quad[index + 1]))
      let (edge, way) = (b - a, point - a)
      let side = edge.dx * way.dy - edge.dy * way.dx
      if side < 0 { isInside = false }
      let along = edge.dx * way.dx + edge.dy * way.dy
      guard !isNearCorner, along >= 0, along <= edge.length * edge.length,
        let handle = Handle(rawValue: 2 * index + 1)
      else { continue }
      // Inside the quad, edges leave the middle free for panning.
      let most = side > 0 ? min(reach, quadDepth(quad) * Interaction.largestHitShare) : reach
      let distance = abs(side) / edge.length
      if distance <= min(most, best?.distance ?? most) { best = (handle, distance) }
    }
    if let best { return .handle(best.handle) }
    return isInside ? .inside : .outside
  }

  /// The thickness of a quad at its thinnest part, in view points.
  private func quadDepth(_ quad: Quad) -> Double {
    let bounds = quad.bounds
    return min(bounds.width, bounds.height) * placement.viewport.scale
  }

  // MARK: Scene

  func append(_ quad: Quad, to scene: inout Scene, _ shown: Shown, lens: ViewPoint?) {
    let corners = ViewQuad(
      a: shown.place(quad.topLeft), b: shown.place(quad.topRight), c: shown.place(quad.bottomRight),
      d: shown.place(quad.bottomLeft))
    let bounds = ViewRect(x: 0, y: 0, width: view.width, height: view.height)
    scene.append(
      .quadShade(
        outside: corners, opacity: shadeOpacity,
        isClippedToPicture: !shown.edge.contains(bounds)))
    appendPerspectiveGrid(of: quad, to: &scene, shown)
    appendEdges(of: corners, width: 3, role: .edge, to: &scene)
    appendEdges(of: corners, width: 1, role: .frame, to: &scene)
    appendSnaps(to: &scene, under: shown.viewport)
    if !shown.isTurning { appendMarks(of: quad, to: &scene, shown) }
    if let selection = document.edit.selection {
      appendLabel(to: &scene, in: shown.turned(shown.viewport(selection)), lens: lens)
    }
  }

  /// Appends the grid lines of the result as they appear on the image: straight, and closer
  /// together where the sheet is farther away.
  private func appendPerspectiveGrid(of quad: Quad, to scene: inout Scene, _ shown: Shown) {
    let map = Homography<ResultSpace, FrameSpace>(from: PixelSize(width: 1, height: 1), to: quad)
    @inline(never)  // One copy for all its callers, for the size of the page's module.
    func place(_ x: Double, _ y: Double) -> ViewPoint { shown.place(map(Point(x: x, y: y))) }
    for share in gridShares {
      scene.append(.line(from: place(share, 0), to: place(share, 1), width: 1, role: .grid))
      scene.append(.line(from: place(0, share), to: place(1, share), width: 1, role: .grid))
    }
  }

  @inline(never)  // One copy for all its callers, for the size of the page's module.
  private func appendEdges(
    of quad: ViewQuad, width: Double, role: SceneRole, to scene: inout Scene
  ) {
    scene.append(.line(from: quad.a, to: quad.b, width: width, role: role))
    scene.append(.line(from: quad.b, to: quad.c, width: width, role: role))
    scene.append(.line(from: quad.c, to: quad.d, width: width, role: role))
    scene.append(.line(from: quad.d, to: quad.a, width: width, role: role))
  }

  private func appendMarks(of quad: Quad, to scene: inout Scene, _ shown: Shown) {
    var active = focus?.handle
    if case .resizing(let resizing) = interaction.gesture { active = resizing.held }
    for handle in Handle.allCases {
      let side = handle.isCorner ? Interaction.quadCornerMark : Interaction.quadEdgeMark
      scene.append(
        .bar(
          ViewRect(center: shown.place(quad.point(handle)), width: side, height: side),
          role: handle == active ? .activeHandle : .handle))
    }
  }
}
