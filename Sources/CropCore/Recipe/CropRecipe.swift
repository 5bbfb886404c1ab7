/// A crop of an image: the only value that passes from the user interface to the code that makes
/// pixels.
///
/// In this order: the upright image is mirrored left–right, turned clockwise by quarter turns
/// (which gives the frame, W × H pixels), tilted clockwise about (W/2, H/2) while the frame stays
/// fixed, cut to `rect`, resampled to `output` and masked to `shape`. Four corners, `quad`, replace
/// the tilt and the rectangle: the area between them is straightened.
///
/// A recipe does not include the image's size. ``resolved(for:)`` checks it against one.
public struct CropRecipe: Hashable, Sendable {
  /// The part to keep, in frame pixels. Nil keeps the complete frame or, under a tilt, the largest
  /// centered rectangle of the frame's ratio without blank corners.
  ///
  /// `width` and `height` are whole and at least 1. Without tilt, `x` and `y` are whole; under a
  /// tilt, they are multiples of 1/64 and may be negative.
  public var rect: FrameRect?
  /// Four corners in frame pixels, instead of `rect` and `tilt`: the area between them becomes a
  /// rectangle. Coordinates are multiples of ``Quad/grain``; ``Quad/fault(in:)`` reports invalid
  /// corners.
  public var quad: Quad?
  /// Quarter turns clockwise, any integer.
  public var quarterTurns: Int
  /// Whether the image is mirrored left–right before it is turned.
  public var isMirrored: Bool
  /// The clockwise tilt of the image about the frame's center, −45° to 45°.
  public var tilt: CropAngle
  /// The outline of the result.
  public var shape: CropShape
  /// The size of the result; nil for the size of `rect` or, with four corners, ``Quad/size``.
  public var output: OutputSize?

  /// A recipe; by default the complete image, unchanged.
  public init(
    rect: FrameRect? = nil, quarterTurns: Int = 0, isMirrored: Bool = false,
    tilt: CropAngle = .zero, shape: CropShape = .rectangle, output: OutputSize? = nil,
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
  /// The largest tilt in either direction.
  public static var largestTilt: CropAngle { CropAngle(degrees: 45) }

  /// The step of `x` and `y` under a tilt, in frame pixels: valid ones are multiples of it.
  public static var tiltedGrain: Double { 1.0 / 64 }

  /// How far a corner may be outside a tilted image, in pixels, to allow for rounding errors.
  public static var cornerTolerance: Double { 1e-6 }

  /// The mirror and the quarter turns as one of the eight orientations.
  public var orientation: Orientation {
    get { Orientation(isMirrored: isMirrored, quarterTurns: quarterTurns) }
    set {
      isMirrored = newValue.isMirrored
      quarterTurns = newValue.quarterTurns
    }
  }

  /// The canonical form: turns 0 to 3, no negative zero, a radius of at most half the shorter side
  /// if `rect` is given, a rectangle instead of four corners that form one.
  ///
  /// After that, recipes with the same meaning for every image are equal, except that an `output`
  /// equal to the size of `rect` is kept.
  public func normalized() -> Self {
    var copy = self
    copy.quarterTurns = quarterTurns & 3
    // Adding zero turns −0 into 0 and leaves every other number unchanged.
    copy.tilt = CropAngle(degrees: tilt.degrees + 0)
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

  /// The rectangle that is equivalent to the four corners; nil if there is none.
  private var rectOfQuad: FrameRect? {
    guard rect == nil, tilt.degrees == 0, let quad, let found = quad.rect, found.isProper,
      quad.fault == nil,
      Int32(exactly: found.x) != nil, Int32(exactly: found.y) != nil,
      Int32(exactly: found.width) != nil, Int32(exactly: found.height) != nil,
      // A rectangle is not stretched to a different ratio.
      (try? Self.outputSize(
        output, of: FrameSize(width: Int(found.width), height: Int(found.height)),
        isStretched: false))
        != nil
    else { return nil }
    return found
  }
}

/// The outline to which a result is masked.
public enum CropShape: Hashable, Sendable {
  /// The rectangle: nothing is masked.
  case rectangle
  /// The ellipse that touches the four edges of the rectangle.
  case ellipse
  /// The rectangle with rounded corners. The radius is in pixels of the recipe's rectangle, zero or
  /// more; more than half the shorter side has the effect of half of it.
  case roundedRectangle(radius: Double)
}

/// The size of a result that is resampled.
public enum OutputSize: Hashable, Sendable {
  /// Exactly this many pixels. The ratio must be that of the rectangle to within a pixel.
  case exact(width: Int, height: Int)
  /// Scaled down so that the longer side has at most this many pixels; never scaled up.
  case maxSide(Int)
}

extension CropRecipe {
  /// The recipe with a result that is scaled down until no side is longer than `side` pixels; one
  /// that is small enough stays as it is.
  public func limited(toSide side: Int) -> CropRecipe {
    var recipe = self
    switch output {
    case nil: recipe.output = .maxSide(side)
    case .maxSide(let own): recipe.output = .maxSide(min(own, side))
    case .exact(let width, let height):
      let size = FrameSize(width: width, height: height)
      if let size = try? Self.outputSize(.maxSide(side), of: size, isStretched: true) {
        recipe.output = .exact(width: size.width, height: size.height)
      }
    }
    return recipe
  }
}

extension CropRecipe {
  /// The recipe whose rectangle is rounded outward to whole pixels and cut to the frame of an
  /// image; unchanged without a rectangle, under a tilt, and if nothing of it is in the frame.
  public func clamped(to image: ImageSize) -> CropRecipe {
    guard let rect, tilt.degrees == 0, rect.isProper else { return self }
    let frame = OrientationMap<ImageSpace, FrameSpace>(orientation, of: image).target
    func start(_ edge: Double) -> Double { max(0, (edge + CropArea.lineTolerance).rounded(.down)) }
    func end(_ edge: Double, _ side: Int) -> Double {
      min(Double(side), (edge - CropArea.lineTolerance).rounded(.up))
    }
    let (left, right) = (start(rect.minX), end(rect.maxX, frame.width))
    let (top, bottom) = (start(rect.minY), end(rect.maxY, frame.height))
    guard right > left, bottom > top else { return self }
    var recipe = self
    recipe.rect = FrameRect(x: left, y: top, width: right - left, height: bottom - top)
    return recipe
  }
}

extension CropRecipe {
  /// The recipe for the same frame on another image: if `isShare`, the same share of its sides,
  /// rounded outward to whole pixels; otherwise the same pixels. Sizes are those of upright images.
  ///
  /// Nil if the recipe does not fit one of the images, and for four corners, which apply to one
  /// image only.
  public func carried(from image: ImageSize, to other: ImageSize, isShare: Bool) -> CropRecipe? {
    guard let crop = try? resolved(for: image), crop.quad == nil else { return nil }
    var recipe = self
    recipe.rect = crop.rect
    let frame = OrientationMap<ImageSpace, FrameSpace>(orientation, of: image).target
    let target = OrientationMap<ImageSpace, FrameSpace>(orientation, of: other).target
    if isShare, frame != target {
      func share(_ length: Double, _ side: Int) -> CropLength {
        .percent(100 * length / Double(side))
      }
      recipe.rect = CropArea.rectangle(
        x: share(crop.rect.x, frame.width), y: share(crop.rect.y, frame.height),
        width: share(crop.rect.width, frame.width), height: share(crop.rect.height, frame.height)
      ).rect(in: TiltedPicture(frame: target, tilt: tilt))
    }
    return recipe.fits(other) ? recipe : nil
  }
}
