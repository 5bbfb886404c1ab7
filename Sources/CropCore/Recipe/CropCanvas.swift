/// A canvas around a result: a larger image that contains the complete crop.
///
///     ┌────────────────┐
///     │     margin     │   The canvas has a given ratio or size, or the size of the crop plus the margin.
///     │ ┌────────────┐ │   The crop is scaled down if the canvas size requires it, never up.
///     │ │    crop    │ │
///     │ └────────────┘ │
///     │                │
///     └────────────────┘
public struct CropCanvas: Hashable, Sendable {
  /// What determines the size of a canvas.
  public enum Extent: Hashable, Sendable {
    /// The size of the crop plus the margin.
    case crop
    /// The smallest canvas of this ratio that contains the crop and the margin.
    case ratio(AspectRatio)
    /// Exactly this many pixels; each side at least 1.
    case size(FrameSize)
  }

  /// What determines the size of the canvas.
  public var extent: Extent
  /// What stays free on every side of the crop: pixels of the result, or a percentage of the canvas's
  /// shorter side, 0 up to but not including 50.
  public var margin: CropLength
  /// Where the crop lies in the area inside the margin.
  public var gravity: Gravity

  /// A canvas with the given size, margin and position of the crop.
  public init(
    extent: Extent, margin: CropLength = .pixels(0), gravity: Gravity = .center
  ) {
    self.extent = extent
    self.margin = margin
    self.gravity = gravity
  }
}

/// The position of a crop on its canvas, in pixels of the result.
public struct CanvasLayout: Hashable, Sendable {
  /// The size of the canvas.
  public let size: FrameSize
  /// The part of the canvas that the crop fills.
  public let crop: PixelRect<FrameSpace>

  /// A layout with `crop` inside `size`.
  public init(size: FrameSize, crop: PixelRect<FrameSpace>) {
    self.size = size
    self.crop = crop
  }
}

extension CropCanvas {
  /// The longest side that a canvas may have, in pixels: the same as for a recipe's output.
  public static var largestSide: Int { RecipeError.largestOutputSide }

  /// Computes where a crop of `crop` pixels lies on the canvas.
  ///
  /// A ratio whose terms are both at most 64 is met exactly; for others, the canvas is rounded up
  /// to the nearest pixel. A crop that is larger than the area inside the margin is scaled down to
  /// fit it; a crop that already has the smaller size gets the same layout. If the free space has
  /// an odd number of pixels, the larger half is at the right and bottom.
  ///
  /// Nil if `crop` is empty; if the margin is not finite, is negative or leaves no space; or if a
  /// side would be longer than ``largestSide``.
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

  /// The size of the canvas around a crop; nil if it is invalid.
  private func size(around crop: FrameSize) -> FrameSize? {
    let (width, height) = (Double(crop.width), Double(crop.height))
    let size: (width: Double, height: Double)
    switch (extent, margin) {
    case (.size(let given), _):
      size = (Double(given.width), Double(given.height))
    case (_, .pixels(let count)):
      // The layout's margin is in whole pixels; the canvas must have space for them.
      let margin = count.rounded(.toNearestOrAwayFromZero)
      size = grown(width + 2 * margin, height + 2 * margin)
    case (.crop, .percent(let share)):
      // The margin m is a share p of the canvas' shorter side: m = p (s + 2 m), so s + 2 m = s / (1
      // - 2 p).
      let shorter = Swift.min(width, height)
      let margin = (shorter * share / (100 - 2 * share)).rounded(.toNearestOrAwayFromZero)
      size = (width + 2 * margin, height + 2 * margin)
    case (.ratio(let ratio), .percent(let share)):
      // If s is the shorter side of a canvas w × h, the crop must fit into w - 2 p s by h - 2 p s.
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

  /// The margin as a share, if it is a percentage; 0 for pixels, -1 for an invalid margin.
  private var share: Double {
    switch margin {
    case .percent(let share): share
    case .pixels(let count): count >= 0 && count.isFinite ? 0 : -1
    }
  }

  /// The margin on a canvas, rounded to whole pixels.
  private func margin(of canvas: FrameSize, around crop: FrameSize) -> Int {
    let shorter = Swift.min(canvas.width, canvas.height)
    // A margin larger than the canvas leaves no space, however large it is.
    let length = Swift.min(margin.pixels(of: shorter), Double(shorter))
    let whole = Int(length.rounded(.toNearestOrAwayFromZero))
    if case .size = extent { return whole }
    // The canvas grew around the crop: rounding must not scale it down by a pixel.
    return Swift.min(whole, (canvas.width - crop.width) / 2, (canvas.height - crop.height) / 2)
  }

  /// The smallest size of the requested ratio that is at least this large; the size itself without
  /// a ratio.
  private func grown(_ width: Double, _ height: Double) -> (width: Double, height: Double) {
    guard case .ratio(let ratio) = extent else { return (width, height) }
    let (w, h) = (Double(ratio.width), Double(ratio.height))
    // Reduced by one part in 10¹², so that rounding does not add a step to a side that is an exact
    // multiple.
    let scale = Swift.max(width / w, height / h) * (1 - 1e-12)
    if ratio.isExact {
      let steps = scale.rounded(.up)
      return (w * steps, h * steps)
    }
    return ((w * scale).rounded(.up), (h * scale).rounded(.up))
  }
}

extension FrameSize {
  /// The size that fits into `room` with the same ratio, to the nearest pixel; unchanged if it
  /// already fits.
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
