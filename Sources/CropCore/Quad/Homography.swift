/// A projective map between two planes; straight lines stay straight.
///
///     x' = (a·x + b·y + c) / (g·x + h·y + i)
///     y' = (d·x + e·y + f) / (g·x + h·y + i)
public struct Homography<From, To>: Hashable, Sendable {
  /// The factors of x and y, and the constant, in the numerator of x'.
  public var a: Double, b: Double, c: Double
  /// The factors of x and y, and the constant, in the numerator of y'.
  public var d: Double, e: Double, f: Double
  /// The factors of x and y, and the constant, in the denominator.
  public var g: Double, h: Double, i: Double

  /// The map with the given coefficients.
  public init(
    a: Double, b: Double, c: Double, d: Double, e: Double, f: Double, g: Double, h: Double,
    i: Double
  ) {
    (self.a, self.b, self.c) = (a, b, c)
    (self.d, self.e, self.f) = (d, e, f)
    (self.g, self.h, self.i) = (g, h, i)
  }

  /// The position of `point` after the map; not finite for points that the map takes to infinity.
  public func callAsFunction(_ point: CropPoint<From>) -> CropPoint<To> {
    let w = g * point.x + h * point.y + i
    return CropPoint(
      x: (a * point.x + b * point.y + c) / w, y: (d * point.x + e * point.y + f) / w)
  }

  /// The inverse map: the adjugate matrix, scaled so that its last coefficient is 1 if possible.
  public var inverse: Homography<To, From> {
    let back = Homography<To, From>(
      a: e * i - f * h, b: c * h - b * i, c: b * f - c * e,
      d: f * g - d * i, e: a * i - c * g, f: c * d - a * f,
      g: d * h - e * g, h: b * g - a * h, i: a * e - b * d)
    return back.i == 0 ? back : back.scaled(by: 1 / back.i)
  }

  /// The same map with every coefficient multiplied by `factor`.
  private func scaled(by factor: Double) -> Self {
    Self(
      a: a * factor, b: b * factor, c: c * factor, d: d * factor, e: e * factor, f: f * factor,
      g: g * factor, h: h * factor, i: i * factor)
  }
}

extension Homography {
  /// The map that takes the corners of a rectangle of the given size at the origin to four points, clockwise from
  /// the top left.
  ///
  /// The closed form for a unit square is that of Paul S. Heckbert, "Fundamentals of Texture Mapping and
  /// Image Warping", 1989, section 2.2.3.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  init(
    from size: PixelSize<From>, to p0: CropPoint<To>, _ p1: CropPoint<To>, _ p2: CropPoint<To>,
    _ p3: CropPoint<To>
  ) {
    let (u, v) = (p1 - p2, p3 - p2)
    // Exactly zero for a parallelogram on the grid: the map is then affine.
    let s = (p0 - p1) + (p2 - p3)
    let area = u.dx * v.dy - u.dy * v.dx
    let g = (s.dx * v.dy - s.dy * v.dx) / area
    let h = (u.dx * s.dy - u.dy * s.dx) / area
    let (width, height) = (Double(size.width), Double(size.height))
    self.init(
      a: (p1.x - p0.x + g * p1.x) / width, b: (p3.x - p0.x + h * p3.x) / height, c: p0.x,
      d: (p1.y - p0.y + g * p1.y) / width, e: (p3.y - p0.y + h * p3.y) / height, f: p0.y,
      g: g / width, h: h / height, i: 1)
  }
}

extension Homography where To == FrameSpace {
  /// The map that takes a rectangle of the given size, with its top-left corner at the origin, to a
  /// quad, corner to corner.
  public init(from size: PixelSize<From>, to quad: Quad) {
    self.init(
      from: size, to: quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft)
  }
}
