/// An affine map between two spaces:
///
///     x' = a·x + c·y + tx
///     y' = b·x + d·y + ty
///
/// The six numbers stand in the order in which canvases and Core Graphics take them.
public struct Affine<From, To>: Hashable, Sendable {
  /// The horizontal part of the image of (1, 0).
  public var a: Double
  /// The vertical part of the image of (1, 0).
  public var b: Double
  /// The horizontal part of the image of (0, 1).
  public var c: Double
  /// The vertical part of the image of (0, 1).
  public var d: Double
  /// The horizontal place of the origin.
  public var tx: Double
  /// The vertical place of the origin.
  public var ty: Double

  /// The map with the given numbers.
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.tx = tx
    self.ty = ty
  }

  /// The map under which (0, 0), (1, 0) and (0, 1) go to the three points.
  public init(origin: Point<To>, right: Point<To>, down: Point<To>) {
    self.init(
      a: right.x - origin.x, b: right.y - origin.y, c: down.x - origin.x, d: down.y - origin.y,
      tx: origin.x, ty: origin.y)
  }

  /// Where `point` goes.
  public func callAsFunction(_ point: Point<From>) -> Point<To> {
    Point(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
  }
}
