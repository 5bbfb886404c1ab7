/// The scene.
extension CropSession {
  /// The scene after the last input or tick.
  public var scene: Scene {
    guard isVisible, let image else { return Scene() }
    var scene = Scene()
    let shown = Shown(self, image: image)
    let lens = lensCenter
    scene.append(.pictureEdge(shown.edge))
    scene.append(.picture(shown.picture))
    if let quad = document.edit.quad {
      append(quad, to: &scene, shown, lens: lens)
    } else if let outline = shownOutline(shown) {
      let opacity = shadeOpacity
      let bounds = ViewRect(x: 0, y: 0, width: view.width, height: view.height)
      let cut = shown.isTurning ? nil : document.snappedRect.map { shown.viewport($0.rect) }
      scene.append(
        .shade(
          outside: cut.map { Outline($0) } ?? outline, opacity: opacity,
          isClippedToPicture: settings.style != .viewfinder && !shown.edge.contains(bounds)))
      if let canvas = canvasItem(around: outline) { scene.append(canvas) }
      if let cut, let blocks = blocks(in: cut, under: shown.viewport) { scene.append(blocks) }
      appendGrid(to: &scene, in: outline.rect)
      scene.append(.stroke(outline, width: 3, role: .edge))
      if outline.shape != .rectangle {
        scene.append(.stroke(Outline(outline.rect), width: 1, role: .grid))
      }
      scene.append(.stroke(outline, width: 1, role: .frame))
      appendSnaps(to: &scene, under: shown.viewport)
      if hasHandles { appendHandles(to: &scene, in: outline.rect) }
      appendLabel(to: &scene, in: outline.rect, lens: lens)
    }
    if case .levelling(let from, let to) = interaction.gesture {
      scene.append(.line(from: from, to: to, width: 4, role: .edge))
      scene.append(.line(from: from, to: to, width: 2, role: .level))
    }
    if let lens { appendMagnifier(to: &scene, at: lens, image: image) }
    return scene
  }

  /// The canvas around the drawn frame, in the frame's scale.
  private func canvasItem(around frame: Outline) -> SceneItem? {
    guard let layout = canvasLayout, layout.isVisible(around: resultSize) else { return nil }
    let (x, y) = (
      frame.rect.width / Double(layout.crop.width), frame.rect.height / Double(layout.crop.height)
    )
    return .canvas(
      ViewRect(
        x: frame.rect.x - Double(layout.crop.x) * x, y: frame.rect.y - Double(layout.crop.y) * y,
        width: Double(layout.size.width) * x, height: Double(layout.size.height) * y),
      around: frame)
  }

  /// Whether the selection has handles to drag.
  private var hasHandles: Bool {
    guard settings.style != .viewfinder, document.edit.selection != nil,
      placement.motion?.turn ?? 0 == 0
    else { return false }
    if case .resizing(let resizing) = interaction.gesture { return !resizing.isDrawing || isValid }
    return true
  }

  /// The frame to draw: the selection, the rectangle that is being drawn, or the frame that stays
  /// in place.
  private func shownOutline(_ shown: Shown) -> Outline? {
    if case .panning(let panning) = interaction.gesture, let frame = panning.cropFrame {
      return outline(covered(frame))
    }
    if settings.style == .viewfinder, placement.motion?.turn ?? 0 == 0 {
      return outline(covered(layout.viewfinderFrame))
    }
    if let selection = document.edit.selection {
      // In the studio style, the frame stays still while the image springs back or glides under it.
      let rests =
        settings.style == .studio && placement.motion?.easing != .spring
        && placement.motion?.turn ?? 0 == 0
      let rect = rests ? placement.viewport(selection) : shown.turned(shown.viewport(selection))
      return outline(rect)
    }
    if case .resizing(let resizing) = interaction.gesture {
      return outline(placement.viewport(resizing.drawn))
    }
    return nil
  }

  private func outline(_ rect: ViewRect) -> Outline {
    guard case .roundedRectangle(let radius) = document.edit.shape,
      let selection = document.edit.selection
    else {
      return Outline(rect, shape: document.edit.shape)
    }
    let scale = rect.width / selection.width
    let most = min(rect.width, rect.height) / 2
    return Outline(rect, shape: .roundedRectangle(radius: min(radius * scale, most)))
  }

  /// The part of a frame that is cut: all of it, unless the viewfinder only fits and the image is
  /// lower.
  private func covered(_ frame: ViewRect) -> ViewRect {
    guard settings.style == .viewfinder, settings.cover == .fit,
      let selection = document.edit.selection
    else { return frame }
    let cut = placement.viewport(selection)
    return cut.height < frame.height - 1 ? cut : frame
  }

