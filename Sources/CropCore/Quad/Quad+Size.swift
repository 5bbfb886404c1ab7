/// Which size the straightened result of a quad has.
public enum QuadSize: Hashable, Sendable {
  /// Each side is as long as the longer of its two edges.
  case edges
  /// The ratio of the photographed sheet, corrected for perspective. If it can't be determined, the
  /// size is that of ``edges``.
  case sheet
  /// A fixed ratio, in portrait or landscape format as the quad is.
  case ratio(AspectRatio)

  /// DIN A4, and all other sizes of the ISO 216 A series: 210 × 297 mm.
  public static var a4: Self { AspectRatio(210, 297).map(Self.ratio) ?? .edges }
  /// US letter: 8.5 × 11 inches.
  public static var letter: Self { AspectRatio(17, 22).map(Self.ratio) ?? .edges }
}

extension Quad {
  /// The default size of the straightened result, in pixels: each side is as long as the longer of
  /// its two edges, at least 1.
  public var size: FrameSize {
    @inline(never)  // One copy for all its callers, for the size of the page's module.
    get {
      FrameSize(
        width: Self.pixels(max(edgeLength(0), edgeLength(2))),
        height: Self.pixels(max(edgeLength(1), edgeLength(3))))
    }
  }

  /// The size of the straightened result, in pixels, at most `RecipeError.largestOutputSide` a
  /// side. No side is shorter than its edges, so that no detail is lost, unless that limit requires
  /// it.
  ///
  /// - Parameters:
  ///   - choice: how to determine the ratio.
  ///   - frame: the size of the frame, in pixels. The camera is assumed to point at its center.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  public func size(_ choice: QuadSize, in frame: FrameSize) -> FrameSize {
    let size = size
    let (width, height) = (Double(size.width), Double(size.height))
    var ratio: Double
    switch choice {
    case .edges: return size
    case .sheet:
      guard let found = sheetRatio(in: frame) else { return size }
      ratio = found
    case .ratio(let wanted):
      ratio = wanted.value
      if (ratio > 1) != (width > height) { ratio = 1 / ratio }
    }
    var wanted = (width: max(width, height * ratio), height: max(height, width / ratio))
    let excess = max(wanted.width, wanted.height) / Double(RecipeError.largestOutputSide)
    if excess > 1 { wanted = (wanted.width / excess, wanted.height / excess) }
    return FrameSize(width: Self.pixels(wanted.width), height: Self.pixels(wanted.height))
  }

  private static func pixels(_ length: Double) -> Int {
    // No valid quad is nearly as large; `Int` has 32 bits in WebAssembly.
    max(1, Int(min(length, 1e9).rounded(.toNearestOrAwayFromZero)))
  }

  /// The width-to-height ratio of the flat sheet in the photograph; nil if opposite edges are too
  /// close to parallel to determine it, or if no camera could produce the quad.
  ///
  /// The formula is from Zhengyou Zhang and Li-wei He, "Whiteboard Scanning and Image Enhancement",
  /// MSR-TR-2003-39, 2003, section 3.2. It assumes square pixels and a camera that points at the
  /// frame's center.
  ///
  /// - Parameter frame: the size of the frame, in pixels.
  public func sheetRatio(in frame: FrameSize) -> Double? {
    // Points are (x, y, 1), relative to the center of the image, in units of its longer side.
    let unit = Double(max(frame.width, frame.height))
    func ray(_ point: FramePoint) -> Ray {
      Ray(
        x: (point.x - Double(frame.width) / 2) / unit,
        y: (point.y - Double(frame.height) / 2) / unit,
        z: 1)
    }
    let (m1, m2, m3, m4) = (ray(topLeft), ray(topRight), ray(bottomLeft), ray(bottomRight))
    let k2 = m1.cross(m4).dot(m3) / m2.cross(m4).dot(m3)
    let k3 = m1.cross(m4).dot(m2) / m3.cross(m4).dot(m2)
    let n2 = Ray(x: k2 * m2.x - m1.x, y: k2 * m2.y - m1.y, z: k2 - 1)
    let n3 = Ray(x: k3 * m3.x - m1.x, y: k3 * m3.y - m1.y, z: k3 - 1)
    guard abs(n2.z) > Self.leastConvergence, abs(n3.z) > Self.leastConvergence else { return nil }
    let focal = -(n2.x * n3.x + n2.y * n3.y) / (n2.z * n3.z)
    // The square of the focal length, in long sides of the image: from fisheye to telescope.
    guard focal > 0.04, focal < 400 else { return nil }
    func length(_ n: Ray) -> Double { (n.x * n.x + n.y * n.y) / focal + n.z * n.z }
    let ratio = (length(n2) / length(n3)).squareRoot()
    return ratio > 0.01 && ratio < 100 ? ratio : nil
  }

  /// The smallest relative difference in depth between a sheet's corners for which its vanishing
  /// points count as finite. A smaller one is within the precision with which users place corners.
  private static var leastConvergence: Double { 0.02 }
}

/// A direction from the camera.
private struct Ray {
  var x: Double
  var y: Double
  var z: Double

  func cross(_ other: Self) -> Self {
    Self(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }
}
