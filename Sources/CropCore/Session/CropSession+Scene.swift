/// What is seen.
extension CropSession {
  /// The scene as it stands at the last input or tick.
  public var scene: Scene {
    guard isShown, let image else { return Scene() }
    var scene = Scene()
    let shown = Shown(self, image: image)
    let lens = lensCenter
    scene.append(.pictureEdge(shown.edge))
    scene.append(.picture(shown.picture))
    if let outline = shownOutline(shown) {
      let opacity = shadeOpacity
      let bounds = ViewRect(x: 0, y: 0, width: view.width, height: view.height)
      let cut = shown.isTurning ? nil : snappedRect.map { shown.viewport($0.rect) }
      scene.append(
        .shade(
          outside: cut.map { Outline($0) } ?? outline, opacity: opacity,
          isClippedToPicture: settings.style != .viewfinder && !shown.edge.contains(bounds)))
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

  /// Whether the selection has handles to drag.
  private var hasHandles: Bool {
    guard settings.style != .viewfinder, document.edit.selection != nil,
      placement.motion?.turn ?? 0 == 0
    else { return false }
    if case .resizing(let resizing) = interaction.gesture { return !resizing.isDrawing || isValid }
    return true
  }

  /// The frame to draw: the selection, what is being drawn, or the frame that rests on the screen.
  private func shownOutline(_ shown: Shown) -> Outline? {
    if case .panning(let panning) = interaction.gesture, let frame = panning.cropFrame {
      return outline(covered(frame))
    }
    if settings.style == .viewfinder, placement.motion?.turn ?? 0 == 0 {
      return outline(covered(layout.viewfinderFrame))
    }
    if let selection = document.edit.selection {
      // In the studio the frame rests while the picture springs back or glides under it.
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

  /// What is cut of a frame: all of it, but where the viewfinder fits and the picture is lower.
  private func covered(_ frame: ViewRect) -> ViewRect {
    guard settings.style == .viewfinder, settings.cover == .fit,
      let selection = document.edit.selection
    else { return frame }
    let cut = placement.viewport(selection)
    return cut.height < frame.height - 1 ? cut : frame
  }

  private var shadeOpacity: Double {
    let lightness = feedback.shadeFade.lightness(
      at: interaction.now, isInstant: settings.reducesMotion)
    let range = Interaction.shade - Interaction.touchingShade
    return Interaction.shade - range * lightness
  }

  // MARK: Lines

  private func appendGrid(to scene: inout Scene, in rect: ViewRect) {
    var shown = settings.grid
    if interaction.gesture.isActive, shown == .off { shown = .thirds }
    if isTilting { shown = .uniform }
    switch shown {
    case .off: return
    case .thirds:
      appendLines(at: 1.0 / 3, to: &scene, in: rect)
      appendLines(at: 2.0 / 3, to: &scene, in: rect)
    case .golden:
      // 1 − 1/φ and 1/φ.
      appendLines(at: 0.381_966_011_250_105, to: &scene, in: rect)
      appendLines(at: 0.618_033_988_749_895, to: &scene, in: rect)
    case .center: appendLines(at: 0.5, to: &scene, in: rect)
    case .uniform:
      for line in 1...8 { appendLines(at: Double(line) / 9, to: &scene, in: rect) }
    }
  }

  /// Whether a ruler or a twist tilts the picture right now.
  private var isTilting: Bool {
    if case .panning(let panning) = interaction.gesture, case .twist = panning.span?.lock {
      return true
    }
    return feedback.shadeFade.isHeld && !interaction.gesture.isActive
      && interaction.pointers.isEmpty
  }

  /// An upright and a level line at a share of the sides.
  private func appendLines(at share: Double, to scene: inout Scene, in rect: ViewRect) {
    scene.append(
      .line(
        from: rect.point(x: share, y: 0), to: rect.point(x: share, y: 1), width: 1, role: .grid))
    scene.append(
      .line(
        from: rect.point(x: 0, y: share), to: rect.point(x: 1, y: share), width: 1, role: .grid))
  }

  private func appendSnaps(to scene: inout Scene, under viewport: Viewport) {
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

  private func appendLabel(to scene: inout Scene, in rect: ViewRect, lens: ViewPoint?) {
    guard let size = resultSize else { return }
    // Half the height of a pill, the gap between it and the frame, and the room a finger takes.
    let (half, gap, fingerRoom) = (12.0, 10.0, 56.0)
    let reach = half + gap + Interaction.markThickness
    let radius = Interaction.lensRadius
    // Controls may lie around it.
    let area = settings.layoutArea?.cut(to: view.bounds) ?? view.bounds
    // A pill is rarely wider than this, to either side.
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
    // Below the frame, above it, inside it; else beyond the lens, or the finger.
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
    // Edges on a JPEG's grid may have left the ratio.
    let isKept = snappedRect == nil || rules.ratio?.matches(PixelLengths(size.bounds)) ?? true
    let label =
      isTwisting
      ? SceneLabel.angle(document.edit.tilt) : .size(size, isKept ? rules.ratio : nil)
    scene.append(.label(label, at: ViewPoint(x: x, y: y)))
  }

  /// Whether two fingers tilt the picture.
  private var isTwisting: Bool {
    guard case .panning(let panning) = interaction.gesture, case .twist = panning.span?.lock else {
      return false
    }
    return true
  }

  /// The middle of the lens that shows what a finger covers while it holds a handle.
  private var lensCenter: ViewPoint? {
    guard case .resizing = interaction.gesture, document.edit.selection != nil,
      let pointer = interaction.pointers.first,
      pointer.kind == .touch, document.edit.tilt.degrees == 0
    else { return nil }
    let (radius, distance) = (Interaction.lensRadius, Interaction.lensDistance)
    // Above the finger, or below it where there is no room above.
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
        focus: map.inverse(selection.point(resizing.held)),
        magnification: Interaction.lensMagnification))
  }
}

extension Handle {
  /// The mark of a handle outside the frame's line: two bars at a corner, one on an edge, none where
  /// there is no room.
  func marks(on rect: ViewRect) -> [ViewRect] {
    let thickness = Interaction.markThickness
    let across = min(Interaction.markLength, rect.width / 3)
    let down = min(Interaction.markLength, rect.height / 3)
    let x = x == 0.5 ? rect.midX - across / 2 : x == 0 ? rect.minX - thickness : rect.maxX
    let y = y == 0.5 ? rect.midY - down / 2 : y == 0 ? rect.minY - thickness : rect.maxY
    if !isCorner {
      // Beside two corner marks an edge's mark needs room of its own.
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

/// The picture on the screen at one moment.
struct Shown {
  let viewport: Viewport
  let picture: Affine<ImageSpace, ViewSpace>
  let edge: ViewQuad
  /// Whether a quarter turn is on its way.
  var isTurning: Bool { turn.degrees != 0 }
  private let turn: Angle
  private let pivot: ViewPoint
  private let scale: Double

  init(_ session: borrowing CropSession, image: ImageSize) {
    viewport = session.shownViewport
    let rest = 1 - (session.placement.motion?.progress(at: session.interaction.now) ?? 1)
    turn = Angle(degrees: (session.placement.motion?.turn ?? 0) * rest)
    pivot = session.placement.motion?.pivot ?? .zero
    scale = LibM.power(session.placement.motion?.pivotScale ?? 1, rest)
    let map = OrientationMap<ImageSpace, FrameSpace>(session.document.edit.orientation, of: image)
    let tilted = session.picture
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

  /// A rectangle while a quarter turn is on its way: its middle goes round, its sides change places.
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

  private static func turned(
    _ point: ViewPoint, by turn: Angle, about pivot: ViewPoint, scale: Double
  ) -> ViewPoint {
    guard turn.degrees != 0 || scale != 1 else { return point }
    let turned = point.rotated(by: turn, about: pivot)
    return pivot + (turned - pivot) * scale
  }
}
