extension CropSession {
  /// The scene after the last input or tick.
  public var scene: Scene {
    guard isVisible, let image else { return Scene() }
    var builder = SceneBuilder(self, image)
    builder.build()
    return builder.scene
  }
}

/// Lists everything that a user interface draws of a session.
struct SceneBuilder {
  private(set) var scene = Scene()
  let image: ImageSize
  let edit: Edit
  let jpeg: StoredJPEG?
  let settings: SessionSettings
  let placement: Placement
  let picture: DisplayedPicture
  let gesture: Gesture
  /// The handle that has the keyboard focus.
  let focus: Handle?
  /// The position of the first pointer, unless it is a mouse.
  let finger: ViewPoint?
  /// The center of the magnifier, which shows the image under a finger that drags a handle.
  let lens: ViewPoint?
  /// The size of the result.
  let size: FrameSize?
  /// The ratio to keep.
  let ratio: AspectRatio?
  /// The rectangle to cut if the crop moves to the JPEG's grid.
  let snapped: PixelRect<FrameSpace>?
  /// The frame of the style `viewfinder`.
  private let viewfinderFrame: ViewRect?
  private let shadeOpacity: Double
  /// Whether a ruler or a two-finger twist is tilting the image.
  private let isTilting: Bool

  init(_ session: borrowing CropSession, _ image: ImageSize) {
    self.image = image
    edit = session.document.edit
    jpeg = session.document.jpeg
    settings = session.document.settings
    placement = session.placement
    picture = DisplayedPicture(session, image)
    gesture = session.interaction.gesture
    focus = session.focus?.handle
    snapped = session.document.snappedRect
    size = session.document.resultSize(snapped: snapped)
    ratio = session.document.ratioToKeep
    viewfinderFrame = settings.style == .viewfinder ? session.layout.viewfinderFrame : nil
    let fade = session.feedback.shadeFade
    let lightness = fade.lightness(
      at: session.interaction.now, isInstant: settings.reducesMotion)
    shadeOpacity =
      Interaction.shade - (Interaction.shade - Interaction.touchingShade) * lightness
    isTilting =
      gesture.isTwisting
      || (fade.isHeld && !gesture.isActive && session.interaction.pointers.isEmpty)
    let pointer = session.interaction.pointers.first
    finger = pointer.flatMap { $0.kind == .mouse ? nil : $0.position }
    let isMagnified =
      gesture.handle != nil && edit.selection != nil && pointer?.kind == .touch
      && edit.tilt.degrees == 0
    lens = isMagnified ? finger.map { [view = placement.view] in Self.lens(by: $0, in: view) } : nil
  }

  mutating func append(_ item: SceneItem) { scene.append(item) }

  mutating func build() {
    append(.pictureEdge(picture.edge))
    append(.picture(picture.map))
    if let quad = edit.quad {
      build(quad)
    } else if let outline = frameOutline {
      build(outline)
    }
    if case .level(let line) = gesture {
      append(.line(from: line.from, to: line.to, width: 4, role: .edge))
      append(.line(from: line.from, to: line.to, width: 2, role: .level))
    }
    if let lens, let handle = gesture.handle, let selection = edit.selection {
      let map = OrientationMap<ImageSpace, FrameSpace>(edit.orientation, of: image)
      append(
        .magnifier(
          center: lens, radius: Interaction.lensRadius,
          focus: map.inverse(edit.point(of: handle, on: selection)),
          magnification: Interaction.lensMagnification))
    }
  }

  // MARK: A rectangle

  private mutating func build(_ outline: Outline) {
    let cut = picture.isTurning ? nil : snapped.map { picture.viewport($0.rect) }
    append(
      .shade(
        outside: cut.map { Outline($0) } ?? outline, opacity: shadeOpacity,
        isClippedToPicture: settings.style != .viewfinder && !coversView))
    if let canvas = canvas(around: outline) { append(canvas) }
    if let cut, let blocks = blocks(in: cut) { append(blocks) }
    for share in gridShares {
      appendGridLine { outline.rect.point(x: share, y: $0) }
      appendGridLine { outline.rect.point(x: $0, y: share) }
    }
    append(.stroke(outline, width: 3, role: .edge))
    if outline.shape != .rectangle {
      append(.stroke(Outline(outline.rect), width: 1, role: .grid))
    }
    append(.stroke(outline, width: 1, role: .frame))
    appendSnaps()
    if settings.style != .viewfinder, edit.selection != nil, !hasTurn {
      appendHandles(on: outline.rect)
    }
    if let label = label(in: outline.rect) { append(label) }
  }

  /// Whether the image covers the view.
  private var coversView: Bool { picture.edge.contains(placement.view.bounds) }

