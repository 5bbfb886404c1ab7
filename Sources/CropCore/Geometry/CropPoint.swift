/// A point of one of the four spaces; `x` grows to the right, `y` grows downwards.
///
/// The unit depends on the space: pixels in bitmap, image and frame space, points in view space.
public struct CropPoint<Space>: Hashable, Sendable {
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

  /// The vector of length zero.
  public static var zero: Self { Self(dx: 0, dy: 0) }

  /// The Euclidean length, zero or more.
  public var length: Double { (dx * dx + dy * dy).squareRoot() }
}

/// A distance and direction on the view, in points.
public typealias ViewVector = Vector<ViewSpace>
/// A distance and direction on the frame, in pixels.
public typealias FrameVector = Vector<FrameSpace>

extension CropPoint {
  /// The vector from `b` to `a`.
  public static func - (a: Self, b: Self) -> Vector<Space> {
    Vector(dx: a.x - b.x, dy: a.y - b.y)
  }

  /// The point `a` moved by `v`.
  public static func + (a: Self, v: Vector<Space>) -> Self {
    Self(x: a.x + v.dx, y: a.y + v.dy)
  }
}

extension Vector {
  /// The vector scaled by `factor`.
  public static func * (v: Self, factor: Double) -> Self {
    Self(dx: v.dx * factor, dy: v.dy * factor)
  }

  /// The sum of two vectors.
  public static func + (a: Self, b: Self) -> Self {
    Self(dx: a.dx + b.dx, dy: a.dy + b.dy)
  }
}
