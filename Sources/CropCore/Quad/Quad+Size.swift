/// Which size the straightened result of a quad has.
public enum QuadSize: Hashable, Sendable {
  /// Each side is as long as the longer of its two edges.
  case edges
  /// The ratio of the photographed sheet, corrected for perspective. If it can't be determined, the
  /// size is that of ``edges``.
  case sheet
  /// A fixed ratio, in portrait or landscape format as the photographed sheet is.
  case ratio(AspectRatio)
  /// A fixed ratio as it is, in whatever format the sheet is.
  case exactly(AspectRatio)

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
    let ratio: Double
    switch choice {
    case .edges: return size
    case .sheet:
      guard let found = sheetRatio(in: frame) else { return size }
      ratio = found
    case .ratio(let wanted): ratio = oriented(wanted, in: frame).value
    case .exactly(let wanted): ratio = wanted.value
    }
    var wanted = (width: max(width, height * ratio), height: max(height, width / ratio))
    let excess = max(wanted.width, wanted.height) / Double(RecipeError.largestOutputSide)
    if excess > 1 { wanted = (wanted.width / excess, wanted.height / excess) }
    return FrameSize(width: Self.pixels(wanted.width), height: Self.pixels(wanted.height))
  }

  /// A ratio in the format of the photographed sheet: portrait or landscape. A sheet that is seen
  /// from below may be higher than wide although its edges in the photo are not.
  ///
  /// - Parameters:
  ///   - ratio: the ratio, of either format.
  ///   - frame: the size of the frame, in pixels. The camera is assumed to point at its center.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  public func oriented(_ ratio: AspectRatio, in frame: FrameSize) -> AspectRatio {
    (ratio.width > ratio.height) == isWide(in: frame) ? ratio : ratio.swapped
  }

  /// The ratio of the paper size that the photographed sheet has within two percent, in portrait
  /// format; nil for other sheets, and if the ratio can't be determined.
  ///
  /// - Parameter frame: as in ``sheetRatio(in:)``.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  public func paperRatio(in frame: FrameSize) -> AspectRatio? {
    guard let found = sheetRatio(in: frame) else { return nil }
    let narrow = min(found, 1 / found)
    for size in [QuadSize.a4, .letter] {
      if case .ratio(let paper) = size, abs(narrow / paper.value - 1) < 0.02 { return paper }
    }
    return nil
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
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  public func sheetRatio(in frame: FrameSize) -> Double? {
    let sides = SheetSides(self, in: frame)
    let (across, down) = (sides.across, sides.down)
    guard abs(across.z) > Self.leastConvergence, abs(down.z) > Self.leastConvergence else {
      return nil
    }
    let focal = -(across.x * down.x + across.y * down.y) / (across.z * down.z)
    // The square of the focal length, in long sides of the image: from fisheye to telescope.
    guard focal > 0.04, focal < 400 else { return nil }
    let ratio = sides.ratio(focal: focal)
    return ratio > 0.01 && ratio < 100 ? ratio : nil
  }

  /// Whether the flat sheet is wider than high. If its ratio can't be determined, the focal length
  /// of a phone's camera is assumed, which is near enough to tell the format.
  private func isWide(in frame: FrameSize) -> Bool {
    (sheetRatio(in: frame) ?? SheetSides(self, in: frame).ratio(focal: Self.usualFocal)) > 1
  }

  /// The square of a phone's focal length, in long sides of the image: 26 mm for 36 mm.
  private static var usualFocal: Double { 0.52 }

  /// The smallest relative difference in depth between a sheet's corners for which its vanishing
  /// points count as finite. A smaller one is within the precision with which users place corners.
  private static var leastConvergence: Double { 0.02 }
}

/// The sides of a photographed sheet as directions from the camera; their lengths in space follow
/// from its focal length.
private struct SheetSides {
  var across: Ray
  var down: Ray

  @inline(never)  // One copy for all its callers, for the size of the page's module.
  init(_ quad: Quad, in frame: FrameSize) {
    // Points are (x, y, 1), relative to the center of the image, in units of its longer side.
    let unit = Double(max(frame.width, frame.height))
    func ray(_ point: FramePoint) -> Ray {
      Ray(
        x: (point.x - Double(frame.width) / 2) / unit,
        y: (point.y - Double(frame.height) / 2) / unit,
        z: 1)
    }
    let (m1, m2) = (ray(quad.topLeft), ray(quad.topRight))
    let (m3, m4) = (ray(quad.bottomLeft), ray(quad.bottomRight))
    let k2 = m1.cross(m4).dot(m3) / m2.cross(m4).dot(m3)
    let k3 = m1.cross(m4).dot(m2) / m3.cross(m4).dot(m2)
    across = Ray(x: k2 * m2.x - m1.x, y: k2 * m2.y - m1.y, z: k2 - 1)
    down = Ray(x: k3 * m3.x - m1.x, y: k3 * m3.y - m1.y, z: k3 - 1)
  }

  /// The width-to-height ratio for the square of a focal length.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func ratio(focal: Double) -> Double {
    func length(_ n: Ray) -> Double { (n.x * n.x + n.y * n.y) / focal + n.z * n.z }
    return (length(across) / length(down)).squareRoot()
  }
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
