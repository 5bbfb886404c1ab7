/// Where the image is displayed at one moment, on its way through an animation too.
struct DisplayedPicture {
  let viewport: Viewport
  let map: Affine<ImageSpace, ViewSpace>
  let edge: ViewQuad
  /// Whether a quarter turn is being animated.
  var isTurning: Bool { turn.degrees != 0 }
  private let turn: CropAngle
  private let pivot: ViewPoint
  private let scale: Double

  init(_ session: borrowing CropSession, _ image: ImageSize) {
    viewport = session.gestures.displayedViewport(session.editor)
    let motion = session.editor.placement.motion
    let rest = 1 - (motion?.progress(at: session.editor.now) ?? 1)
    turn = CropAngle(degrees: (motion?.turn ?? 0) * rest)
    pivot = motion?.pivot ?? .zero
    scale = motion.map { $0.pivotScale == 1 ? 1 : LibM.power($0.pivotScale, rest) } ?? 1
    let map = OrientationMap<ImageSpace, FrameSpace>(
      session.editor.document.edit.orientation, of: image)
    let tilted = session.editor.document.picture
    let (viewport, turn, pivot, scale) = (viewport, turn, pivot, scale)
    @inline(never)  // One copy for all its callers, for the size of the page's module.
    func place(_ x: Double, _ y: Double) -> ViewPoint {
      let flat = viewport(tilted.turned(map(ImagePoint(x: x, y: y))))
      return Self.turned(flat, by: turn, about: pivot, scale: scale)
    }
    let (width, height) = (Double(image.width), Double(image.height))
    edge = ViewQuad(
      a: place(0, 0), b: place(width, 0), c: place(width, height), d: place(0, height))
    self.map = Affine(origin: edge.a, right: place(1, 0), down: place(0, 1))
  }

  /// A rectangle during the animation of a quarter turn: its center moves on a circle and its sides
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
    _ point: ViewPoint, by turn: CropAngle, about pivot: ViewPoint, scale: Double
  ) -> ViewPoint {
    guard turn.degrees != 0 || scale != 1 else { return point }
    let turned = point.rotated(by: turn, about: pivot)
    return pivot + (turned - pivot) * scale
  }
}
