/// One of the eight places by which a selection is resized, clockwise from the top left.
public enum Handle: Int, Hashable, Sendable, CaseIterable {
  /// The corners and edges.
  case topLeft = 0, top, topRight, right, bottomRight, bottom, bottomLeft, left

  /// From the corner or edge: which fraction of the width it stands at.
  public var x: Double {
    switch self {
    case .topLeft, .bottomLeft, .left: 0
    case .top, .bottom: 0.5
    case .topRight, .bottomRight, .right: 1
    }
  }

  /// Which fraction of the height it stands at.
  public var y: Double {
    switch self {
    case .topLeft, .topRight, .top: 0
    case .left, .right: 0.5
    case .bottomLeft, .bottomRight, .bottom: 1
    }
  }

  /// Whether it stands at a corner and not in the middle of an edge.
  public var isCorner: Bool { rawValue & 1 == 0 }

  /// What stays put while this handle is dragged.
  public var anchor: Anchor { Anchor(x: 1 - x, y: 1 - y) }

  /// The handle at the given fractions of the sides; the middle counts as the right edge.
  init(x: Double, y: Double) {
    self =
      switch (x, y) {
      case (0, 0): .topLeft
      case (0, 1): .bottomLeft
      case (0, _): .left
      case (1, 0): .topRight
      case (1, 1): .bottomRight
      case (1, _): .right
      case (_, 0): .top
      case (_, 1): .bottom
      default: .right
      }
  }

  /// The look of a mouse pointer over it.
  var cursor: CropCursor {
    switch self {
    case .topLeft, .bottomRight: .resizeFalling
    case .topRight, .bottomLeft: .resizeRising
    case .top, .bottom: .resizeVertical
    case .left, .right: .resizeHorizontal
    }
  }
}

extension Rect {
  /// The point at the given fractions of width and height.
  public func point(x: Double, y: Double) -> Point<Space> {
    Point(x: self.x + width * x, y: self.y + height * y)
  }

  /// The point a handle stands at.
  public func point(_ handle: Handle) -> Point<Space> {
    point(x: handle.x, y: handle.y)
  }
}
