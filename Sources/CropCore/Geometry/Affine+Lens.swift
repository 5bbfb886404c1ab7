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
