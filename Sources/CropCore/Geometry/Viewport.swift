/// Maps the frame to the view: `scale` view points per frame pixel, with the frame's top-left
/// corner at `origin`.
///
/// It does not include the tilt: the frame is always upright in the view, and the image turns
/// beneath it.
public struct Viewport: Hashable, Sendable {
  /// View points per frame pixel, more than zero.
  public var scale: Double
  /// The position of the frame's top-left corner in the view.
  public var origin: ViewPoint

  /// A viewport of `scale` points per pixel, with the frame's top-left corner at `origin`.
  public init(scale: Double, origin: ViewPoint) {
    self.scale = scale
    self.origin = origin
  }

  /// The viewport that shows `rect` centered in `area`, as large as it fits.
  public init(showing rect: FrameRect, in area: ViewRect) {
    let scale = min(area.width / rect.width, area.height / rect.height)
    self.init(scale: scale, placing: rect.center, at: area.center)
  }

  /// The viewport of the given scale that shows the frame point `point` at `place`.
  public init(scale: Double, placing point: FramePoint, at place: ViewPoint) {
    self.init(
      scale: scale, origin: ViewPoint(x: place.x - point.x * scale, y: place.y - point.y * scale))
  }

  /// The position of a frame point in the view.
  public func callAsFunction(_ point: FramePoint) -> ViewPoint {
    ViewPoint(x: origin.x + point.x * scale, y: origin.y + point.y * scale)
  }

  /// The position of a frame rectangle in the view.
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

  /// The viewport zoomed by `factor` about `point`, which does not move.
  public func zoomed(by factor: Double, about point: ViewPoint) -> Self {
    Self(scale: scale * factor, placing: inverse(point), at: point)
  }

  /// The viewport with the frame moved by `vector`.
  public func panned(by vector: ViewVector) -> Self {
    Self(scale: scale, origin: origin + vector)
  }

  /// Whether another viewport shows everything at the same position, up to rounding.
  func isNear(_ other: Self) -> Bool {
    abs(scale - other.scale) <= 1e-9 * scale && (origin - other.origin).length < 1e-6
  }

  /// Interpolates between this viewport (`progress` 0) and `other` (1). The logarithm of the scale
  /// changes linearly.
  ///
  /// The point that both viewports show at the same position, if any, does not move.
  public func mixed(with other: Self, at progress: Double) -> Self {
    if progress <= 0 { return self }
    if progress >= 1 { return other }
    let ratio = other.scale / scale
    let mixedScale = scale * LibM.power(ratio, progress)
    // The origin covers the same share of its way as the scale.
    let share = abs(ratio - 1) < 1e-9 ? progress : (mixedScale - scale) / (other.scale - scale)
    return Self(
      scale: mixedScale,
      origin: ViewPoint(
        x: origin.x + (other.origin.x - origin.x) * share,
        y: origin.y + (other.origin.y - origin.y) * share))
  }
}

/// A size in view points.
public struct ViewSize: Hashable, Sendable {
  /// The width, zero or more.
  public var width: Double
  /// The height, zero or more.
  public var height: Double

  /// A size in view points.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The whole view as a rectangle.
  public var bounds: ViewRect { ViewRect(x: 0, y: 0, width: width, height: height) }
}
