// Moving corners and edges, only as far as the quad stays valid.
extension Quad {
  /// The position of a handle, in frame pixels: a corner, or the middle of an edge.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  public func point(_ handle: CropHandle) -> FramePoint {
    let index = handle.rawValue / 2
    if handle.isCorner { return self[index] }
    let (a, b) = (self[index], self[index + 1])
    return FramePoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
  }

  /// The quad with a handle moved by a vector, as far as it stays valid in the frame.
  ///
  /// A corner moves in a straight line. An edge stays parallel to itself: its ends move along the
  /// two adjacent edges, by the component of the vector across the edge.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func dragged(_ handle: CropHandle, by vector: FrameVector, in frame: FrameSize) -> Self {
    let index = handle.rawValue / 2
    if handle.isCorner {
      var target = self
      target[index] = self[index] + vector
      // A corner slides along the border.
      return last(to: target.kept(in: frame), in: frame)
    }
    let (edge, before, after) = (
      self[index + 1] - self[index], self[index] - self[index - 1],
      self[index + 1] - self[index + 2]
    )
    // Twice the area that the step spans with the edge: how far a step along each neighbor crosses
    // it.
    let across = edge.dx * vector.dy - edge.dy * vector.dx
    var target = self
    target[index] = self[index] + before * (across / (edge.dx * before.dy - edge.dy * before.dx))
    target[index + 1] =
      self[index + 1] + after * (across / (edge.dx * after.dy - edge.dy * after.dx))
    return last(to: target, in: frame)
  }

  /// The quad moved by a vector, as far as it stays inside the frame.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func moved(by vector: FrameVector, in frame: FrameSize) -> Self {
    let place = bounds.offset(by: vector).moved(inside: frame.bounds)
    let grains = FramePoint(x: place.x - bounds.x, y: place.y - bounds.y)
    let dx = (grains.x / Self.grain).rounded(.towardZero) * Self.grain
    let dy = (grains.y / Self.grain).rounded(.towardZero) * Self.grain
    return map { FramePoint(x: $0.x + dx, y: $0.y + dy) }
  }

  /// The quad with each corner moved to the nearest point of the frame.
  package func kept(in frame: FrameSize) -> Self {
    map {
      FramePoint(
        x: min(max($0.x, 0), Double(frame.width)), y: min(max($0.y, 0), Double(frame.height)))
    }
  }

  /// The last valid quad on the grid on the way to `target`, with every corner moving in a straight
  /// line. This quad must be valid.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  private func last(to target: Self, in frame: FrameSize) -> Self {
    func between(_ share: Double) -> Self {
      Self(
        topLeft: topLeft + (target.topLeft - topLeft) * share,
        topRight: topRight + (target.topRight - topRight) * share,
        bottomRight: bottomRight + (target.bottomRight - bottomRight) * share,
        bottomLeft: bottomLeft + (target.bottomLeft - bottomLeft) * share
      ).onGrid
    }
    let whole = target.onGrid
    if whole.fault(in: frame) == nil { return whole }
    var (valid, invalid) = (0.0, 1.0)
    // Bisects often enough for a fraction of the grain, even with the farthest pointer.
    for _ in 0..<60 {
      let middle = (valid + invalid) / 2
      if between(middle).fault(in: frame) == nil { valid = middle } else { invalid = middle }
    }
    return between(valid)
  }
}
