/// One of the eight handles that resize a selection, clockwise from the top left.
public enum CropHandle: Int, Hashable, Sendable, CaseIterable {
  /// The corners and the middles of the edges.
  case topLeft = 0, top, topRight, right, bottomRight, bottom, bottomLeft, left

  /// The horizontal position of the handle on the selection, as a fraction of the width: 0, 0.5 or
  /// 1.
  public var x: Double {
    switch self {
    case .topLeft, .bottomLeft, .left: 0
    case .top, .bottom: 0.5
    case .topRight, .bottomRight, .right: 1
    }
  }

  /// The vertical position of the handle on the selection, as a fraction of the height: 0, 0.5 or
  /// 1.
  public var y: Double {
    switch self {
    case .topLeft, .topRight, .top: 0
    case .left, .right: 0.5
    case .bottomLeft, .bottomRight, .bottom: 1
    }
  }

  /// Whether the handle is a corner; otherwise it is the middle of an edge.
  public var isCorner: Bool { rawValue & 1 == 0 }

  /// The handle at the given fractions of the sides, each 0, 0.5 or 1. The center, which has no
  /// handle, gives the right edge.
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

  /// The shape of the mouse pointer over the handle.
  var cursor: CropCursor {
    switch self {
    case .topLeft, .bottomRight: .resizeFalling
    case .topRight, .bottomLeft: .resizeRising
    case .top, .bottom: .resizeVertical
    case .left, .right: .resizeHorizontal
    }
  }
}

extension CropRect {
  /// The point at the given fractions of width and height.
  public func point(x: Double, y: Double) -> CropPoint<Space> {
    CropPoint(x: self.x + width * x, y: self.y + height * y)
  }

  /// The position of a handle of this rectangle.
  public func point(_ handle: CropHandle) -> CropPoint<Space> {
    point(x: handle.x, y: handle.y)
  }
}
