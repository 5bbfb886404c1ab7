/// Four corners on the frame that become the corners of a rectangular result.
///
///          topLeft ●───────____
///                 ╱            ‾‾‾‾● topRight
///                ╱                 │
///     bottomLeft ●─────────────────● bottomRight
///
/// Coordinates are frame pixels. A valid quad is clockwise, convex and inside the frame;
/// ``fault(in:)`` reports why a quad is invalid. The type can store any four points, so that
/// invalid ones can be shown and reported.
public struct Quad: Hashable, Sendable {
  /// The corner that becomes the result's top-left one.
  public var topLeft: FramePoint
  /// The corner that becomes the result's top-right one.
  public var topRight: FramePoint
  /// The corner that becomes the result's bottom-right one.
  public var bottomRight: FramePoint
  /// The corner that becomes the result's bottom-left one.
  public var bottomLeft: FramePoint

  /// A quad with the given corners, clockwise.
  public init(
    topLeft: FramePoint, topRight: FramePoint, bottomRight: FramePoint, bottomLeft: FramePoint
  ) {
    self.topLeft = topLeft
    self.topRight = topRight
    self.bottomRight = bottomRight
    self.bottomLeft = bottomLeft
  }

  /// The corners of a rectangle.
  public init(_ rect: FrameRect) {
    self.init(
      topLeft: FramePoint(x: rect.minX, y: rect.minY),
      topRight: FramePoint(x: rect.maxX, y: rect.minY),
      bottomRight: FramePoint(x: rect.maxX, y: rect.maxY),
      bottomLeft: FramePoint(x: rect.minX, y: rect.maxY))
  }

  /// The corner at `index`: 0 is the top left, then clockwise. Any integer is allowed; it counts
  /// modulo 4.
  public subscript(index: Int) -> FramePoint {
    @inline(never)  // One copy for all its callers, for the size of the page's module.
    get {
      switch index & 3 {
      case 0: topLeft
      case 1: topRight
      case 2: bottomRight
      default: bottomLeft
      }
    }
    set {
      switch index & 3 {
      case 0: topLeft = newValue
      case 1: topRight = newValue
      case 2: bottomRight = newValue
      default: bottomLeft = newValue
      }
    }
  }

  /// The quad with every corner replaced by the result of `change`.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  public func map(_ change: (FramePoint) -> FramePoint) -> Self {
    Self(
      topLeft: change(topLeft), topRight: change(topRight), bottomRight: change(bottomRight),
      bottomLeft: change(bottomLeft))
  }
}

extension Quad {
  /// The step of the corners' coordinates: valid ones are multiples of it. In frame pixels.
  public static var grain: Double { 1.0 / 64 }

  /// The quad with each coordinate rounded to the nearest multiple of ``grain``.
  public var onGrid: Self {
    @inline(never)  // One copy for all its callers, for the size of the page's module.
    get {
      map {
        FramePoint(
          x: ($0.x / Self.grain).rounded(.toNearestOrEven) * Self.grain + 0,
          y: ($0.y / Self.grain).rounded(.toNearestOrEven) * Self.grain + 0)
      }
    }
  }

  /// The smallest rectangle that contains the corners, in frame pixels.
  public var bounds: FrameRect {
    @inline(never)  // One copy for all its callers, for the size of the page's module.
    get {
      let left = min(min(topLeft.x, topRight.x), min(bottomLeft.x, bottomRight.x))
      let top = min(min(topLeft.y, topRight.y), min(bottomLeft.y, bottomRight.y))
      let right = max(max(topLeft.x, topRight.x), max(bottomLeft.x, bottomRight.x))
      let bottom = max(max(topLeft.y, topRight.y), max(bottomLeft.y, bottomRight.y))
      return FrameRect(x: left, y: top, width: right - left, height: bottom - top)
    }
  }

  /// The rectangle that has these corners in the same order; nil if the corners do not form one.
  public var rect: FrameRect? {
    guard topLeft.y == topRight.y, bottomLeft.y == bottomRight.y, topLeft.x == bottomLeft.x,
      topRight.x == bottomRight.x, topLeft.x < topRight.x, topLeft.y < bottomLeft.y
    else { return nil }
    return bounds
  }

  /// The length of the edge from corner `index` to the next, in frame pixels.
  func edgeLength(_ index: Int) -> Double { (self[index + 1] - self[index]).length }

  /// The quad after the frame is mirrored and turned. The corners are renamed by their new
  /// positions, so the result is mirrored and turned too.
  ///
  /// - Parameters:
  ///   - orientation: the mirror and turns that are applied to the frame.
  ///   - frame: the frame's size before that, in pixels.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  public func oriented(_ orientation: Orientation, of frame: FrameSize) -> Self {
    let map = OrientationMap<FrameSpace, FrameSpace>(orientation, of: frame)
    var moved = self.map { map($0) }
    if orientation.isMirrored {
      moved = Self(
        topLeft: moved.topRight, topRight: moved.topLeft, bottomRight: moved.bottomLeft,
        bottomLeft: moved.bottomRight)
    }
    // A quarter turn moves the bottom-left corner to the top left.
    for _ in 0..<orientation.quarterTurns {
      moved = Self(
        topLeft: moved.bottomLeft, topRight: moved.topLeft, bottomRight: moved.topRight,
        bottomLeft: moved.bottomRight)
    }
    return moved
  }
}

extension Quad {
  /// Creates a quad from eight lengths, x and y of each corner in order, each rounded to the
  /// nearest multiple of ``grain``; nil unless there are eight.
  ///
  /// - Parameters:
  ///   - lengths: pixels, or percentages of the frame's sides.
  ///   - frame: the frame's size, in pixels.
  public init?(_ lengths: [CropLength], on frame: FrameSize) {
    guard lengths.count == 8 else { return nil }
    self =
      Quad(
        coordinates: lengths.indices.map {
          lengths[$0].pixels(of: $0 % 2 == 0 ? frame.width : frame.height)
        }
      ).onGrid
  }

  /// Creates a quad from eight coordinates in pixels, x and y of each corner in order.
  init(coordinates: [Double]) {
    func corner(_ index: Int) -> FramePoint {
      FramePoint(x: coordinates[2 * index], y: coordinates[2 * index + 1])
    }
    self.init(
      topLeft: corner(0), topRight: corner(1), bottomRight: corner(2), bottomLeft: corner(3))
  }
}
