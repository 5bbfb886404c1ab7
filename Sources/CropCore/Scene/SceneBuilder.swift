extension CropSession {
  /// The scene after the last input or tick.
  public var scene: CropScene { draw(into: CropScene()) }

  /// The scene after the last input or tick, item by item.
  public func draw<Sink: SceneSink>(into sink: consuming Sink) -> Sink {
    guard editor.isVisible, let image else { return sink }
    return SceneBuilder(self, image, sink).build()
  }
}

/// Takes the items of a scene, in the order in which they are drawn.
public protocol SceneSink {
  /// Takes the next item.
  mutating func append(_ item: SceneItem)
}

/// Lists everything that a user interface draws of a session.
struct SceneBuilder<Sink: SceneSink>: ~Copyable {
  private var sink: Sink
  let image: ImageSize
  let edit: Edit
  let jpeg: StoredJPEG?
  let style: CropStyle
  let view: ViewSize
  let picture: DisplayedPicture
  /// The rectangle that shows the selection; nil without a frame, and for four corners.
  let frame: ViewRect?
  let hasHandles: Bool
  let focus: CropHandle?
  let gesture: Gesture.Appearance
  /// Whether a twist or a ruler changes the tilt.
  let isTilting: Bool
  let grid: CropGrid
  let guide: CropGuide
  let shadeOpacity: Double
  /// The position of the first pointer, unless it is a mouse.
  let finger: ViewPoint?
  /// The center of the magnifier, and what it shows.
  let lens: ViewPoint?
  let magnified: ImagePoint?
  /// The part of the view without controls.
  let area: ViewRect
  let size: FrameSize?
  let ratio: AspectRatio?
  /// The rectangle to cut if the crop moves to the JPEG's grid.
  let snapped: PixelRect<FrameSpace>?

  init(_ session: borrowing CropSession, _ image: ImageSize, _ sink: consuming Sink) {
    self.sink = sink
    // Not read from the builder before all of it is set: debug builds of Swift 6.3 would crash.
    let guide = session.settings.guide
    self.guide = guide
    (self.image, edit, jpeg) = (image, session.editor.document.edit, session.editor.document.jpeg)
    (style, view) = (session.settings.style, session.editor.placement.view)
    area = session.settings.layoutArea?.cut(to: view.bounds) ?? view.bounds
    picture = DisplayedPicture(session, image)
    snapped = session.editor.document.snappedRect
    size = session.editor.document.resultSize(snapped: snapped)
    ratio = session.editor.document.ratioToKeep
    focus = session.focus?.handle
    gesture = session.gestures.gesture.appearance
    let fade = session.editor.shade
    let lightness = fade.lightness(
      at: session.editor.now, isInstant: session.settings.reducesMotion)
    shadeOpacity =
      Interaction.shade - (Interaction.shade - Interaction.touchingShade) * lightness
    let isActive = session.gestures.gesture.isActive
    isTilting = gesture.isTwisting || (session.editor.ruler.isDragged && !isActive)
    let own = session.settings.grid
    let isBare = own == .off && guide.marks.isEmpty
    grid = isTilting ? .uniform : isActive && isBare ? .thirds : own
    let hasPointer = !session.gestures.pointers.isEmpty
    let kind = hasPointer ? session.gestures.pointers[0].kind : .mouse
    finger = kind == .mouse ? nil : session.gestures.pointers[0].position
    if let dragged = gesture.handle, let finger, kind == .touch, let selection = edit.selection,
      edit.tilt.degrees == 0
    {
      let map = OrientationMap<ImageSpace, FrameSpace>(edit.orientation, of: image)
      lens = Self.lens(by: finger, in: view)
      magnified = map.inverse(edit.point(of: dragged, on: selection))
    } else {
      (lens, magnified) = (nil, nil)
    }
    let motion = session.editor.placement.motion
    let hasTurn = motion?.turn ?? 0 != 0
    hasHandles = style != .viewfinder && edit.selection != nil && !hasTurn
    let viewport = session.editor.placement.viewport
    var frame: ViewRect?
    if let cropFrame = gesture.cropFrame {
      frame = cropFrame
    } else if style == .viewfinder, !hasTurn {
      frame = session.editor.layout.viewfinderFrame
    } else if let selection = edit.selection {
      // In the studio style, the frame stays still while the image springs back or glides under it.
      let rests = style == .studio && motion?.easing != .spring && !hasTurn
      frame =
        rests ? viewport(selection) : picture.turned(picture.viewport(selection))
    } else {
      frame = gesture.drawn.map { viewport($0) }
    }
    // A viewfinder that only fits an image that is lower cuts less than its frame.
    if style == .viewfinder, !hasTurn, session.settings.cover == .fit, let whole = frame,
      let cut = edit.selection.map({ viewport($0) }), cut.height < whole.height - 1
    {
      frame = cut
    }
    self.frame = frame
  }

  @inline(never)  // One copy for all its callers, for the size of the page's module.
  mutating func append(_ item: SceneItem) { sink.append(item) }

  consuming func build() -> Sink {
    append(.pictureEdge(picture.edge))
    append(.picture(picture.map))
    if let quad = edit.quad {
      build(quad)
    } else if let frame {
      build(outline(frame))
    }
    if let level = gesture.level {
      append(.line(from: level.from, to: level.to, width: 4, role: .edge))
      append(.line(from: level.from, to: level.to, width: 2, role: .level))
    }
    if let lens, let magnified {
      append(
        .magnifier(
          center: lens, radius: Interaction.lensRadius, focus: magnified,
          magnification: Interaction.lensMagnification))
    }
    return sink
  }

  // MARK: A rectangle

