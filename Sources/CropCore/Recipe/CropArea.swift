/// A length along one side of a frame, in pixels or percent.
public enum CropLength: Hashable, Sendable {
  /// An absolute length in pixels.
  case pixels(Double)
  /// A percentage of the side.
  case percent(Double)

  /// The length in pixels on a side of `side` pixels, not rounded.
  func pixels(of side: Int) -> Double {
    switch self {
    case .pixels(let count): count
    case .percent(let share): Double(side) * share / 100
    }
  }

  /// The length with the opposite sign.
  var negated: Self {
    switch self {
    case .pixels(let count): .pixels(-count)
    case .percent(let share): .percent(-share)
    }
  }

  /// Whether the length is a percentage, so that it must be rounded.
  var isPercent: Bool {
    if case .percent = self { true } else { false }
  }
}

/// The position of a smaller rectangle in a larger one.
public enum Gravity: String, Hashable, Sendable, CaseIterable {
  /// In the middle in both directions.
  case center
  /// At the top, in the middle.
  case north
  /// In the top right corner.
  case northeast
  /// At the right, in the middle.
  case east
  /// In the bottom right corner.
  case southeast
  /// At the bottom, in the middle.
  case south
  /// In the bottom left corner.
  case southwest
  /// At the left, in the middle.
  case west
  /// In the top left corner.
  case northwest

  /// The shares of the free space, 0 to 1, that are to the left of the rectangle and above it.
  var shares: (left: Double, above: Double) {
    switch self {
    case .center: (0.5, 0.5)
    case .north: (0.5, 0)
    case .northeast: (1, 0)
    case .east: (1, 0.5)
    case .southeast: (1, 1)
    case .south: (0.5, 1)
    case .southwest: (0, 1)
    case .west: (0, 0.5)
    case .northwest: (0, 0)
    }
  }
}

/// The part of a frame to keep, described without the frame's size.
///
/// When the image is known, ``rect(in:on:)`` turns it into the rectangle of a recipe.
public enum CropArea: Hashable, Sendable {
  /// A rectangle with the given top-left corner and size. A negative size is the distance from the
  /// far edge: a width of -10 ends 10 pixels before the right edge, -0 at it.
  case rectangle(x: CropLength, y: CropLength, width: CropLength, height: CropLength)
  /// What is left after cutting this much off each side of the image or, under a tilt, of its
  /// largest centered part without blank corners.
  case inset(left: CropLength, top: CropLength, right: CropLength, bottom: CropLength)
  /// The largest rectangle of a ratio, positioned by gravity.
  case ratio(AspectRatio, Gravity)
  /// A rectangle of a size, positioned by gravity.
  case sized(width: CropLength, height: CropLength, Gravity)
}

extension CropArea {
  /// The rectangle on an image, in frame pixels.
  ///
  /// - Lengths in pixels are used unchanged. An edge that depends on a percentage is rounded
  ///   outward to a whole pixel, unless it is within 1e-6 of one.
  /// - A ratio is met as ``AspectRatio/isExact`` states, or to the nearest pixel if the image is
  ///   too small for that. If the remaining space has an odd number of pixels, the larger half is
  ///   at the right and bottom. Under a tilt, the rectangle is moved the least distance that leaves
  ///   no blank corner.
  /// - In an image without a tilt, a `grid` moves a centered ratio or size to the nearest position
  ///   on the grid, if any. It does not move it away from a side that the gravity names.
  ///
  /// The result is not checked: ``CropRecipe/resolved(for:)`` does that, and rejects the rectangle
  /// of a percentage that is not finite.
  public func rect(in picture: TiltedPicture, on grid: FrameGrid? = nil) -> FrameRect {
    switch self {
    case .rectangle(let x, let y, let width, let height):
      let across = Self.edges(x, width, of: picture.frame.width)
      let down = Self.edges(y, height, of: picture.frame.height)
      return FrameRect(
        x: across.start, y: down.start, width: across.length, height: down.length)
    case .inset(let left, let top, let right, let bottom):
      let whole = picture.largestCentered
      // Whole numbers, at most the frame's.
      let across = Self.edges(left, end: right, of: Int(whole.width))
      let down = Self.edges(top, end: bottom, of: Int(whole.height))
      return FrameRect(
        x: whole.x + across.start, y: whole.y + down.start, width: across.length,
        height: down.length)
    case .ratio(let ratio, let gravity):
      let size = Self.largestSize(ratio, in: picture)
      return Self.placed(size, in: picture, at: gravity, ratio, grid)
    case .sized(let width, let height, let gravity):
      let size = Self.size(width, height, in: picture)
      return Self.placed(size, in: picture, at: gravity, nil, grid)
    }
  }

  /// The largest distance from a pixel line at which an edge counts as being on it, in pixels.
  static var lineTolerance: Double { 1e-6 }

