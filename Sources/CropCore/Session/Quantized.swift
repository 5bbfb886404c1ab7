/// The point of a rectangle that stays fixed when its size changes, as fractions of its sides.
public struct CropAnchor: Hashable, Sendable {
  /// The horizontal position: 0 for the left edge, 0.5 for the middle, 1 for the right edge.
  public var x: Double
  /// The vertical position: 0 for the top edge, 0.5 for the middle, 1 for the bottom edge.
  public var y: Double

  /// An anchor at the given fractions, each 0, 0.5 or 1.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The center.
  public static var center: Self { Self(x: 0.5, y: 0.5) }

  /// Whether an edge is fixed, so that a rectangle without enough space shrinks before it slides.
  var isPinned: Bool { x != 0.5 || y != 0.5 }
}

/// A requirement on a selection, in order of precedence: an earlier rule wins over a later one.
public enum SelectionRule: Int, Hashable, Sendable {
  /// The selection is inside the image. Never violated.
  case bounds = 1
  /// The selection is not larger than the maximum size.
  case maximum = 2
  /// The selection is not smaller than the minimum size.
  case minimum = 3
  /// The selection has the requested ratio.
  case ratio = 4
  /// The selection contains everything that was visible inside the drawn frame.
  case content = 5
}

/// The rules that turn a drawn rectangle into a selection of whole pixels.
public struct SelectionRules: Hashable, Sendable {
  /// The image with its tilt, which the selection must be inside.
  public var bounds: TiltedPicture
  /// The ratio to keep, if any.
  public var ratio: AspectRatio?
  /// The smallest size, in frame pixels; by default 1 × 1.
  public var minimum: FrameSize
  /// The largest size, in frame pixels; nil for none.
  public var maximum: FrameSize?

