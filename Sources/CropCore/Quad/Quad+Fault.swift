/// Why four corners can't be straightened.
public enum QuadFault: Int, Hashable, Sendable, CaseIterable {
  /// Two corners are the same point, or all lie on one line.
  case degenerate
  /// Two opposite edges cross.
  case selfCrossing
  /// The corners go counterclockwise: the result would be mirrored.
  case counterclockwise
  /// A corner points inwards.
  case concave
  /// An edge is shorter than ``Quad/shortestEdge``.
  case tiny
  /// At a corner the edges are within ``Quad/smallestAngle`` of one line.
  case nearlyCollinear
  /// A corner lies outside the picture.
  case outside
  /// A coordinate is no multiple of 1/64 pixel.
  case offGrid
  /// There is a rectangle too.
  case besideRect
  /// There is a tilt too.
  case underTilt
}

extension Quad {
  /// The shortest edge of a valid quad, in frame pixels.
  public static var shortestEdge: Double { 1 }

  /// The least angle between an edge and the line of the next.
  ///
  /// Nearer to a triangle, a step of a corner by the grain would move the far side of the result by pixels.
  public static var smallestAngle: Angle { Angle(degrees: 2) }

  /// The sine of ``smallestAngle``.
  private static var smallestSine: Double { 0.03489949670250097 }

  /// What is wrong with the corners themselves: the first of ``QuadFault``'s cases that applies; nil for
  /// a quad that can be straightened. The coordinates are finite.
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

  /// What is wrong with the corners on a frame of the given size; nil for a valid quad.
  public func fault(in frame: FrameSize) -> QuadFault? {
    frame.bounds.contains(bounds) ? fault : .outside
  }
}
