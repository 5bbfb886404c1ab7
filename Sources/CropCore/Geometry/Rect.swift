/// A rectangle of one of the four spaces, in that space's unit; the origin is its top-left corner.
///
///     (minX, minY) ┌────────┐
///                  │        │ height
///                  └────────┘ (maxX, maxY)
///                     width
///
/// A rectangle is never inside out: `width` and `height` are zero or more, and every field is finite.
public struct Rect<Space>: Hashable, Sendable {
  /// The distance of the left edge from the left edge of the space.
  public var x: Double
  /// The distance of the top edge from the top edge of the space.
  public var y: Double
  /// The distance between the left and the right edge, zero or more.
  public var width: Double
  /// The distance between the top and the bottom edge, zero or more.
  public var height: Double

  /// A rectangle from its top-left corner and its size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The smallest rectangle that holds both points, whichever corners they are.
  public init(spanning a: Point<Space>, _ b: Point<Space>) {
    self.init(
      x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x), height: abs(a.y - b.y))
  }

  /// A rectangle of the given size about `center`.
  public init(center: Point<Space>, width: Double, height: Double) {
    self.init(
      x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
  }
}

extension Rect {
  /// The left edge.
  public var minX: Double { x }
  /// The top edge.
  public var minY: Double { y }
  /// The right edge.
  public var maxX: Double { x + width }
  /// The bottom edge.
  public var maxY: Double { y + height }
  /// The horizontal middle.
  public var midX: Double { x + width / 2 }
  /// The vertical middle.
  public var midY: Double { y + height / 2 }
  /// The middle.
  public var center: Point<Space> { Point(x: midX, y: midY) }
  /// The top-left corner.
  public var origin: Point<Space> { Point(x: x, y: y) }

  /// Whether there is no area.
  public var isEmpty: Bool { !(width > 0 && height > 0) }

  /// Whether every field is finite and neither length is negative.
  public var isProper: Bool {
    x.isFinite && y.isFinite && width.isFinite && height.isFinite && width >= 0 && height >= 0
  }

  /// Whether `point` lies inside or on an edge.
  public func contains(_ point: Point<Space>) -> Bool {
    point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
  }

  /// Whether every point of `other` lies inside or on an edge, to within `tolerance` units.
  public func contains(_ other: Self, tolerance: Double = 0) -> Bool {
    other.minX >= minX - tolerance && other.maxX <= maxX + tolerance
      && other.minY >= minY - tolerance && other.maxY <= maxY + tolerance
  }

  /// The rectangle with every edge moved inwards by `distance` (outwards if negative).
  ///
  /// An edge never passes the middle: what would be inside out has no width or height.
  public func inset(by distance: Double) -> Self {
    Self(
      center: center, width: max(0, width - 2 * distance), height: max(0, height - 2 * distance))
  }

  /// The rectangle moved by `vector`.
  public func offset(by vector: Vector<Space>) -> Self {
    Self(x: x + vector.dx, y: y + vector.dy, width: width, height: height)
  }

  /// The part that lies inside `bounds`; empty at the nearest edge where there is none.
  public func cut(to bounds: Self) -> Self {
    let left = min(max(minX, bounds.minX), bounds.maxX)
    let top = min(max(minY, bounds.minY), bounds.maxY)
    let right = min(max(maxX, left), bounds.maxX)
    let bottom = min(max(maxY, top), bounds.maxY)
    return Self(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  /// Moves the rectangle the least distance that puts it inside `bounds`.
  ///
  /// The size never changes; a rectangle larger than `bounds` is centered.
  public func moved(inside bounds: Self) -> Self {
    Self(
      x: Self.clampedOrigin(x, length: width, lower: bounds.minX, side: bounds.width),
      y: Self.clampedOrigin(y, length: height, lower: bounds.minY, side: bounds.height),
      width: width, height: height)
  }

  private static func clampedOrigin(
    _ origin: Double, length: Double, lower: Double, side: Double
  ) -> Double {
    // Larger than the bounds: there is no valid range, so share the overhang.
    guard length <= side else { return lower + (side - length) / 2 }
    return min(max(origin, lower), lower + side - length)
  }
}