  /// Whether the animation is one of a quarter turn.
  private var hasTurn: Bool { placement.motion?.turn ?? 0 != 0 }

  /// The frame to draw: the selection, the rectangle that is being drawn, or the frame that stays
  /// in place.
  private var frameOutline: Outline? {
    if let frame = gesture.pan?.cropFrame { return outline(covered(frame)) }
    if let viewfinderFrame, !hasTurn { return outline(covered(viewfinderFrame)) }
    if let selection = edit.selection {
      // In the studio style, the frame stays still while the image springs back or glides under it.
      let rests =
        settings.style == .studio && placement.motion?.easing != .spring && !hasTurn
      return outline(
        rests
          ? placement.viewport(selection) : picture.turned(picture.viewport(selection)))
    }
    if case .draw(let draw) = gesture { return outline(placement.viewport(draw.drawn)) }
    return nil
  }

  private func outline(_ rect: ViewRect) -> Outline {
    guard case .roundedRectangle(let radius) = edit.shape, let selection = edit.selection else {
      return Outline(rect, shape: edit.shape)
    }
    let scale = rect.width / selection.width
    let most = min(rect.width, rect.height) / 2
    return Outline(rect, shape: .roundedRectangle(radius: min(radius * scale, most)))
  }

  /// The part of a frame that is cut: all of it, unless the viewfinder only fits and the image is
  /// lower.
  private func covered(_ frame: ViewRect) -> ViewRect {
    guard settings.style == .viewfinder, settings.cover == .fit, let selection = edit.selection
    else { return frame }
    let cut = placement.viewport(selection)
    return cut.height < frame.height - 1 ? cut : frame
  }

  /// The canvas around the drawn frame, in the frame's scale.
  private func canvas(around frame: Outline) -> SceneItem? {
    guard let size, let layout = edit.canvas?.canvas.layout(of: size),
      layout.isVisible(around: size)
    else { return nil }
    let (x, y) = (
      frame.rect.width / Double(layout.crop.width), frame.rect.height / Double(layout.crop.height)
    )
    return .canvas(
      ViewRect(
        x: frame.rect.x - Double(layout.crop.x) * x, y: frame.rect.y - Double(layout.crop.y) * y,
        width: Double(layout.size.width) * x, height: Double(layout.size.height) * y),
      around: frame)
  }

  /// The lines of the JPEG's grid in the crop that are visible: all, or every second, fourth … line
  /// so that they are not too dense.
  private func blocks(in cut: ViewRect) -> SceneItem? {
    guard let jpeg else { return nil }
    let (viewport, view) = (picture.viewport, placement.view)
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(jpeg.orientation, of: jpeg.grid.size)
    let toFrame = OrientationMap<ImageSpace, FrameSpace>(edit.orientation, of: image)
    let corner = viewport(toFrame(toImage(BitmapPoint(x: 0, y: 0))))
    let isTransposed = jpeg.orientation.isTransposing != edit.orientation.isTransposing
    let (width, height) = (Double(jpeg.grid.cellWidth), Double(jpeg.grid.cellHeight))
    let left = max(cut.minX, 0)
    let top = max(cut.minY, 0)
    let rect = ViewRect(
      x: left, y: top, width: min(cut.maxX, view.width) - left,
      height: min(cut.maxY, view.height) - top)
    guard rect.width > 0, rect.height > 0, viewport.scale > 0 else { return nil }
    func step(_ cell: Double) -> Double {
      var step = cell * viewport.scale
      while step < Interaction.leastBlockStep { step *= 2 }
      return step
    }
    let across = step(isTransposed ? height : width)
    let down = step(isTransposed ? width : height)
    let first = ViewPoint(
      x: corner.x + ((left - corner.x) / across).rounded(.up) * across,
      y: corner.y + ((top - corner.y) / down).rounded(.up) * down)
    return .blocks(in: rect, first: first, step: ViewVector(dx: across, dy: down))
  }

  private mutating func appendHandles(on rect: ViewRect) {
    var active = gesture.handle
    if case .draw = gesture { active = nil }
    for handle in Handle.allCases {
      let role: SceneRole = handle == active || handle == focus ? .activeHandle : .handle
      for bar in handle.marks(on: rect) { append(.bar(bar, role: role)) }
    }
  }

  // MARK: Four corners