  private mutating func build(_ outline: Outline) {
    let cut = picture.isTurning ? nil : snapped.map { picture.viewport($0.rect) }
    append(
      .shade(
        outside: cut.map { Outline($0) } ?? outline, opacity: shadeOpacity,
        isClippedToPicture: style != .viewfinder && !coversView))
    let canvas = canvas(around: outline)
    if let canvas { append(.canvas(canvas, around: outline)) }
    let whole = canvas ?? outline.rect
    if let cut, let blocks = blocks(in: cut) { append(blocks) }
    for line in 0..<grid.count {
      let share = grid.share(line)
      appendGridLine { outline.rect.point(x: share, y: $0) }
      appendGridLine { outline.rect.point(x: $0, y: share) }
    }
    appendGuide(whole.height > 0 ? whole.width / whole.height : 1) { whole.point(x: $0, y: $1) }
    append(.stroke(outline, width: 3, role: .edge))
    if outline.shape != .rectangle {
      append(.stroke(Outline(outline.rect), width: 1, role: .grid))
    }
    append(.stroke(outline, width: 1, role: .frame))
    appendSnaps()
    if hasHandles {
      for handle in CropHandle.allCases { appendMark(of: handle, on: outline.rect) }
    }
    if let label = label(in: outline.rect) { append(label) }
  }

  /// Whether the image covers the view.
  private var coversView: Bool { picture.edge.contains(view.bounds) }

  private func outline(_ rect: ViewRect) -> Outline {
    guard case .roundedRectangle(let radius) = edit.shape, let selection = edit.selection else {
      return Outline(rect, shape: edit.shape)
    }
    let scale = rect.width / selection.width
    let most = min(rect.width, rect.height) / 2
    return Outline(rect, shape: .roundedRectangle(radius: min(radius * scale, most)))
  }

  /// The canvas around the drawn frame, in the frame's scale.
  private func canvas(around frame: Outline) -> ViewRect? {
    guard let size, let layout = edit.canvas?.canvas.layout(of: size),
      layout.isVisible(around: size)
    else { return nil }
    let (x, y) = (
      frame.rect.width / Double(layout.crop.width), frame.rect.height / Double(layout.crop.height)
    )
    return ViewRect(
      x: frame.rect.x - Double(layout.crop.x) * x, y: frame.rect.y - Double(layout.crop.y) * y,
      width: Double(layout.size.width) * x, height: Double(layout.size.height) * y)
  }

  /// The lines of the JPEG's grid in the crop that are visible: all, or every second, fourth … line
  /// so that they are not too dense.
  private func blocks(in cut: ViewRect) -> SceneItem? {
    guard let jpeg else { return nil }
    let viewport = picture.viewport
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

  /// Appends the mark of a handle outside the frame's outline: two bars at a corner, one on an edge,
  /// none if there is no space.
  private mutating func appendMark(of handle: CropHandle, on rect: ViewRect) {
    let isDragged = handle == gesture.handle && gesture.drawn == nil
    let role: SceneRole = isDragged || handle == focus ? .activeHandle : .handle
    let thickness = Interaction.markThickness
    let across = min(Interaction.markLength, rect.width / 3)
    let down = min(Interaction.markLength, rect.height / 3)
    let isRow = handle.y != 0.5
    if !handle.isCorner {
      // An edge's mark needs space between two corner marks.
      guard (isRow ? rect.width : rect.height) >= 3 * Interaction.markLength else { return }
    }
    let x =
      handle.x == 0.5
      ? rect.midX - across / 2 : handle.x == 0 ? rect.minX - thickness : rect.maxX
    let y =
      handle.y == 0.5
      ? rect.midY - down / 2 : handle.y == 0 ? rect.minY - thickness : rect.maxY
    if isRow {
      let left = handle.x == 1 ? x - across : x
      let width = handle.isCorner ? across + thickness : across
      append(.bar(ViewRect(x: left, y: y, width: width, height: thickness), role: role))
    }
    if handle.x != 0.5 {
      let top = handle.y == 1 ? y - down : y
      let height = handle.isCorner ? down + thickness : down
      append(.bar(ViewRect(x: x, y: top, width: thickness, height: height), role: role))
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
    for line in 0..<grid.count {
      let share = grid.share(line)
      appendGridLine { picture.place(map(CropPoint(x: share, y: $0))) }
      appendGridLine { picture.place(map(CropPoint(x: $0, y: share))) }
    }
    appendGuide(size.map { Double($0.width) / Double($0.height) } ?? 1) {
      picture.place(map(CropPoint(x: $0, y: $1)))
    }
    appendEdges(of: corners, width: 3, role: .edge)
    appendEdges(of: corners, width: 1, role: .frame)
    appendSnaps()
    if !picture.isTurning {
      let active = gesture.handle ?? focus
      for handle in CropHandle.allCases {
        let side = handle.isCorner ? Interaction.quadCornerMark : Interaction.quadEdgeMark
        append(
          .bar(
            ViewRect(center: picture.place(quad.point(handle)), width: side, height: side),
            role: handle == active ? .activeHandle : .handle))
      }
    }
    if let selection = edit.selection,
      let label = label(in: picture.turned(picture.viewport(selection)), around: quad)
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

extension CropGrid {
  /// The number of lines in each direction.
  fileprivate var count: Int {
    switch self {
    case .off: 0
    case .thirds, .golden: 2
    case .center: 1
    case .uniform: 8
    }
  }

  /// The position of a line, as a share of the side.
  fileprivate func share(_ line: Int) -> Double {
    // 1 − 1/φ and 1/φ.
    if self == .golden { return line == 0 ? 0.381_966_011_250_105 : 0.618_033_988_749_895 }
    return Double(line + 1) / Double(count + 1)
  }
}