  /// The rules for an image. By default, every rectangle of whole pixels inside it is allowed.
  public init(
    bounds: TiltedPicture, ratio: AspectRatio? = nil,
    minimum: FrameSize = FrameSize(width: 1, height: 1), maximum: FrameSize? = nil
  ) {
    self.bounds = bounds
    self.ratio = ratio
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// A selection of whole pixels, and the highest-ranking rule that could not be met, if any.
public struct Quantized: Hashable, Sendable {
  /// The selection: width and height are whole; `x` and `y` are whole or, under a tilt, multiples
  /// of 1/64.
  public var rect: FrameRect
  /// The highest-ranking rule that is violated because a higher one has precedence, nil for none;
  /// `content` is never reported.
  public var violatedRule: SelectionRule?
}

extension SelectionRules {
  /// The largest distance from a pixel line at which an edge counts as being on it, in pixels.
  static var lineTolerance: Double { 1e-6 }

  /// The step of `x` and `y`: a pixel, or 1/64 under a tilt.
  var grain: Double { bounds.tilt.degrees == 0 ? 1 : CropRecipe.tiltedGrain }

  /// Turns a drawn rectangle into a selection.
  /// Rules 1 to 4 of ``SelectionRule`` determine the size. The position then follows the drawn
  /// rectangle: an edge within 1e-6 of a pixel line snaps to it, other edges are rounded outward.
  /// The point at `anchor` stays fixed if there is enough space; otherwise a pinned rectangle
  /// shrinks before it slides.
  ///
  /// - Parameters:
  ///   - rect: the drawn rectangle, in frame pixels; every field must be finite.
  ///   - anchor: the point of the rectangle that stays fixed.
  public func quantized(_ rect: FrameRect, anchor: CropAnchor = .center) -> Quantized {
    // A minimum that no selection meets must not cost the ratio too.
    if ratio != nil, !isMinimumPossible {
      var rules = self
      rules.minimum = FrameSize(width: 1, height: 1)
      let placed = rules.quantized(rect, anchor: anchor).rect
      return Quantized(rect: placed, violatedRule: broken(by: placed))
    }
    var size = outwardSize(of: rect, anchor: anchor)
    apply(to: &size)
    var placed = place(size, for: rect, anchor: anchor)
    if anchor.isPinned, !bounds.contains(placed) {
      placed = shrunk(size, for: rect, anchor: anchor) ?? placed
    }
    let inside = movedInside(placed)
    return Quantized(rect: inside, violatedRule: broken(by: inside))
  }

  /// Moves a selection so that its top-left corner is as near to `origin` as the image allows. The
  /// size does not change.
  public func moved(_ rect: FrameRect, to origin: FramePoint) -> FrameRect {
    let target = FrameRect(
      x: onGrain(origin.x), y: onGrain(origin.y), width: rect.width, height: rect.height)
    return movedInside(target)
  }

  /// Whether the image and the maximum leave room for the minimum.
  private var isMinimumPossible: Bool {
    if let maximum, maximum.width < minimum.width || maximum.height < minimum.height {
      return false
    }
    return minimum == FrameSize(width: 1, height: 1)
      || bounds.contains(
        FrameRect(
          center: bounds.center, width: Double(minimum.width), height: Double(minimum.height)))
  }

  /// Whether a selection's size is within the minimum and the maximum.
  func allowsSize(of rect: FrameRect) -> Bool {
    let holdsMinimum =
      rect.width >= Double(minimum.width) && rect.height >= Double(minimum.height)
    guard let maximum else { return holdsMinimum }
    return holdsMinimum && rect.width <= Double(maximum.width)
      && rect.height <= Double(maximum.height)
  }

  /// The highest-ranking rule that a selection violates because a higher one has precedence; nil
  /// for none. The bounds and the maximum are never violated.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func broken(by rect: FrameRect) -> SelectionRule? {
    if rect.width < Double(minimum.width) || rect.height < Double(minimum.height) {
      return .minimum
    }
    if let ratio, !ratio.matches(PixelLengths(rect)) { return .ratio }
    return nil
  }

  // MARK: Size

  private func outwardSize(of rect: FrameRect, anchor: CropAnchor) -> PixelLengths {
    PixelLengths(
      width: outwardLength(from: rect.minX, to: rect.maxX, anchor: anchor.x),
      height: outwardLength(from: rect.minY, to: rect.maxY, anchor: anchor.y))
  }

  private func outwardLength(from lower: Double, to upper: Double, anchor: Double) -> Double {
    let start = downToGrain(lower)
    let end = anchor == 1 ? upToGrain(upper) : upper
    return max(1, (end - start - Self.lineTolerance).rounded(.up))
  }

  /// Applies rules 1 to 4 to a size.
  private func apply(to size: inout PixelLengths) {
    if let ratio, ratio.isExact {
      if let exact = exactSize(size, ratio) {
        size = exact
        return
      }
    } else if let ratio {
      size = nearestSize(size, ratio)
    }
    clamp(&size)
  }

  /// The smallest multiple of the ratio's terms that is at least `size`, within the limits; nil if
  /// there is none.
  private func exactSize(_ size: PixelLengths, _ ratio: AspectRatio) -> PixelLengths? {
    let (a, b) = (Double(ratio.width), Double(ratio.height))
    let steps = max(size.width / a, size.height / b)
    let range = stepRange(ratio)
    guard range.least <= range.most else { return nil }
    let step = min(max((steps - 1e-9).rounded(.up), range.least), range.most)
    return PixelLengths(width: a * step, height: b * step)
  }

  /// The smallest and largest multiples of the ratio's terms that minimum, maximum and image allow.
  private func stepRange(_ ratio: AspectRatio) -> (least: Double, most: Double) {
    let (a, b) = (Double(ratio.width), Double(ratio.height))
    var most = bounds.largestScale(width: a, height: b) + 1e-9
    if let maximum { most = min(most, Double(maximum.width) / a, Double(maximum.height) / b) }
    let least = max(Double(minimum.width) / a, Double(minimum.height) / b)
    return (max(1, least.rounded(.up)), most.rounded(.down))
  }

  /// The size nearest to the ratio: the side that is relatively longer determines it, the other is
  /// rounded.
  private func nearestSize(_ size: PixelLengths, _ ratio: AspectRatio) -> PixelLengths {
    let value = ratio.value
    var width = max(size.width, (size.height * value).rounded(.toNearestOrAwayFromZero))
    var most = Double(bounds.frame.width) * 2
    most = min(most, bounds.largestScale(width: value, height: 1) * value + 1e-9)
    if let maximum {
      most = min(most, Double(maximum.width), Double(maximum.height) * value)
    }
    width = min(max(width, Double(minimum.width), Double(minimum.height) * value), most)
    let height = width / value
    return PixelLengths(
      width: max(1, width.rounded(.toNearestOrAwayFromZero)),
      height: max(1, height.rounded(.toNearestOrAwayFromZero)))
  }

  /// Applies minimum, maximum and bounds to each side; a later one has precedence over an earlier
  /// one.
  private func clamp(_ size: inout PixelLengths) {
    var least = PixelLengths(minimum.bounds)
    size.width = max(size.width, least.width)
    size.height = max(size.height, least.height)
    if let maximum {
      least.limit(to: maximum)
      size.limit(to: maximum)
    }
    guard bounds.tilt.degrees != 0 else { return size.limit(to: bounds.frame) }
    func centered(_ size: PixelLengths) -> FrameRect {
      FrameRect(center: bounds.center, width: size.width, height: size.height)
    }
    // From the minimum, if it fits, as far towards the requested size as the image allows.
    if !bounds.contains(centered(least)) { least = PixelLengths(width: 0, height: 0) }
    let most = bounds.last(from: centered(least), to: centered(size))
    size.width = max(1, most.width.rounded(.down))
    size.height = max(1, most.height.rounded(.down))
  }

  // MARK: Position

  /// The position of a rectangle of the given size that replaces `rect`, with the anchor fixed.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  private func place(_ size: PixelLengths, for rect: FrameRect, anchor: CropAnchor) -> FrameRect {
    FrameRect(
      x: placedOrigin(size.width, from: rect.minX, to: rect.maxX, anchor: anchor.x),
      y: placedOrigin(size.height, from: rect.minY, to: rect.maxY, anchor: anchor.y),
      width: size.width, height: size.height)
  }

