/// A length along one side of a frame, as a person or a program writes it.
public enum CropLength: Hashable, Sendable {
  /// This many pixels.
  case pixels(Double)
  /// This share of the side, in percent.
  case percent(Double)

  /// The length in pixels on a side of `side` pixels, not yet rounded.
  func pixels(of side: Int) -> Double {
    switch self {
    case .pixels(let count): count
    case .percent(let share): Double(side) * share / 100
    }
  }

  /// The same the other way.
  var negated: Self {
    switch self {
    case .pixels(let count): .pixels(-count)
    case .percent(let share): .percent(-share)
    }
  }

  /// Whether the length depends on the side, so that it must be rounded.
  var isPercent: Bool {
    if case .percent = self { true } else { false }
  }
}

/// Where a smaller rectangle lies in a larger one.
public enum Gravity: Hashable, Sendable, CaseIterable {
  /// In the middle both ways.
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

  /// How much of the room that is left over goes to the left of the rectangle, and how much above it.
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

/// The part of a frame to keep, described without knowing the frame's size.
///
/// A recipe holds a rectangle in pixels; this is what leads to it once the picture is known.
public enum CropArea: Hashable, Sendable {
  /// A rectangle by its top-left corner and its size. A negative size leaves as much room at the far
  /// edge: -10 across ends 10 pixels before the right one, -0 at it.
  case rectangle(x: CropLength, y: CropLength, width: CropLength, height: CropLength)
  /// What is left when this much is cut off on each side: of the picture or, under a tilt, of its largest
  /// centered part without a blank corner.
  case inset(left: CropLength, top: CropLength, right: CropLength, bottom: CropLength)
  /// The largest rectangle of a ratio, placed in what room is left.
  case ratio(AspectRatio, Gravity)
}

extension CropArea {
  /// The rectangle on a picture, in frame pixels.
  ///
  /// - Lengths in pixels are taken as they are; an edge that depends on a percentage goes outward to
  ///   a whole pixel, unless it lies within 1e-6 of one.
  /// - A ratio is met as ``AspectRatio/isExact`` says, to the nearest pixel where the picture is too
  ///   small for that. Of a room with an odd number of pixels the greater half is on the right and at
  ///   the bottom. Under a tilt the rectangle is moved the least distance that leaves no blank corner.
  ///
  /// The result is not checked: ``CropRecipe/resolved(for:)`` does that. A percentage that is not
  /// finite gives a rectangle that it refuses.
  public func rect(in picture: TiltedPicture) -> FrameRect {
    switch self {
    case .rectangle(let x, let y, let width, let height):
      let across = Self.edges(x, width, of: picture.frame.width)
      let down = Self.edges(y, height, of: picture.frame.height)
      return FrameRect(
        x: across.start, y: down.start, width: across.length, height: down.length)
    case .inset(let left, let top, let right, let bottom):
      let whole = picture.largestCentered
      // Whole numbers that are no larger than the frame's.
      let across = Self.edges(left, end: right, of: Int(whole.width))
      let down = Self.edges(top, end: bottom, of: Int(whole.height))
      return FrameRect(
        x: whole.x + across.start, y: whole.y + down.start, width: across.length,
        height: down.length)
    case .ratio(let ratio, let gravity):
      return Self.largest(ratio, in: picture, at: gravity)
    }
  }

  /// How near a pixel line an edge counts as lying on it, in pixels.
  private static var lineTolerance: Double { 1e-6 }

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
    // A share of nothing, or of less than nothing, is no rectangle and must not become one.
    return (lower, count > 0 ? upper - lower : count)
  }

  /// From `start` to `end` before the far edge.
  private static func edges(
    _ start: CropLength, end: CropLength, of side: Int
  ) -> (start: Double, length: Double) {
    let (first, last) = (start.pixels(of: side), Double(side) - end.pixels(of: side))
    let lower = start.isPercent ? (first + lineTolerance).rounded(.down) : first
    let upper = end.isPercent ? (last - lineTolerance).rounded(.up) : last
    return (lower, upper - lower)
  }

  private static func largest(
    _ ratio: AspectRatio, in picture: TiltedPicture, at gravity: Gravity
  ) -> FrameRect {
    let size = largestSize(ratio, in: picture)
    let room = (
      across: Double(picture.frame.width) - size.width,
      down: Double(picture.frame.height) - size.height
    )
    let shares = gravity.shares
    let origin = FramePoint(
      x: (room.across * shares.left).rounded(.down), y: (room.down * shares.above).rounded(.down))
    let rect = FrameRect(x: origin.x, y: origin.y, width: size.width, height: size.height)
    if picture.contains(rect) { return rect }
    return SelectionRules(bounds: picture, ratio: ratio).moved(rect, to: origin)
  }

  static func largestSize(
    _ ratio: AspectRatio, in picture: TiltedPicture
  ) -> (width: Double, height: Double) {
    let terms = (width: Double(ratio.width), height: Double(ratio.height))
    // One part in 10¹² keeps a side that is an exact multiple from losing a step to rounding.
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