  var shadeOpacity: Double {
    let lightness = feedback.shadeFade.lightness(
      at: interaction.now, isInstant: settings.reducesMotion)
    let range = Interaction.shade - Interaction.touchingShade
    return Interaction.shade - range * lightness
  }

  // MARK: Lines

  private func appendGrid(to scene: inout Scene, in rect: ViewRect) {
    for share in gridShares { appendLines(at: share, to: &scene, in: rect) }
  }

  /// The positions of the grid lines, as shares of the sides.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  var gridShares: [Double] {
    var shown = settings.grid
    if interaction.gesture.isActive, shown == .off { shown = .thirds }
    if isTilting { shown = .uniform }
    switch shown {
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

  /// Whether a ruler or a two-finger twist is tilting the image.
  private var isTilting: Bool {
    if case .panning(let panning) = interaction.gesture, case .twist = panning.span?.lock {
      return true
    }
    return feedback.shadeFade.isHeld && !interaction.gesture.isActive
      && interaction.pointers.isEmpty
  }

  /// Appends a vertical and a horizontal line at a share of the sides.
  private func appendLines(at share: Double, to scene: inout Scene, in rect: ViewRect) {
    scene.append(
      .line(
        from: rect.point(x: share, y: 0), to: rect.point(x: share, y: 1), width: 1, role: .grid))
    scene.append(
      .line(
        from: rect.point(x: 0, y: share), to: rect.point(x: 1, y: share), width: 1, role: .grid))
  }

  func appendSnaps(to scene: inout Scene, under viewport: Viewport) {
    let bounds = viewport(frame.bounds)
    if let x = interaction.snaps.x {
      let at = viewport(FramePoint(x: x, y: 0)).x
      scene.append(
        .line(
          from: ViewPoint(x: at, y: bounds.minY), to: ViewPoint(x: at, y: bounds.maxY), width: 1,
          role: .snap))
    }
    if let y = interaction.snaps.y {
      let at = viewport(FramePoint(x: 0, y: y)).y
      scene.append(
        .line(
          from: ViewPoint(x: bounds.minX, y: at), to: ViewPoint(x: bounds.maxX, y: at), width: 1,
          role: .snap))
    }
  }

  // MARK: Blocks

  /// The lines of the JPEG's grid in the crop that are visible: all, or every second, fourth … line
  /// so that they are not too dense.
  func blocks(in cut: ViewRect, under viewport: Viewport) -> SceneItem? {
    guard let jpeg, let image else { return nil }
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(jpeg.orientation, of: jpeg.grid.size)
    let toFrame = OrientationMap<ImageSpace, FrameSpace>(document.edit.orientation, of: image)
    let corner = viewport(toFrame(toImage(BitmapPoint(x: 0, y: 0))))
    let isTransposed = jpeg.orientation.isTransposing != document.edit.orientation.isTransposing
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

  // MARK: Handles

  private func appendHandles(to scene: inout Scene, in rect: ViewRect) {
    var active: Handle?
    if case .resizing(let resizing) = interaction.gesture, !resizing.isDrawing {
      active = resizing.held
    }
    for handle in Handle.allCases {
      let role: SceneRole =
        handle == active || handle == focus?.handle ? .activeHandle : .handle
      for bar in handle.marks(on: rect) { scene.append(.bar(bar, role: role)) }
    }
  }

  // MARK: Label and lens

  func appendLabel(to scene: inout Scene, in rect: ViewRect, lens: ViewPoint?) {
    guard let size = resultSize else { return }
    // Half the height of a pill, the gap between it and the frame, and the space a finger covers.
    let (half, gap, fingerRoom) = (12.0, 10.0, 56.0)
    let reach = half + gap + Interaction.markThickness
    let radius = Interaction.lensRadius
    // Controls may surround it.
    let area = settings.layoutArea?.cut(to: view.bounds) ?? view.bounds
    // A pill is rarely wider than this, on either side.
    let reachX = min(90, view.width / 2)
    let x = min(max(rect.midX, reachX), view.width - reachX)
    let finger = interaction.pointers.first.flatMap { $0.kind == .mouse ? nil : $0.position }
    @inline(never)  // One copy for all its callers, for the size of the page's module.
    func isFree(_ y: Double) -> Bool {
      if y < area.minY + half || y + half > area.maxY { return false }
      if let finger, abs(finger.y - y) < fingerRoom { return false }
      guard let lens else { return true }
      return abs(lens.y - y) >= radius + half || abs(lens.x - x) >= radius + reachX
    }
    // Below the frame, above it or inside it; otherwise beyond the lens, or the finger.
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
    let isKept =
      document.snappedRect == nil
      || document.rules.ratio?.matches(PixelLengths(size.bounds)) ?? true
    let label =
      isTwisting
      ? SceneLabel.angle(document.edit.tilt) : .size(size, isKept ? document.rules.ratio : nil)
    scene.append(.label(label, at: ViewPoint(x: x, y: y)))
  }

  /// Whether two fingers are tilting the image.
  private var isTwisting: Bool {
    guard case .panning(let panning) = interaction.gesture, case .twist = panning.span?.lock else {
      return false
    }
    return true
  }

  /// The centre of the magnifier, which shows the image under a finger that drags a handle.
  private var lensCenter: ViewPoint? {
    guard case .resizing = interaction.gesture, document.edit.selection != nil,
      let pointer = interaction.pointers.first,
      pointer.kind == .touch, document.edit.tilt.degrees == 0
    else { return nil }
    let (radius, distance) = (Interaction.lensRadius, Interaction.lensDistance)
    // Above the finger, or below it if there is no space above.
    let isLow = pointer.position.y - distance - radius < 0
    return ViewPoint(
      x: min(max(pointer.position.x, radius), max(radius, view.width - radius)),
      y: pointer.position.y + (isLow ? distance : -distance))
  }

  private func appendMagnifier(to scene: inout Scene, at center: ViewPoint, image: ImageSize) {
    guard case .resizing(let resizing) = interaction.gesture,
      let selection = document.edit.selection
    else { return }
    let map = OrientationMap<ImageSpace, FrameSpace>(document.edit.orientation, of: image)
    scene.append(
      .magnifier(
        center: center, radius: Interaction.lensRadius,
        focus: map.inverse(document.edit.point(of: resizing.held, on: selection)),
        magnification: Interaction.lensMagnification))
  }
}

extension Handle {
  /// The mark of a handle outside the frame's outline: two bars at a corner, one on an edge, none
  /// if there is no space.
  func marks(on rect: ViewRect) -> [ViewRect] {
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

/// The displayed state at one moment.
struct Shown {
  let viewport: Viewport
  let picture: Affine<ImageSpace, ViewSpace>
  let edge: ViewQuad
  /// Whether a quarter turn is being animated.
  var isTurning: Bool { turn.degrees != 0 }
  private let turn: Angle
  private let pivot: ViewPoint
  private let scale: Double

  init(_ session: borrowing CropSession, image: ImageSize) {
    viewport = session.displayedViewport
    let rest = 1 - (session.placement.motion?.progress(at: session.interaction.now) ?? 1)
    turn = Angle(degrees: (session.placement.motion?.turn ?? 0) * rest)
    pivot = session.placement.motion?.pivot ?? .zero
    scale = LibM.power(session.placement.motion?.pivotScale ?? 1, rest)
    let map = OrientationMap<ImageSpace, FrameSpace>(session.document.edit.orientation, of: image)
    let tilted = session.document.picture
    let (viewport, turn, pivot, scale) = (viewport, turn, pivot, scale)
    @inline(never)  // One copy for all its callers, for the size of the page's module.
    func place(_ x: Double, _ y: Double) -> ViewPoint {
      let flat = viewport(tilted.turned(map(ImagePoint(x: x, y: y))))
      return Self.turned(flat, by: turn, about: pivot, scale: scale)
    }
    let (width, height) = (Double(image.width), Double(image.height))
    edge = ViewQuad(
      a: place(0, 0), b: place(width, 0), c: place(width, height), d: place(0, height))
    picture = Affine(origin: edge.a, right: place(1, 0), down: place(0, 1))
  }

  /// A rectangle during the animation of a quarter turn: its centre moves on a circle and its sides
  /// are exchanged.
  func turned(_ rect: ViewRect) -> ViewRect {
    guard turn.degrees != 0 else { return rect }
    let share = abs(turn.degrees) / 90
    let center = Self.turned(rect.center, by: turn, about: pivot, scale: scale)
    func mixed(_ own: Double, _ other: Double) -> Double {
      (own * (1 - share) + other * share) * scale
    }
    return ViewRect(
      center: center, width: mixed(rect.width, rect.height),
      height: mixed(rect.height, rect.width))
  }

  /// The displayed position of a point of the frame.
  func place(_ point: FramePoint) -> ViewPoint {
    Self.turned(viewport(point), by: turn, about: pivot, scale: scale)
  }

  private static func turned(
    _ point: ViewPoint, by turn: Angle, about pivot: ViewPoint, scale: Double
  ) -> ViewPoint {
    guard turn.degrees != 0 || scale != 1 else { return point }
    let turned = point.rotated(by: turn, about: pivot)
    return pivot + (turned - pivot) * scale
  }
}
