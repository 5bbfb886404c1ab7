/// What a user interface draws: a list of items in view space, in drawing order.
public struct CropScene: Hashable, Sendable {
  /// The items in drawing order; the last one is on top.
  public var items: [SceneItem]

  /// A scene with the given items.
  public init(items: [SceneItem] = []) {
    self.items = items
  }
}

extension CropScene: SceneSink {
  /// Adds an item on top.
  public mutating func append(_ item: SceneItem) { items.append(item) }
}

/// One thing to draw; lengths are view points.
public enum SceneItem: Hashable, Sendable {
  /// The outline of the image: draw the background behind transparent pixels in it, and clip shades
  /// to it.
  case pictureEdge(ViewQuad)
  /// The image, with the map from upright pixels to the view.
  case picture(Affine<ImageSpace, ViewSpace>)
  /// Black of the given opacity (0 to 1) outside an outline. It may be clipped to the image, which
  /// is not necessary if the image covers the view.
  case shade(outside: Outline, opacity: Double, isClippedToPicture: Bool)
  /// Black of the given opacity (0 to 1) outside four corners, optionally clipped to the image.
  case quadShade(outside: ViewQuad, opacity: Double, isClippedToPicture: Bool)
  /// The canvas around the result, filled, except for the outline of the crop.
  case canvas(ViewRect, around: Outline)
  /// A line along an outline.
  case stroke(Outline, width: Double, role: SceneRole)
  /// A straight line.
  case line(from: ViewPoint, to: ViewPoint, width: Double, role: SceneRole)
  /// A filled rectangle: a handle's mark.
  case bar(ViewRect, role: SceneRole)
  /// The lines of a JPEG's block grid inside a rectangle. They are `step` apart, and `first` is the
  /// intersection of the first vertical and the first horizontal line in the rectangle.
  case blocks(in: ViewRect, first: ViewPoint, step: ViewVector)
  /// An area of a guide: tint it.
  case guideArea(ViewQuad)
  /// The text beside a mark of a guide, to the right of a point and centered on it vertically. The
  /// user interface has the words.
  case note(GuideLabel, at: ViewPoint)
  /// A text label, centered on a point; the user interface makes the text from the numbers.
  case label(SceneLabel, at: ViewPoint)
  /// A round magnifier, in view points. It shows the image around `focus`, `magnification` times as
  /// large as in the view.
  case magnifier(center: ViewPoint, radius: Double, focus: ImagePoint, magnification: Double)
}

/// The purpose of a line or mark; the user interface chooses its color.
public enum SceneRole: Int, Hashable, Sendable {
  /// The outline of the frame: white.
  case frame = 0
  /// The dark line beneath a white one.
  case edge = 1
  /// A grid line.
  case grid = 2
  /// The line that the selection snapped to.
  case snap = 3
  /// The mark of a handle.
  case handle = 4
  /// The mark of the handle that is dragged or has the keyboard focus.
  case activeHandle = 5
  /// The line that the user draws along a horizon.
  case level = 6
  /// A line of a guide.
  case guide = 7
}

/// A closed outline in the view.
public struct Outline: Hashable, Sendable {
  /// The bounding rectangle of the outline.
  public var rect: ViewRect
  /// The shape of the outline; a radius is in view points.
  public var shape: CropShape

  /// An outline of the given shape in `rect`.
  public init(_ rect: ViewRect, shape: CropShape = .rectangle) {
    self.rect = rect
    self.shape = shape
  }
}

/// The four corners of the image in the view, after mirror, turns and tilt. They are in the order
/// top left, top right, bottom right and bottom left of the upright image.
public struct ViewQuad: Hashable, Sendable {
  /// The corners, in that order.
  public var a: ViewPoint, b: ViewPoint, c: ViewPoint, d: ViewPoint

  /// Whether every point of `rect` is inside or on an edge.
  func contains(_ rect: ViewRect) -> Bool {
    contains(ViewPoint(x: rect.minX, y: rect.minY))
      && contains(ViewPoint(x: rect.maxX, y: rect.minY))
      && contains(ViewPoint(x: rect.maxX, y: rect.maxY))
      && contains(ViewPoint(x: rect.minX, y: rect.maxY))
  }

  /// Whether `point` is inside. If the image is mirrored, the inside is on the other side of each
  /// edge.
  private func contains(_ point: ViewPoint) -> Bool {
    func side(_ from: ViewPoint, _ to: ViewPoint) -> Double {
      (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
    }
    let (ab, bc, cd, da) = (side(a, b), side(b, c), side(c, d), side(d, a))
    return min(ab, bc, cd, da) >= 0 || max(ab, bc, cd, da) <= 0
  }
}

/// A label as numbers; the user interface makes the text.
public enum SceneLabel: Hashable, Sendable {
  /// The selection's size, in frame pixels, and the ratio if one is kept.
  case size(FrameSize, AspectRatio?)
  /// The tilt.
  case angle(CropAngle)
}