  private func placedOrigin(
    _ length: Double, from lower: Double, to upper: Double, anchor: Double
  ) -> Double {
    if anchor == 0 { return downToGrain(lower) }
    if anchor == 1 { return upToGrain(upper) - length }
    let middle = onGrain((lower + upper - length) / 2)
    // Prefers a position on the grain that keeps everything that was visible.
    let first = upToGrain(upper - length)
    let last = downToGrain(lower)
    return first <= last ? min(max(middle, first), last) : middle
  }

  /// The largest rectangle, at most `size`, that fits with the anchor fixed; nil if the minimum
  /// size does not fit either.
  private func shrunk(_ size: PixelLengths, for rect: FrameRect, anchor: CropAnchor) -> FrameRect? {
    // A ratio that was dropped because of the limits is not kept here either.
    let ratio = ratio.flatMap { $0.matches(size) ? $0 : nil }
    if let ratio, ratio.isExact {
      let (a, b) = (Double(ratio.width), Double(ratio.height))
      return largestFitting(
        from: stepRange(ratio).least, to: (size.width / a).rounded(.toNearestOrAwayFromZero)
      ) { step in
        place(PixelLengths(width: a * step, height: b * step), for: rect, anchor: anchor)
      }
    }
    if let ratio {
      let least = max(Double(minimum.width), Double(minimum.height) * ratio.value)
      return largestFitting(from: least.rounded(.up), to: size.width) { width in
        let height = max(1, (width / ratio.value).rounded(.toNearestOrAwayFromZero))
        return place(PixelLengths(width: width, height: height), for: rect, anchor: anchor)
      }
    }
    // Without a ratio, each side shrinks only as necessary, the one with the wider overhang first.
    let least = PixelLengths(width: Double(minimum.width), height: Double(minimum.height))
    func rectangle(_ width: Double, _ height: Double) -> FrameRect {
      place(PixelLengths(width: width, height: height), for: rect, anchor: anchor)
    }
    let narrow = largestFitting(from: least.width, to: size.width) { rectangle($0, size.height) }
    let low = largestFitting(from: least.height, to: size.height) { rectangle(size.width, $0) }
    if let narrow, let low {
      return narrow.width * narrow.height >= low.width * low.height ? narrow : low
    }
    if let one = narrow ?? low { return one }
    let factor = size.height / size.width
    guard
      let both = largestFitting(
        from: least.width, to: size.width,
        { width in rectangle(width, max(least.height, (width * factor).rounded(.down))) })
    else { return nil }
    let wide =
      largestFitting(from: both.width, to: size.width) { rectangle($0, both.height) } ?? both
    return largestFitting(from: wide.height, to: size.height) { rectangle(wide.width, $0) } ?? wide
  }

