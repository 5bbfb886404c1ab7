/// Why four corners can't be straightened.
public enum QuadFault: Int, Hashable, Sendable, CaseIterable {
  /// Two corners are the same point, or all four lie on one line.
  case degenerate
  /// Two opposite edges cross.
  case selfCrossing
  /// The corners run counterclockwise, so the result would be mirrored.
  case counterclockwise
  /// A corner points inwards: the quad is concave.
  case concave
  /// An edge is shorter than ``Quad/shortestEdge``.
  case tiny
  /// At a corner, the angle between the edges is within 2° of 180°.
  case nearlyCollinear
  /// A corner is outside the image.
  case outside
  /// A coordinate is not a multiple of 1/64 pixel.
  case offGrid
  /// The recipe also has a rectangle.
  case besideRect
  /// The recipe also has a tilt.
  case underTilt
}

extension Quad {
  /// The shortest edge of a valid quad, in frame pixels.
  public static var shortestEdge: Double { 1 }

  /// The sine of 2°, the smallest angle between an edge and the extension of the adjacent one.
  ///
  /// Below it the quad is almost a triangle: moving a corner by one step of ``grain`` would move
  /// the far side of the result by whole pixels.
  private static var smallestSine: Double { 0.03489949670250097 }

  /// The first case of ``QuadFault`` that applies to the corners on any frame; nil for a quad that
  /// can be straightened. The coordinates must be finite.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  public var fault: QuadFault? {
    var (left, right) = (0, 0)
    var (isTiny, isFlat) = (false, false)
    for index in 0..<4 {
      let (a, b) = (self[index + 1] - self[index], self[index + 2] - self[index + 1])
      let cross = a.dx * b.dy - a.dy * b.dx
      let (first, second) = (a.length, b.length)
      if first == 0 || self[index] == self[index + 2] { return .degenerate }
      if cross > 0 { right += 1 }
      if cross < 0 { left += 1 }
      if first < Self.shortestEdge { isTiny = true }
      if abs(cross) < Self.smallestSine * first * second { isFlat = true }
    }
    if left + right == 0 { return .degenerate }
    if left == 2, right == 2 { return .selfCrossing }
    if right == 0 { return .counterclockwise }
    if left > 0 { return .concave }
    if isTiny { return .tiny }
    return isFlat ? .nearlyCollinear : nil
  }

  /// The first case of ``QuadFault`` that applies to the corners on a frame of the given size; nil
  /// for a valid quad.
  public func fault(in frame: FrameSize) -> QuadFault? {
    frame.bounds.contains(bounds) ? fault : .outside
  }
}
