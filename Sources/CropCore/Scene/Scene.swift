/// What a face draws: a flat list in view space, in drawing order.
public struct Scene: Hashable, Sendable {
  /// The items, the first at the bottom.
  public var items: [SceneItem]

  /// A scene of the given items.
  public init(items: [SceneItem] = []) {
    self.items = items
  }

  /// Adds an item on top.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  mutating func append(_ item: SceneItem) { items.append(item) }
}

/// One thing to draw; lengths are view points.
public enum SceneItem: Hashable, Sendable {
  /// The edge of the picture: for what shows through transparency, and to clip shades to.
  case pictureEdge(ViewQuad)
  /// The picture, from upright pixels to the view.
  case picture(Affine<ImageSpace, ViewSpace>)
  /// Black of the given opacity (0 to 1) outside an outline; on the picture only, if so said, which it
  /// is not where the picture covers the view.
  case shade(outside: Outline, opacity: Double, isClippedToPicture: Bool)
  /// A line along an outline.
  case stroke(Outline, width: Double, role: SceneRole)
  /// A straight line.
  case line(from: ViewPoint, to: ViewPoint, width: Double, role: SceneRole)
  /// A filled rectangle: a handle's mark.
  case bar(ViewRect, role: SceneRole)
  /// The lines of a JPEG's grid inside a rectangle, `step` apart, one of each through `first`, which is
  /// the first of them in the rectangle.
  case blocks(in: ViewRect, first: ViewPoint, step: ViewVector)
  /// Words in a pill about a point; the face makes them from numbers.
  case label(SceneLabel, at: ViewPoint)
  /// A round lens that shows what lies about `focus`, `magnification` times as large as in the view.
  case magnifier(center: ViewPoint, radius: Double, focus: ImagePoint, magnification: Double)
}

/// What a line or mark is for; a face gives each a colour.
public enum SceneRole: Int, Hashable, Sendable {
  /// The frame's line: white.
  case frame = 0
  /// The dark edge beneath a white line.
  case edge = 1
  /// A helping line.
  case grid = 2
  /// The line the selection snapped to.
  case snap = 3
  /// A handle's mark.
  case handle = 4
  /// The mark of the handle that is held or has the keyboard.
  case activeHandle = 5
  /// The line drawn along a horizon.
  case level = 6
}

/// A closed outline in the view.
public struct Outline: Hashable, Sendable {
  /// The rectangle in which the outline lies.
  public var rect: ViewRect
  /// The kind; a radius is in view points.
  public var shape: CropShape

  /// An outline of the given shape in `rect`.
  public init(_ rect: ViewRect, shape: CropShape = .rectangle) {
    self.rect = rect
    self.shape = shape
  }
}

/// The four corners of the picture in the view: top left, top right, bottom right and bottom left of
/// the upright picture, wherever mirror, turns and tilt have taken them.
public struct ViewQuad: Hashable, Sendable {
  /// The corners, in that order.
  public var a: ViewPoint, b: ViewPoint, c: ViewPoint, d: ViewPoint

  /// Whether every point of `rect` lies inside or on an edge.
  func contains(_ rect: ViewRect) -> Bool {
    contains(ViewPoint(x: rect.minX, y: rect.minY))
      && contains(ViewPoint(x: rect.maxX, y: rect.minY))
      && contains(ViewPoint(x: rect.maxX, y: rect.maxY))
      && contains(ViewPoint(x: rect.minX, y: rect.maxY))
  }

  /// Going round a mirrored picture, what is inside lies on the other side of each edge.
  private func contains(_ point: ViewPoint) -> Bool {
    func side(_ from: ViewPoint, _ to: ViewPoint) -> Double {
      (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
    }
    let (ab, bc, cd, da) = (side(a, b), side(b, c), side(c, d), side(d, a))
    return min(ab, bc, cd, da) >= 0 || max(ab, bc, cd, da) <= 0
  }
}

/// A label as numbers; a face makes the words.
public enum SceneLabel: Hashable, Sendable {
  /// The selection's size in frame pixels, and its ratio when one is kept.
  case size(FrameSize, AspectRatio?)
  /// The tilt.
  case angle(Angle)
}
