/// An affine map between two spaces:
///
///     x' = a·x + c·y + tx
///     y' = b·x + d·y + ty
///
/// The six numbers are in the order that canvases and Core Graphics use.
public struct Affine<From, To>: Hashable, Sendable {
  /// The x coordinate of the vector (1, 0) after the map.
  public var a: Double
  /// The y coordinate of the vector (1, 0) after the map.
  public var b: Double
  /// The x coordinate of the vector (0, 1) after the map.
  public var c: Double
  /// The y coordinate of the vector (0, 1) after the map.
  public var d: Double
  /// The x coordinate of the origin after the map.
  public var tx: Double
  /// The y coordinate of the origin after the map.
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

  /// The map that takes (0, 0), (1, 0) and (0, 1) to the three points.
  public init(origin: CropPoint<To>, right: CropPoint<To>, down: CropPoint<To>) {
    self.init(
      a: right.x - origin.x, b: right.y - origin.y, c: down.x - origin.x, d: down.y - origin.y,
      tx: origin.x, ty: origin.y)
  }

  /// The position of `point` after the map.
  public func callAsFunction(_ point: CropPoint<From>) -> CropPoint<To> {
    CropPoint(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
  }
}

extension Affine {
  /// The map followed by a magnifier: everything becomes `magnification` times as large, and
  /// `focus` is shown at `center`.
  public func magnified(
    by magnification: Double, showing focus: CropPoint<From>, at center: CropPoint<To>
  ) -> Self {
    let seen = self(focus)
    return Self(
      a: a * magnification, b: b * magnification, c: c * magnification, d: d * magnification,
      tx: center.x + (tx - seen.x) * magnification, ty: center.y + (ty - seen.y) * magnification)
  }

  /// The length of the vector (1, 0) after the map; for a map that keeps shapes, the factor by
  /// which every length changes.
  public var scale: Double { (a * a + b * b).squareRoot() }
}

extension Affine where From == ImageSpace, To == ViewSpace {
  /// The part of an image that is visible in a rectangle of the view.
  ///
  /// - Parameters:
  ///   - image: the size of the image, in pixels.
  ///   - view: the rectangle, in view points.
  /// - Returns: all pixels that overlap the rectangle; under a tilt, their bounding box. Nil if no
  ///   pixel overlaps it.
  public func part(of image: ImageSize, shownIn view: ViewRect) -> ImageRect? {
    let determinant = a * d - b * c
    guard determinant != 0, determinant.isFinite, view.isProper else { return nil }
    func bounds(_ first: Double, _ second: Double, _ limit: Int) -> Range<Int>? {
      let xs = (view.minX - tx, view.maxX - tx)
      let ys = (view.minY - ty, view.maxY - ty)
      let (x0, x1) = (first * xs.0 / determinant, first * xs.1 / determinant)
      let (y0, y1) = (second * ys.0 / determinant, second * ys.1 / determinant)
      // The tolerance keeps rounding errors from adding a pixel.
      let least = max(0, min(x0, x1) + min(y0, y1) + 1e-6)
      let most = min(Double(limit), max(x0, x1) + max(y0, y1) - 1e-6)
      guard least < most else { return nil }
      return Int(least.rounded(.down))..<Int(most.rounded(.up))
    }
    guard let columns = bounds(d, -c, image.width), let rows = bounds(-b, a, image.height)
    else { return nil }
    return ImageRect(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }
}
