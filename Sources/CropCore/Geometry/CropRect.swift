/// A rectangle of one of the four spaces, in that space's unit; the origin is its top-left corner.
///
///     (minX, minY) ┌────────┐
///                  │        │ height
///                  └────────┘ (maxX, maxY)
///                     width
///
/// A rectangle has no negative size: `width` and `height` are zero or more, and every field is
/// finite.
public struct CropRect<Space>: Hashable, Sendable {
  /// The distance of the left edge from the left edge of the space.
  public var x: Double
  /// The distance of the top edge from the top edge of the space.
  public var y: Double
  /// The distance from the left to the right edge, zero or more.
  public var width: Double
  /// The distance from the top to the bottom edge, zero or more.
  public var height: Double

  /// A rectangle with the given top-left corner and size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The smallest rectangle that contains both points, in any order.
  public init(spanning a: CropPoint<Space>, _ b: CropPoint<Space>) {
    self.init(
      x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x), height: abs(a.y - b.y))
  }

  /// A rectangle of the given size, centered on `center`.
  public init(center: CropPoint<Space>, width: Double, height: Double) {
    self.init(
      x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
  }
}

extension CropRect {
  /// The x coordinate of the left edge.
  public var minX: Double { x }
  /// The y coordinate of the top edge.
  public var minY: Double { y }
  /// The x coordinate of the right edge.
  public var maxX: Double { x + width }
  /// The y coordinate of the bottom edge.
  public var maxY: Double { y + height }
  /// The x coordinate of the center.
  public var midX: Double { x + width / 2 }
  /// The y coordinate of the center.
  public var midY: Double { y + height / 2 }
  /// The center.
  public var center: CropPoint<Space> { CropPoint(x: midX, y: midY) }
  /// The top-left corner.
  public var origin: CropPoint<Space> { CropPoint(x: x, y: y) }

  /// Whether the area is zero.
  public var isEmpty: Bool { !(width > 0 && height > 0) }

  /// Whether every field is finite and neither length is negative.
  public var isProper: Bool {
    x.isFinite && y.isFinite && width.isFinite && height.isFinite && width >= 0 && height >= 0
  }

  /// Whether `point` is inside or on an edge.
  public func contains(_ point: CropPoint<Space>) -> Bool {
    point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
  }

  /// Whether every point of `other` is inside or on an edge. Each edge may be up to `tolerance`
  /// outside, in the unit of the space.
  public func contains(_ other: Self, tolerance: Double = 0) -> Bool {
    other.minX >= minX - tolerance && other.maxX <= maxX + tolerance
      && other.minY >= minY - tolerance && other.maxY <= maxY + tolerance
  }

  /// The rectangle with every edge moved inwards by `distance` (outwards if negative).
  ///
  /// An edge stops at the center line, so a rectangle that is too narrow becomes empty, with a
  /// width or height of zero.
  public func inset(by distance: Double) -> Self {
    Self(
      center: center, width: max(0, width - 2 * distance), height: max(0, height - 2 * distance))
  }

  /// The rectangle moved by `vector`.
  public func offset(by vector: Vector<Space>) -> Self {
    Self(x: x + vector.dx, y: y + vector.dy, width: width, height: height)
  }

  /// The intersection with `bounds`; if they do not overlap, an empty rectangle at the nearest edge
  /// of `bounds`.
  public func cut(to bounds: Self) -> Self {
    let left = min(max(minX, bounds.minX), bounds.maxX)
    let top = min(max(minY, bounds.minY), bounds.maxY)
    let right = min(max(maxX, left), bounds.maxX)
    let bottom = min(max(maxY, top), bounds.maxY)
    return Self(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  /// Moves the rectangle the least distance that puts it inside `bounds`.
  ///
  /// The size never changes; a rectangle larger than `bounds` is centered on it.
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
