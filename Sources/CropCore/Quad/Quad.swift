/// Four corners on the upright, turned picture that become the corners of a rectangular result.
///
///          topLeft ●───────____
///                 ╱            ‾‾‾‾● topRight
///                ╱                 │
///     bottomLeft ●─────────────────● bottomRight
///
/// Coordinates are frame pixels. A valid quad goes clockwise, is convex and lies inside the frame;
/// ``fault(in:)`` names what is wrong with another one. The type itself holds any four points, so that
/// a wrong one can be shown and reported.
public struct Quad: Hashable, Sendable {
  /// The corner that becomes the result's top-left one.
  public var topLeft: FramePoint
  /// The corner that becomes the result's top-right one.
  public var topRight: FramePoint
  /// The corner that becomes the result's bottom-right one.
  public var bottomRight: FramePoint
  /// The corner that becomes the result's bottom-left one.
  public var bottomLeft: FramePoint

  /// A quad from its corners, clockwise.
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

  /// The corner of an index: 0 top left, then clockwise; any integer, modulo 4.
  public subscript(index: Int) -> FramePoint {
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

  /// The quad with every corner changed.
  public func map(_ change: (FramePoint) -> FramePoint) -> Self {
    Self(
      topLeft: change(topLeft), topRight: change(topRight), bottomRight: change(bottomRight),
      bottomLeft: change(bottomLeft))
  }
}

extension Quad {
  /// The grain of the corners' coordinates, in frame pixels.
  public static var grain: Double { 1.0 / 64 }

  /// The quad with each corner at the nearest point of the grid of ``grain``.
  public var onGrid: Self {
    map {
      FramePoint(
        x: ($0.x / Self.grain).rounded(.toNearestOrEven) * Self.grain + 0,
        y: ($0.y / Self.grain).rounded(.toNearestOrEven) * Self.grain + 0)
    }
  }

  /// The smallest rectangle that holds the corners, in frame pixels.
  public var bounds: FrameRect {
    let left = min(min(topLeft.x, topRight.x), min(bottomLeft.x, bottomRight.x))
    let top = min(min(topLeft.y, topRight.y), min(bottomLeft.y, bottomRight.y))
    let right = max(max(topLeft.x, topRight.x), max(bottomLeft.x, bottomRight.x))
    let bottom = max(max(topLeft.y, topRight.y), max(bottomLeft.y, bottomRight.y))
    return FrameRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The rectangle whose corners these are, in order; nil for any other quad.
  public var rect: FrameRect? {
    guard topLeft.y == topRight.y, bottomLeft.y == bottomRight.y, topLeft.x == bottomLeft.x,
      topRight.x == bottomRight.x, topLeft.x < topRight.x, topLeft.y < bottomLeft.y
    else { return nil }
    return bounds
  }

  /// The length of the edge from a corner to the next, in frame pixels.
  func edgeLength(_ index: Int) -> Double { (self[index + 1] - self[index]).length }

  /// The quad on a frame that is mirrored and turned once more, its corners named by where they come to
  /// lie: the result is mirrored and turned along.
  ///
  /// - Parameters:
  ///   - orientation: what is done to the frame.
  ///   - frame: the frame's size before.
  public func oriented(_ orientation: Orientation, of frame: FrameSize) -> Self {
    let map = OrientationMap<FrameSpace, FrameSpace>(orientation, of: frame)
    var moved = self.map { map($0) }
    if orientation.isMirrored {
      moved = Self(
        topLeft: moved.topRight, topRight: moved.topLeft, bottomRight: moved.bottomLeft,
        bottomLeft: moved.bottomRight)
    }
    // A quarter turn brings the bottom-left corner to the top left.
    for _ in 0..<orientation.quarterTurns {
      moved = Self(
        topLeft: moved.bottomLeft, topRight: moved.topLeft, bottomRight: moved.topRight,
        bottomLeft: moved.bottomRight)
    }
    return moved
  }
}

extension Quad {
  /// The quad of eight lengths, x and y of each corner in turn, at the nearest points of the grid; nil for
  /// another number of them.
  ///
  /// - Parameters:
  ///   - lengths: pixels, or per cent of the frame's sides.
  ///   - frame: the frame's size.
  public init?(_ lengths: [CropLength], on frame: FrameSize) {
    guard lengths.count == 8 else { return nil }
    func corner(_ index: Int) -> FramePoint {
      FramePoint(
        x: lengths[2 * index].pixels(of: frame.width),
        y: lengths[2 * index + 1].pixels(of: frame.height))
    }
    self =
      Quad(
        topLeft: corner(0), topRight: corner(1), bottomRight: corner(2), bottomLeft: corner(3)
      ).onGrid
  }
}