  private mutating func build(_ quad: Quad) {
    let corners = ViewQuad(
      a: picture.place(quad.topLeft), b: picture.place(quad.topRight),
      c: picture.place(quad.bottomRight), d: picture.place(quad.bottomLeft))
    append(
      .quadShade(outside: corners, opacity: shadeOpacity, isClippedToPicture: !coversView))
    // The grid lines of the result as they appear on the image: straight, and closer together where
    // the sheet is farther away.
    let map = Homography<ResultSpace, FrameSpace>(from: PixelSize(width: 1, height: 1), to: quad)
    let picture = picture
    for share in gridShares {
      appendGridLine { picture.place(map(Point(x: share, y: $0))) }
      appendGridLine { picture.place(map(Point(x: $0, y: share))) }
    }
    appendEdges(of: corners, width: 3, role: .edge)
    appendEdges(of: corners, width: 1, role: .frame)
    appendSnaps()
    if !picture.isTurning {
      let active = gesture.handle ?? focus
      for handle in Handle.allCases {
        let side = handle.isCorner ? Interaction.quadCornerMark : Interaction.quadEdgeMark
        append(
          .bar(
            ViewRect(center: picture.place(quad.point(handle)), width: side, height: side),
            role: handle == active ? .activeHandle : .handle))
      }
    }
    if let selection = edit.selection,
      let label = label(in: picture.turned(picture.viewport(selection)))
    {
      append(label)
    }
  }

  @inline(never)  // One copy for all its callers, for the size of the page's module.
  private mutating func appendEdges(of quad: ViewQuad, width: Double, role: SceneRole) {
    append(.line(from: quad.a, to: quad.b, width: width, role: role))
    append(.line(from: quad.b, to: quad.c, width: width, role: role))
    append(.line(from: quad.c, to: quad.d, width: width, role: role))
    append(.line(from: quad.d, to: quad.a, width: width, role: role))
  }

  // MARK: Lines

  /// Appends a grid line, given by its points at 0 and 1.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  private mutating func appendGridLine(_ point: (Double) -> ViewPoint) {
    append(.line(from: point(0), to: point(1), width: 1, role: .grid))
  }

  /// The positions of the grid lines, as shares of the sides.
  private var gridShares: [Double] {
    var grid = settings.grid
    if gesture.isActive, grid == .off { grid = .thirds }
    if isTilting { grid = .uniform }
    switch grid {
    case .off: return []
    case .thirds: return Self.shares(3)
    // 1 − 1/φ and 1/φ.
    case .golden: return [0.381_966_011_250_105, 0.618_033_988_749_895]
    case .center: return Self.shares(2)
    case .uniform: return Self.shares(9)
    }
  }

  /// The positions that divide a side into equal parts.
  private static func shares(_ parts: Int) -> [Double] {
    (1..<parts).map { Double($0) / Double(parts) }
  }

  /// Appends the lines that the selection has snapped to.
  private mutating func appendSnaps() {
    let snaps = gesture.snaps
    guard snaps != Snaps() else { return }
    let frame = OrientationMap<ImageSpace, FrameSpace>(edit.orientation, of: image).target
    let viewport = picture.viewport
    let bounds = viewport(frame.bounds)
    if let x = snaps.x {
      let at = viewport(FramePoint(x: x, y: 0)).x
      append(
        .line(
          from: ViewPoint(x: at, y: bounds.minY), to: ViewPoint(x: at, y: bounds.maxY), width: 1,
          role: .snap))
    }
    if let y = snaps.y {
      let at = viewport(FramePoint(x: 0, y: y)).y
      append(
        .line(
          from: ViewPoint(x: bounds.minX, y: at), to: ViewPoint(x: bounds.maxX, y: at), width: 1,
          role: .snap))
    }
  }
}

extension Handle {
  /// The mark of a handle outside the frame's outline: two bars at a corner, one on an edge, none
  /// if there is no space.
  fileprivate func marks(on rect: ViewRect) -> [ViewRect] {
    let thickness = Interaction.markThickness
    let across = min(Interaction.markLength, rect.width / 3)
    let down = min(Interaction.markLength, rect.height / 3)
    let x = x == 0.5 ? rect.midX - across / 2 : x == 0 ? rect.minX - thickness : rect.maxX
    let y = y == 0.5 ? rect.midY - down / 2 : y == 0 ? rect.minY - thickness : rect.maxY
    if !isCorner {
      // An edge's mark needs space between two corner marks.
      let isAcross = self == .top || self == .bottom
      guard (isAcross ? rect.width : rect.height) >= 3 * Interaction.markLength else { return [] }
      return [
        ViewRect(
          x: x, y: y, width: isAcross ? across : thickness, height: isAcross ? thickness : down)
      ]
    }
    let left = self.x == 0 ? x : x - across
    let top = self.y == 0 ? y : y - down
    return [
      ViewRect(x: left, y: y, width: across + thickness, height: thickness),
      ViewRect(x: x, y: top, width: thickness, height: down + thickness),
    ]
  }
}
