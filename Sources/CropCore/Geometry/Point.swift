/// A point of one of the four spaces; `x` grows to the right, `y` grows downwards.
///
/// The unit is the space's: pixels for bitmap, image and frame, points for the view.
public struct Point<Space>: Hashable, Sendable {
  /// The distance from the left edge of the space.
  public var x: Double
  /// The distance from the top edge of the space.
  public var y: Double

  /// A point at the given distances from the origin.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The origin: the top-left corner.
  public static var zero: Self { Self(x: 0, y: 0) }

  /// Whether both coordinates are finite numbers.
  public var isFinite: Bool { x.isFinite && y.isFinite }
}

/// A distance and direction within one space, in that space's unit.
public struct Vector<Space>: Hashable, Sendable {
  /// The distance to the right; negative to the left.
  public var dx: Double
  /// The distance downwards; negative upwards.
  public var dy: Double

  /// A vector with the given components.
  public init(dx: Double, dy: Double) {
    self.dx = dx
    self.dy = dy
  }

  /// No distance at all.
  public static var zero: Self { Self(dx: 0, dy: 0) }

  /// The Euclidean length, zero or more.
  public var length: Double { (dx * dx + dy * dy).squareRoot() }

  /// Whether both components are finite numbers.
  public var isFinite: Bool { dx.isFinite && dy.isFinite }
}

/// A distance and direction on the view, in points.
public typealias ViewVector = Vector<ViewSpace>
/// A distance and direction on the frame, in pixels.
public typealias FrameVector = Vector<FrameSpace>

extension Point {
  /// The vector that leads from `b` to `a`.
  public static func - (a: Self, b: Self) -> Vector<Space> {
    Vector(dx: a.x - b.x, dy: a.y - b.y)
  }

  /// The point reached from `a` by `v`.
  public static func + (a: Self, v: Vector<Space>) -> Self {
    Self(x: a.x + v.dx, y: a.y + v.dy)
  }

  /// The point from which `v` leads to `a`.
  public static func - (a: Self, v: Vector<Space>) -> Self {
    Self(x: a.x - v.dx, y: a.y - v.dy)
  }
}

extension Vector {
  /// The vector `factor` times as long.
  public static func * (v: Self, factor: Double) -> Self {
    Self(dx: v.dx * factor, dy: v.dy * factor)
  }

  /// One vector after the other.
  public static func + (a: Self, b: Self) -> Self {
    Self(dx: a.dx + b.dx, dy: a.dy + b.dy)
  }
}
