extension Affine {
  /// The same map seen through a lens: `magnification` times as large, with `focus` at `center`.
  public func magnified(
    by magnification: Double, showing focus: Point<From>, at center: Point<To>
  ) -> Self {
    let seen = self(focus)
    return Self(
      a: a * magnification, b: b * magnification, c: c * magnification, d: d * magnification,
      tx: center.x + (tx - seen.x) * magnification, ty: center.y + (ty - seen.y) * magnification)
  }

  /// How long a step of one along the first axis becomes.
  public var scale: Double { (a * a + b * b).squareRoot() }
}

extension Affine where From == ImageSpace, To == ViewSpace {
  /// The pixels of a picture that a rectangle of the view shows.
  ///
  /// - Parameters:
  ///   - image: the picture's size.
  ///   - view: a part of the view, in its points.
  /// - Returns: all pixels of which something lies in the rectangle, and under a tilt those of the box
  ///   around them; nil where there are none.
  public func part(of image: ImageSize, shownIn view: ViewRect) -> ImageRect? {
    let determinant = a * d - b * c
    guard determinant != 0, determinant.isFinite, view.isProper else { return nil }
    func bounds(_ first: Double, _ second: Double, _ limit: Int) -> Range<Int>? {
      let xs = (view.minX - tx, view.maxX - tx)
      let ys = (view.minY - ty, view.maxY - ty)
      let (x0, x1) = (first * xs.0 / determinant, first * xs.1 / determinant)
      let (y0, y1) = (second * ys.0 / determinant, second * ys.1 / determinant)
      // A pixel is not shown for a rounding error's sake.
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