  /// The rectangle of the largest integer in `least ... most` that is inside, by bisection: if a
  /// pinned rectangle fits, all smaller ones do too.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  private func largestFitting(
    from least: Double, to most: Double, _ rectangle: (Double) -> FrameRect
  ) -> FrameRect? {
    var (low, high) = (least, most)
    guard low <= high, bounds.contains(rectangle(low)) else { return nil }
    while low < high {
      let middle = ((low + high + 1) / 2).rounded(.down)
      if bounds.contains(rectangle(middle)) { low = middle } else { high = middle - 1 }
    }
    return rectangle(low)
  }

  /// Moves the rectangle inside, on the grain; it shrinks by a step or two if there is no valid
  /// position.
  private func movedInside(_ rect: FrameRect) -> FrameRect {
    var rect = rect
    while true {
      if bounds.contains(rect) { return rect }
      if let found = nearestOnGrain(bounds.moved(inside: rect)) { return found }
      // In a tilted corner, there may be no position on the grain; one grain away from the edges,
      // there is.
      if let found = nearestOnGrain(bounds.moved(inside: rect, margin: grain)) { return found }
      guard let smaller = oneStepSmaller(rect) else { break }
      rect = smaller
    }
    // Only for an image smaller than the tolerance of the grain: a pixel at its center.
    return FrameRect(
      x: onGrain(bounds.center.x - 0.5), y: onGrain(bounds.center.y - 0.5), width: 1, height: 1)
  }

  private func nearestOnGrain(_ target: FrameRect) -> FrameRect? {
    var best: FrameRect?
    var bestDistance = Double.infinity
    let (left, top) = (downToGrain(target.x), downToGrain(target.y))
    for corner in 0..<4 {
      let candidate = FrameRect(
        x: left + Double(corner / 2) * grain, y: top + Double(corner % 2) * grain,
        width: target.width, height: target.height)
      let distance = (candidate.origin - target.origin).length
      if distance < bestDistance, bounds.contains(candidate) {
        (best, bestDistance) = (candidate, distance)
      }
    }
    return best
  }

  private func oneStepSmaller(_ rect: FrameRect) -> FrameRect? {
    var step = PixelLengths(width: 1, height: 1)
    if let ratio, ratio.isExact, ratio.matches(PixelLengths(rect)) {
      step = PixelLengths(width: Double(ratio.width), height: Double(ratio.height))
    } else if rect.width > rect.height {
      step.height = (rect.height / rect.width).rounded(.down)
    } else if rect.height > rect.width {
      step.width = (rect.width / rect.height).rounded(.down)
    }
    if step.width == 0 && step.height == 0 { step.width = 1 }
    let (width, height) = (rect.width - step.width, rect.height - step.height)
    guard width >= 1, height >= 1 else { return nil }
    return FrameRect(
      x: onGrain(rect.x + step.width / 2), y: onGrain(rect.y + step.height / 2), width: width,
      height: height)
  }

  // MARK: Grain

  /// The rectangle with its corner moved to the nearest valid position.
  func onGrain(_ rect: FrameRect) -> FrameRect {
    FrameRect(x: onGrain(rect.x), y: onGrain(rect.y), width: rect.width, height: rect.height)
  }

  func onGrain(
    _ value: Double, _ rounding: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) -> Double {
    (value / grain).rounded(rounding) * grain
  }

  /// The grain line at or below `value`, or just above it within the tolerance.
  private func downToGrain(_ value: Double) -> Double {
    ((value + Self.lineTolerance) / grain).rounded(.down) * grain
  }

  /// The grain line at or above `value`, or just below it within the tolerance.
  private func upToGrain(_ value: Double) -> Double {
    ((value - Self.lineTolerance) / grain).rounded(.up) * grain
  }
}

/// A size in whole pixels, as Double for arithmetic.
struct PixelLengths: Equatable {
  var width: Double
  var height: Double

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  init(_ rect: FrameRect) {
    self.init(width: rect.width, height: rect.height)
  }

  mutating func limit(to most: FrameSize) {
    width = min(width, Double(most.width))
    height = min(height, Double(most.height))
  }
}

extension AspectRatio {
  /// Whether a size has this ratio: exactly if the ratio is exact, otherwise to the nearest pixel.
  func matches(_ size: PixelLengths) -> Bool {
    if isExact { return size.width * Double(height) == size.height * Double(width) }
    return abs(size.width - size.height * value) <= max(1, value) / 2 + 1e-9
      || abs(size.height - size.width / value) <= 0.5 + 1e-9
  }
}
