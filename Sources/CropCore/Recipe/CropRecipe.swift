/// What to cut out of a picture: the only thing that passes from interaction to pixels.
///
/// In this order: the upright image is mirrored left–right, turned clockwise by quarter turns (which
/// gives the frame, W × H pixels), tilted clockwise about (W/2, H/2) while the frame stays put, cut to
/// `rect`, resampled to `output` and masked to `shape`. Four corners, `quad`, take the place of tilt and
/// rectangle: what lies between them is straightened.
///
/// A recipe does not know the picture. ``resolved(for:)`` checks it against one.
public struct CropRecipe: Hashable, Sendable {
  /// The part to keep, in frame pixels; nil keeps the whole frame, under a tilt the largest centred
  /// rectangle of the frame's ratio without a blank corner.
  ///
  /// `width` and `height` are whole and at least 1. Without tilt `x` and `y` are whole; under a tilt
  /// they are multiples of 1/64 and may be negative.
  public var rect: FrameRect?
  /// Four corners in frame pixels, in place of `rect` and `tilt`: what lies between them becomes a
  /// rectangle. Coordinates are multiples of ``Quad/grain``; ``Quad/fault(in:)`` says which corners can't be.
  public var quad: Quad?
  /// Quarter turns clockwise, any integer.
  public var quarterTurns: Int
  /// Whether the picture is mirrored left–right before it is turned.
  public var isMirrored: Bool
  /// The clockwise turn of the picture about the frame's centre, −45° to 45°.
  public var tilt: Angle
  /// The outline of the result.
  public var shape: CropShape
  /// The size of the result; nil is the size of `rect`, of four corners ``Quad/size``.
  public var output: OutputSize?

  /// A recipe; what is not given leaves the picture as it is.
  public init(
    rect: FrameRect? = nil, quarterTurns: Int = 0, isMirrored: Bool = false,
    tilt: Angle = .zero, shape: CropShape = .rectangle, output: OutputSize? = nil,
    quad: Quad? = nil
  ) {
    self.rect = rect
    self.quad = quad
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
  /// side where `rect` is given, a rectangle where four corners are those of one.
  ///
  /// Recipes that mean the same for every picture are equal after it, but for an `output` that asks for
  /// the size that `rect` has anyway.
  public func normalized() -> Self {
    var copy = self
    copy.quarterTurns = quarterTurns & 3
    // Adding zero turns −0 into 0 and leaves every other number alone.
    copy.tilt = Angle(degrees: tilt.degrees + 0)
    if let rect = copy.rectOfQuad {
      copy.rect = rect
      copy.quad = nil
    }
    if let rect = copy.rect {
      copy.rect = FrameRect(
        x: rect.x + 0, y: rect.y + 0, width: rect.width, height: rect.height)
    }
    copy.quad = copy.quad?.map { FramePoint(x: $0.x + 0, y: $0.y + 0) }
    if case .roundedRectangle(let radius) = shape {
      let most = copy.rect.map { min($0.width, $0.height) / 2 } ?? radius
      copy.shape = radius == 0 ? .rectangle : .roundedRectangle(radius: min(radius, most))
    }
    return copy
  }

  /// The rectangle that says the same as the four corners; nil where none does.
  private var rectOfQuad: FrameRect? {
    guard rect == nil, tilt.degrees == 0, let quad, let found = quad.rect, found.isProper,
      quad.fault == nil,
      Int32(exactly: found.x) != nil, Int32(exactly: found.y) != nil,
      Int32(exactly: found.width) != nil, Int32(exactly: found.height) != nil,
      // A rectangle is not stretched to another ratio.
      (try? Self.outputSize(
        output, of: FrameSize(width: Int(found.width), height: Int(found.height)),
        isStretched: false))
        != nil
    else { return nil }
    return found
  }
}
