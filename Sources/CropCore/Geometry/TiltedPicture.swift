/// The picture under a tilt, as a region of the frame: which rectangles have no blank corner.
///
///          ╱╲
///     ┌───╱──╲───┐   The frame (W × H) stays put, the picture turns about its centre.
///     │  ╱┌──┐╲  │   A rectangle is inside when its four corners, turned back by the
///     │ ╱ └──┘ ╲ │   tilt, lie in [0, W] × [0, H].
///     └╱────────╲┘
public struct TiltedPicture: Hashable, Sendable {
  /// The size of the frame, in pixels.
  public let frame: FrameSize
  /// The clockwise tilt, −45° to 45°.
  public let tilt: Angle
  private let cosine: Double
  private let sine: Double

  /// The picture of the given frame, tilted clockwise.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  public init(frame: FrameSize, tilt: Angle) {
    self.frame = frame
    self.tilt = tilt
    cosine = tilt.degrees == 0 ? 1 : tilt.cosine
    sine = tilt.degrees == 0 ? 0 : tilt.sine
  }

  /// The frame's centre, about which the picture turns.
  public var center: FramePoint {
    FramePoint(x: Double(frame.width) / 2, y: Double(frame.height) / 2)
  }

  /// Whether a pixel fits without a blank corner; a picture a pixel high has no room under a tilt.
  public var hasRoom: Bool { largestScale(width: 1, height: 1) >= 1 }

  /// Turns a point of the frame back onto the untilted picture.
  public func turnedBack(_ point: FramePoint) -> FramePoint {
    turned(point, sine: -sine)
  }

  /// Turns a point of the untilted picture to where the tilt shows it.
  public func turned(_ point: FramePoint) -> FramePoint {
    turned(point, sine: sine)
  }

  private func turned(_ point: FramePoint, sine: Double) -> FramePoint {
    if sine == 0 { return point }
    let (dx, dy) = (point.x - center.x, point.y - center.y)
    return FramePoint(
      x: center.x + dx * cosine - dy * sine, y: center.y + dx * sine + dy * cosine)
  }

  /// Half the width and height that a rectangle of the given size takes up on the untilted picture.
  func halfExtent(width: Double, height: Double) -> FrameVector {
    FrameVector(
      dx: (width * cosine + height * abs(sine)) / 2,
      dy: (width * abs(sine) + height * cosine) / 2)
  }

  /// How far the worst corner of `rect` lies outside the picture, in pixels; zero or less when none.
  public func overhang(of rect: FrameRect) -> Double {
    let middle = turnedBack(rect.center)
    let half = halfExtent(width: rect.width, height: rect.height)
    return max(
      half.dx - middle.x, middle.x + half.dx - Double(frame.width),
      half.dy - middle.y, middle.y + half.dy - Double(frame.height))
  }

  /// Whether no corner of `rect` lies outside the picture, to within `tolerance` pixels.
  public func contains(
    _ rect: FrameRect, tolerance: Double = CropRecipe.cornerTolerance
  ) -> Bool {
    overhang(of: rect) <= tolerance
  }

  /// The largest factor by which a rectangle of the given size can be scaled and still fit somewhere.
  ///
  /// The room is W × H; the rectangle takes up w·cos + h·|sin| by w·|sin| + h·cos of it.
  public func largestScale(width: Double, height: Double) -> Double {
    let half = halfExtent(width: width, height: height)
    return min(Double(frame.width) / (2 * half.dx), Double(frame.height) / (2 * half.dy))
  }

  /// The largest factor by which a rectangle of the given size can be scaled about `center` and still
  /// have no blank corner; zero when the centre lies outside the picture.
  public func largestScale(width: Double, height: Double, about center: FramePoint) -> Double {
    let middle = turnedBack(center)
    let half = halfExtent(width: width, height: height)
    let across = min(middle.x, Double(frame.width) - middle.x)
    let down = min(middle.y, Double(frame.height) - middle.y)
    return max(0, min(across / half.dx, down / half.dy))
  }

  /// The last rectangle without a blank corner on the way from `start`, which has none, to `end`: place
  /// and size change evenly.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func last(from start: FrameRect, to end: FrameRect) -> FrameRect {
    if contains(end) { return end }
    func between(_ share: Double) -> FrameRect {
      FrameRect(
        x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share,
        width: start.width + (end.width - start.width) * share,
        height: start.height + (end.height - start.height) * share)
    }
    var (inside, outside) = (0.0, 1.0)
    // So often that the farthest pointer is brought back to a fraction of a pixel.
    for _ in 0..<60 {
      let middle = (inside + outside) / 2
      if contains(between(middle)) { inside = middle } else { outside = middle }
    }
    return between(inside)
  }

  /// Moves `rect` the least distance that leaves no blank corner.
  ///
  /// The size never changes; a rectangle too large for the picture is centred on it in the direction
  /// in which it does not fit.
  ///
  /// - Parameters:
  ///   - rect: the rectangle, in frame pixels.
  ///   - margin: how far, in pixels, every corner should stay from the picture's edges.
  public func moved(inside rect: FrameRect, margin: Double = 0) -> FrameRect {
    let middle = turnedBack(rect.center)
    let half = halfExtent(width: rect.width, height: rect.height)
    let box = FrameRect(center: middle, width: 2 * half.dx, height: 2 * half.dy)
    let inside = box.moved(inside: frame.bounds.inset(by: margin))
    if inside == box { return rect }
    return FrameRect(center: turned(inside.center), width: rect.width, height: rect.height)
  }

  /// The largest rectangle of the frame's ratio about the centre, in whole pixels a side.
  public var largestCentered: FrameRect {
    let (width, height) = (Double(frame.width), Double(frame.height))
    if sine == 0 { return frame.bounds }
    let scale = largestScale(width: width, height: height)
    return FrameRect(
      center: center, width: max(1, (width * scale).rounded(.down)),
      height: max(1, (height * scale).rounded(.down)))
  }
}
