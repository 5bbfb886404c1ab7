/// What to cut out of a picture: the only thing that passes from interaction to pixels.
///
/// In this order: the upright image is mirrored left–right, turned clockwise by quarter turns (which
/// gives the frame, W × H pixels), tilted clockwise about (W/2, H/2) while the frame stays put, cut to
/// `rect`, resampled to `output` and masked to `shape`.
///
/// A recipe does not know the picture. ``resolved(for:)`` checks it against one.
public struct CropRecipe: Hashable, Sendable {
  /// The part to keep, in frame pixels; nil keeps the whole frame, under a tilt the largest centred
  /// rectangle of the frame's ratio without a blank corner.
  ///
  /// `width` and `height` are whole and at least 1. Without tilt `x` and `y` are whole; under a tilt
  /// they are multiples of 1/64 and may be negative.
  public var rect: FrameRect?
  /// Quarter turns clockwise, any integer.
  public var quarterTurns: Int
  /// Whether the picture is mirrored left–right before it is turned.
  public var isMirrored: Bool
  /// The clockwise turn of the picture about the frame's centre, −45° to 45°.
  public var tilt: Angle
  /// The outline of the result.
  public var shape: CropShape
  /// The size of the result; nil is the size of `rect`.
  public var output: OutputSize?

  /// A recipe; what is not given leaves the picture as it is.
  public init(
    rect: FrameRect? = nil, quarterTurns: Int = 0, isMirrored: Bool = false,
    tilt: Angle = .zero, shape: CropShape = .rectangle, output: OutputSize? = nil
  ) {
    self.rect = rect
    self.quarterTurns = quarterTurns
    self.isMirrored = isMirrored
    self.tilt = tilt
    self.shape = shape
    self.output = output
  }
}

extension CropRecipe {
  /// The largest tilt either way.
  public static var largestTilt: Angle { Angle(degrees: 45) }

  /// The grain of `x` and `y` under a tilt, in frame pixels.
  public static var tiltedGrain: Double { 1.0 / 64 }

  /// How far a corner may lie outside a tilted picture, in pixels, for want of exact arithmetic.
  public static var cornerTolerance: Double { 1e-6 }

  /// The mirror and the turns as one of the eight orientations.
  public var orientation: Orientation {
    get { Orientation(isMirrored: isMirrored, quarterTurns: quarterTurns) }
    set {
      isMirrored = newValue.isMirrored
      quarterTurns = newValue.quarterTurns
    }
  }

  /// The one form of each meaning: turns 0 to 3, no negative zero, a radius of at most half the shorter
  /// side where `rect` is given.
  ///
  /// Recipes that mean the same for every picture are equal after it, but for an `output` that asks for
  /// the size that `rect` has anyway.
  public func normalized() -> Self {
    var copy = self
    copy.quarterTurns = quarterTurns & 3
    // Adding zero turns −0 into 0 and leaves every other number alone.
    copy.tilt = Angle(degrees: tilt.degrees + 0)
    if let rect {
      copy.rect = FrameRect(
        x: rect.x + 0, y: rect.y + 0, width: rect.width, height: rect.height)
    }
    if case .roundedRectangle(let radius) = shape {
      let most = rect.map { min($0.width, $0.height) / 2 } ?? radius
      copy.shape = radius == 0 ? .rectangle : .roundedRectangle(radius: min(radius, most))
    }
    return copy
  }
}