  private static func edges(
    _ start: CropLength, _ length: CropLength, of side: Int
  ) -> (start: Double, length: Double) {
    let first = start.pixels(of: side)
    let count = length.pixels(of: side)
    // "-0" means the far edge itself, so the sign counts, not the value.
    if count.sign == .minus { return edges(start, end: length.negated, of: side) }
    let lower = start.isPercent ? (first + lineTolerance).rounded(.down) : first
    guard start.isPercent || length.isPercent else { return (first, count) }
    let upper = (first + count - lineTolerance).rounded(.up)
    // A share of zero or less must not be rounded to a valid rectangle.
    return (lower, count > 0 ? upper - lower : count)
  }

  /// The edges from `start` to the distance `end` before the far edge.
  private static func edges(
    _ start: CropLength, end: CropLength, of side: Int
  ) -> (start: Double, length: Double) {
    let (first, last) = (start.pixels(of: side), Double(side) - end.pixels(of: side))
    let lower = start.isPercent ? (first + lineTolerance).rounded(.down) : first
    let upper = end.isPercent ? (last - lineTolerance).rounded(.up) : last
    return (lower, upper - lower)
  }

  /// A size in whole pixels; a percentage is rounded up.
  static func size(
    _ width: CropLength, _ height: CropLength, in picture: TiltedPicture
  ) -> (width: Double, height: Double) {
    func side(_ length: CropLength, _ side: Int) -> Double {
      let pixels = length.pixels(of: side)
      return length.isPercent ? (pixels - lineTolerance).rounded(.up) : pixels
    }
    return (side(width, picture.frame.width), side(height, picture.frame.height))
  }

  private static func placed(
    _ size: (width: Double, height: Double), in picture: TiltedPicture, at gravity: Gravity,
    _ ratio: AspectRatio?, _ grid: FrameGrid?
  ) -> FrameRect {
    let room = (
      across: Double(picture.frame.width) - size.width,
      down: Double(picture.frame.height) - size.height
    )
    let shares = gravity.shares
    let origin = FramePoint(
      x: (room.across * shares.left).rounded(.down), y: (room.down * shares.above).rounded(.down))
    let rect = FrameRect(x: origin.x, y: origin.y, width: size.width, height: size.height)
    if picture.tilt.degrees == 0, let grid, let width = Int(exactly: size.width),
      let height = Int(exactly: size.height), room.across >= 0, room.down >= 0
    {
      func range(_ room: Double, _ share: Double, _ start: Double) -> ClosedRange<Int> {
        share == 0.5 ? 0...Int(room) : Int(start)...Int(start)
      }
      return grid.rect(
        width: width, height: height,
        near: FramePoint(x: room.across * shares.left, y: room.down * shares.above),
        across: range(room.across, shares.left, origin.x),
        down: range(room.down, shares.above, origin.y)) ?? rect
    }
    // A rectangle that does not fit is rejected with the recipe.
    guard room.across >= 0, room.down >= 0, !picture.contains(rect),
      picture.largestScale(width: size.width, height: size.height) >= 1
    else { return rect }
    return SelectionRules(bounds: picture, ratio: ratio).moved(rect, to: origin)
  }

  static func largestSize(
    _ ratio: AspectRatio, in picture: TiltedPicture
  ) -> (width: Double, height: Double) {
    let terms = (width: Double(ratio.width), height: Double(ratio.height))
    // Increased by one part in 10¹², so that rounding does not take a step from a side that is an
    // exact multiple.
    let scale = picture.largestScale(width: terms.width, height: terms.height) * (1 + 1e-12)
    if ratio.isExact, scale >= 1 {
      let steps = scale.rounded(.down)
      return (terms.width * steps, terms.height * steps)
    }
    let rule: FloatingPointRoundingRule =
      picture.tilt.degrees == 0 ? .toNearestOrAwayFromZero : .down
    return (
      max(1, (terms.width * scale).rounded(rule)), max(1, (terms.height * scale).rounded(rule))
    )
  }
}

extension CropArea {
  /// The visible part of an image that is stretched over a frame and cut by a rectangle.
  ///
  /// - Parameters:
  ///   - rect: the rectangle, relative to the frame's top-left corner in the frame's unit. Parts
  ///     outside the frame are cut off.
  ///   - frame: the size of the frame.
  /// - Returns: the part, or nil if the rectangle and the frame do not overlap.
  public static func stretched(_ rect: ViewRect, in frame: ViewSize) -> CropArea? {
    guard rect.isProper, frame.bounds.isProper else { return nil }
    let kept = rect.cut(to: frame.bounds)
    guard !kept.isEmpty else { return nil }
    return .rectangle(
      x: .percent(kept.x / frame.width * 100), y: .percent(kept.y / frame.height * 100),
      width: .percent(kept.width / frame.width * 100),
      height: .percent(kept.height / frame.height * 100))
  }
}
