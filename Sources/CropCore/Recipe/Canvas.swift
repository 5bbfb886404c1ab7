/// A canvas around a result: a larger picture in which the whole crop lies.
///
///     ┌────────────────┐
///     │     margin     │   The canvas has a ratio or a size of its own, or is just as large as the
///     │ ┌────────────┐ │   crop and the margin. The crop is made smaller where a size asks for it,
///     │ │    crop    │ │   never larger.
///     │ └────────────┘ │
///     │                │
///     └────────────────┘
public struct Canvas: Hashable, Sendable {
  /// What decides how large a canvas is.
  public enum Extent: Hashable, Sendable {
    /// The crop and the margin.
    case crop
    /// The smallest canvas of this ratio that holds the crop and the margin.
    case ratio(AspectRatio)
    /// This many pixels; each side at least 1.
    case size(FrameSize)
  }

  /// What decides how large the canvas is.
  public var extent: Extent
  /// What stays free on every side of the crop: pixels of the result, or a percentage of the canvas's
  /// shorter side, 0 up to but not including 50.
  public var margin: CropLength
  /// Where the crop lies in the room inside the margin.
  public var gravity: Gravity

  /// A canvas.
  public init(
    extent: Extent, margin: CropLength = .pixels(0), gravity: Gravity = .center
  ) {
    self.extent = extent
    self.margin = margin
    self.gravity = gravity
  }
}

/// Where a crop lies on its canvas, in pixels of the result.
public struct CanvasLayout: Hashable, Sendable {
  /// The canvas's size.
  public let size: FrameSize
  /// The part of the canvas that the crop fills.
  public let crop: PixelRect<FrameSpace>

  /// A layout in which `crop` lies inside `size`.
  public init(size: FrameSize, crop: PixelRect<FrameSpace>) {
    self.size = size
    self.crop = crop
  }
}

extension Canvas {
  /// The largest side that a canvas may have, in pixels: as for the output of a recipe.
  public static var largestSide: Int { RecipeError.largestOutputSide }

  /// Lays a crop of `crop` pixels on the canvas.
  ///
  /// A ratio whose terms are both at most 64 is met exactly, others to the nearest pixel outward. A
  /// crop that is larger than the room inside the margin is scaled down to fit it; the layout of the crop
  /// of that smaller size is the same. Of a room with an odd number of pixels the greater half is on the right
  /// and at the bottom.
  ///
  /// Nil if `crop` is empty, the margin is not finite, is negative or leaves no room, or a side would be
  /// greater than ``largestSide``.
  public func layout(of crop: FrameSize) -> CanvasLayout? {
    guard !crop.isEmpty, let canvas = size(around: crop) else { return nil }
    let margin = margin(of: canvas, around: crop)
    let room = FrameSize(width: canvas.width - 2 * margin, height: canvas.height - 2 * margin)
    guard room.width >= 1, room.height >= 1 else { return nil }
    let inner = crop.fitted(into: room)
    let shares = gravity.shares
    let left = Double(room.width - inner.width) * shares.left
    let above = Double(room.height - inner.height) * shares.above
    return CanvasLayout(
      size: canvas,
      crop: PixelRect(
        x: margin + Int(left.rounded(.down)), y: margin + Int(above.rounded(.down)),
        width: inner.width, height: inner.height))
  }

  /// The size of the canvas around a crop; nil if there is none.
  private func size(around crop: FrameSize) -> FrameSize? {
    let (width, height) = (Double(crop.width), Double(crop.height))
    let size: (width: Double, height: Double)
    switch (extent, margin) {
    case (.size(let given), _):
      size = (Double(given.width), Double(given.height))
    case (_, .pixels(let count)):
      // The margin is whole pixels in the layout; the canvas must hold these.
      let margin = count.rounded(.toNearestOrAwayFromZero)
      size = grown(width + 2 * margin, height + 2 * margin)
    case (.crop, .percent(let share)):
      // The margin m is a share p of the shorter side: m = p (s + 2 m), so s + 2 m = s / (1 - 2 p).
      let shorter = Swift.min(width, height)
      let margin = (shorter * share / (100 - 2 * share)).rounded(.toNearestOrAwayFromZero)
      size = (width + 2 * margin, height + 2 * margin)
    case (.ratio(let ratio), .percent(let share)):
      // Of a canvas w × h whose shorter side is s, w - 2 p s and h - 2 p s have to hold the crop.
      let p = share / 100
      let (w, h) = (Double(ratio.width), Double(ratio.height))
      let s = Swift.min(w, h)
      let scale = Swift.max(width / (w - 2 * p * s), height / (h - 2 * p * s))
      size = grown(w * scale, h * scale)
    }
    guard (0..<50).contains(share), size.width.isFinite, size.height.isFinite, size.width >= 1,
      size.height >= 1, Swift.max(size.width, size.height) <= Double(Self.largestSide)
    else { return nil }
    return FrameSize(width: Int(size.width), height: Int(size.height))
  }

  /// The margin as a percentage where it is one; otherwise 0, or -1 for one that can't be.
  private var share: Double {
    switch margin {
    case .percent(let share): share
    case .pixels(let count): count >= 0 && count.isFinite ? 0 : -1
    }
  }

  /// The margin on a canvas, in whole pixels.
  private func margin(of canvas: FrameSize, around crop: FrameSize) -> Int {
    let shorter = Swift.min(canvas.width, canvas.height)
    // More than the canvas has leaves no room, however much more it is.
    let length = Swift.min(margin.pixels(of: shorter), Double(shorter))
    let whole = Int(length.rounded(.toNearestOrAwayFromZero))
    if case .size = extent { return whole }
    // The canvas grew around the crop: rounding must not scale it down by a pixel.
    return Swift.min(whole, (canvas.width - crop.width) / 2, (canvas.height - crop.height) / 2)
  }

  /// The least size of the ratio, if there is one, that is no smaller than this.
  private func grown(_ width: Double, _ height: Double) -> (width: Double, height: Double) {
    guard case .ratio(let ratio) = extent else { return (width, height) }
    let (w, h) = (Double(ratio.width), Double(ratio.height))
    // One part in 10¹² keeps a side that is an exact multiple from gaining a step by rounding.
    let scale = Swift.max(width / w, height / h) * (1 - 1e-12)
    if ratio.isExact {
      let steps = scale.rounded(.up)
      return (w * steps, h * steps)
    }
    return ((w * scale).rounded(.up), (h * scale).rounded(.up))
  }
}

extension FrameSize {
  /// The size that fits into `room` with the same ratio to the nearest pixel; itself where it fits.
  fileprivate func fitted(into room: FrameSize) -> FrameSize {
    guard width > room.width || height > room.height else { return self }
    let scale = Swift.min(
      Double(room.width) / Double(width), Double(room.height) / Double(height))
    func side(_ length: Int, _ most: Int) -> Int {
      Swift.min(most, Swift.max(1, Int((Double(length) * scale).rounded(.toNearestOrAwayFromZero))))
    }
    return FrameSize(width: side(width, room.width), height: side(height, room.height))
  }
}
