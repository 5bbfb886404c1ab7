/// A tilted image as a region of the frame; it determines which rectangles have no blank corner.
///
///          ╱╲
///     ┌───╱──╲───┐   The frame (W × H) stays put, the picture turns about its center.
///     │  ╱┌──┐╲  │   A rectangle is inside when its four corners, turned back by the
///     │ ╱ └──┘ ╲ │   tilt, lie in [0, W] × [0, H].
///     └╱────────╲┘
public struct TiltedPicture: Hashable, Sendable {
  /// The size of the frame, in pixels.
  public let frame: FrameSize
  /// The clockwise tilt, −45° to 45°.
  public let tilt: CropAngle
  private let cosine: Double
  private let sine: Double

  /// An image on `frame`, tilted clockwise by `tilt`.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  public init(frame: FrameSize, tilt: CropAngle) {
    self.frame = frame
    self.tilt = tilt
    cosine = tilt.degrees == 0 ? 1 : tilt.cosine
    sine = tilt.degrees == 0 ? 0 : tilt.sine
  }

  /// The frame's center, about which the image turns, in frame pixels.
  public var center: FramePoint {
    FramePoint(x: Double(frame.width) / 2, y: Double(frame.height) / 2)
  }

  /// Whether at least one pixel fits without a blank corner. Under a tilt, none fits if the image
  /// is only one pixel high or wide.
  public var hasRoom: Bool { largestScale(width: 1, height: 1) >= 1 }

  /// The position of a frame point on the untilted image.
  public func turnedBack(_ point: FramePoint) -> FramePoint {
    turned(point, sine: -sine)
  }

  /// The position of a point of the untilted image after the tilt.
  public func turned(_ point: FramePoint) -> FramePoint {
    turned(point, sine: sine)
  }

  private func turned(_ point: FramePoint, sine: Double) -> FramePoint {
    if sine == 0 { return point }
    let (dx, dy) = (point.x - center.x, point.y - center.y)
    return FramePoint(
      x: center.x + dx * cosine - dy * sine, y: center.y + dx * sine + dy * cosine)
  }

  /// Half the width and height that a rectangle of the given size takes up on the untilted image.
  func halfExtent(width: Double, height: Double) -> FrameVector {
    FrameVector(
      dx: (width * cosine + height * abs(sine)) / 2,
      dy: (width * abs(sine) + height * cosine) / 2)
  }

  /// How far the outermost corner of `rect` is outside the image, in pixels; zero or less if every
  /// corner is inside.
  public func overhang(of rect: FrameRect) -> Double {
    let middle = turnedBack(rect.center)
    let half = halfExtent(width: rect.width, height: rect.height)
    return max(
      half.dx - middle.x, middle.x + half.dx - Double(frame.width),
      half.dy - middle.y, middle.y + half.dy - Double(frame.height))
  }

  /// Whether all corners of `rect` are inside the image, within `tolerance` pixels.
  public func contains(
    _ rect: FrameRect, tolerance: Double = CropRecipe.cornerTolerance
  ) -> Bool {
    overhang(of: rect) <= tolerance
  }

  /// The largest factor by which a rectangle of the given size can be scaled and still fit
  /// somewhere in the image.
  ///
  /// The image is W × H; turned back by the tilt, the rectangle takes up w·cos + h·|sin| by w·|sin|
  /// + h·cos.
  public func largestScale(width: Double, height: Double) -> Double {
    let half = halfExtent(width: width, height: height)
    return min(Double(frame.width) / (2 * half.dx), Double(frame.height) / (2 * half.dy))
  }

  /// The largest factor by which a rectangle of the given size, centered on `center`, can be scaled
  /// without a blank corner; zero if `center` is outside the image.
  public func largestScale(width: Double, height: Double, about center: FramePoint) -> Double {
    let middle = turnedBack(center)
    let half = halfExtent(width: width, height: height)
    let across = min(middle.x, Double(frame.width) - middle.x)
    let down = min(middle.y, Double(frame.height) - middle.y)
    return max(0, min(across / half.dx, down / half.dy))
  }

  /// The last rectangle without a blank corner between `start`, which has none, and `end`; position
  /// and size change linearly.
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
    // Bisects often enough for a fraction of a pixel, even with the farthest pointer.
    for _ in 0..<60 {
      let middle = (inside + outside) / 2
      if contains(between(middle)) { inside = middle } else { outside = middle }
    }
    return between(inside)
  }

  /// Moves `rect` the least distance that leaves no blank corner.
  ///
  /// The size never changes. A rectangle that is too large for the image in one direction is
  /// centered in that direction.
  ///
  /// - Parameters:
  ///   - rect: the rectangle, in frame pixels.
  ///   - margin: the least distance of every corner from the image's edges, in pixels.
  public func moved(inside rect: FrameRect, margin: Double = 0) -> FrameRect {
    let middle = turnedBack(rect.center)
    let half = halfExtent(width: rect.width, height: rect.height)
    let box = FrameRect(center: middle, width: 2 * half.dx, height: 2 * half.dy)
    let inside = box.moved(inside: frame.bounds.inset(by: margin))
    if inside == box { return rect }
    return FrameRect(center: turned(inside.center), width: rect.width, height: rect.height)
  }

  /// The largest centered rectangle of the frame's ratio without blank corners, with whole width and
  /// height.
  public var largestCentered: FrameRect {
    let (width, height) = (Double(frame.width), Double(frame.height))
    if sine == 0 { return frame.bounds }
    let scale = largestScale(width: width, height: height)
    return FrameRect(
      center: center, width: max(1, (width * scale).rounded(.down)),
      height: max(1, (height * scale).rounded(.down)))
  }
}
