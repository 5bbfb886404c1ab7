/// Where the frame lies in the view: `scale` points a pixel, its top-left corner at `origin`.
///
/// A tilt is not part of it: the frame is always upright in the view, the picture turns beneath it.
public struct Viewport: Hashable, Sendable {
  /// View points per frame pixel, more than zero.
  public var scale: Double
  /// The place of the frame's top-left corner.
  public var origin: ViewPoint

  /// A frame shown at `scale` points a pixel with its corner at `origin`.
  public init(scale: Double, origin: ViewPoint) {
    self.scale = scale
    self.origin = origin
  }

  /// The viewport that shows `rect` as large as fits into `area`, centred in it.
  public init(showing rect: FrameRect, in area: ViewRect) {
    let scale = min(area.width / rect.width, area.height / rect.height)
    self.init(scale: scale, placing: rect.center, at: area.center)
  }

  /// The viewport of the given scale that shows the frame's `point` at `place`.
  public init(scale: Double, placing point: FramePoint, at place: ViewPoint) {
    self.init(
      scale: scale, origin: ViewPoint(x: place.x - point.x * scale, y: place.y - point.y * scale))
  }

  /// Where a frame point lies in the view.
  public func callAsFunction(_ point: FramePoint) -> ViewPoint {
    ViewPoint(x: origin.x + point.x * scale, y: origin.y + point.y * scale)
  }

  /// Where a frame rectangle lies in the view.
  public func callAsFunction(_ rect: FrameRect) -> ViewRect {
    ViewRect(
      x: origin.x + rect.x * scale, y: origin.y + rect.y * scale, width: rect.width * scale,
      height: rect.height * scale)
  }

  /// The frame point shown at a view point.
  public func inverse(_ point: ViewPoint) -> FramePoint {
    FramePoint(x: (point.x - origin.x) / scale, y: (point.y - origin.y) / scale)
  }

  /// The part of the frame shown in a view rectangle.
  public func inverse(_ rect: ViewRect) -> FrameRect {
    FrameRect(
      x: (rect.x - origin.x) / scale, y: (rect.y - origin.y) / scale, width: rect.width / scale,
      height: rect.height / scale)
  }

  /// The viewport zoomed by `factor`, with what lies at `point` staying there.
  public func zoomed(by factor: Double, about point: ViewPoint) -> Self {
    Self(scale: scale * factor, placing: inverse(point), at: point)
  }

  /// The viewport with the frame moved by `vector`.
  public func panned(by vector: ViewVector) -> Self {
    Self(scale: scale, origin: origin + vector)
  }

  /// Whether another viewport shows everything at the same place but for rounding.
  func isNear(_ other: Self) -> Bool {
    abs(scale - other.scale) <= 1e-9 * scale && (origin - other.origin).length < 1e-6
  }

  /// A viewport between this one (0) and `other` (1), the zoom running evenly in its logarithm.
  ///
  /// The point that both show at the same place, if there is one, stays there all the way.
  public func mixed(with other: Self, at progress: Double) -> Self {
    if progress <= 0 { return self }
    if progress >= 1 { return other }
    let ratio = other.scale / scale
    let mixedScale = scale * LibM.power(ratio, progress)
    // The share of the way that the scale has gone is the share that the origin goes.
    let share = abs(ratio - 1) < 1e-9 ? progress : (mixedScale - scale) / (other.scale - scale)
    return Self(
      scale: mixedScale,
      origin: ViewPoint(
        x: origin.x + (other.origin.x - origin.x) * share,
        y: origin.y + (other.origin.y - origin.y) * share))
  }
}
