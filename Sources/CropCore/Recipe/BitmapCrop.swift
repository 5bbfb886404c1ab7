/// A crop as other programs store it with a photo: a rectangle on the stored pixels, turned about
/// its center and not rounded to pixels.
///
///     stored pixels            A rectangle that is turned clockwise by `angle` over the pixels is upright
///     ┌───────────────┐        once the picture is turned back: the recipe's tilt is −`angle`, or +`angle`
///     │    ╱╲___      │        where the pixels are mirrored on their way to the frame.
///     │   ╱     ╲     │
///     │   ╲____ ╱     │
///     │        ╲      │
///     └───────────────┘
public struct BitmapCrop: Hashable, Sendable {
  /// The center of the rectangle, in stored pixels.
  public var center: BitmapPoint
  /// The width of the rectangle before it is turned, in stored pixels.
  public var width: Double
  /// The height of the rectangle before it is turned, in stored pixels.
  public var height: Double
  /// The clockwise angle by which the rectangle is turned on the stored pixels.
  public var angle: CropAngle
  /// The orientation from the stored pixels to the frame; nil for the one that the file states.
  public var orientation: Orientation?

  /// A rectangle on stored pixels.
  public init(
    center: BitmapPoint, width: Double, height: Double, angle: CropAngle = .zero,
    orientation: Orientation? = nil
  ) {
    self.center = center
    self.width = width
    self.height = height
    self.angle = angle
    self.orientation = orientation
  }
}

extension BitmapCrop {
  /// The recipe that cuts this rectangle from an image, and how far the rectangle extended beyond
  /// the image's edges, in pixels.
  ///
  /// Sides are rounded to the nearest pixel, at least 1. A rectangle that extends beyond an edge by
  /// less than a pixel is moved inside, and shrunk if it still does not fit.
  ///
  /// - Parameters:
  ///   - stored: the size of the stored pixels.
  ///   - shown: the orientation that the file states.
  /// - Throws: ``RecipeError`` for a rectangle that can't be cut.
  public func recipe(
    of stored: BitmapSize, shown: Orientation
  ) throws(RecipeError) -> (recipe: CropRecipe, overhang: Double) {
    guard !stored.isEmpty else { throw .emptyPicture }
    // Rejects lengths of 2³¹ pixels or more, and numbers that are not finite.
    guard abs(center.x) < 0x1p31, abs(center.y) < 0x1p31, abs(angle.degrees) < 0x1p31 else {
      throw .notFinite
    }
    guard width > 0, height > 0, width < 0x1p31, height < 0x1p31 else {
      throw .sizeNotWhole(width: width, height: height)
    }
    let laid = orientation ?? shown
    let toFrame = OrientationMap<BitmapSpace, FrameSpace>(laid, of: stored)
    let tilt = CropAngle(degrees: (laid.isMirrored ? angle.degrees : -angle.degrees) + 0)
    guard abs(tilt.degrees) <= CropRecipe.largestTilt.degrees else {
      throw .tiltOutOfRange(degrees: tilt.degrees)
    }
    let picture = TiltedPicture(frame: toFrame.target, tilt: tilt)
    let sides = laid.isTransposing ? (height, width) : (width, height)
    let exact = FrameRect(
      center: picture.turned(toFrame(center)), width: sides.0, height: sides.1)
    let overhang = picture.overhang(of: exact)
    let rounded = FrameRect(
      center: exact.center, width: max(1, sides.0.rounded(.toNearestOrAwayFromZero)),
      height: max(1, sides.1.rounded(.toNearestOrAwayFromZero)))
    guard overhang < 1 else { throw .outside(rounded, frame: toFrame.target) }
    var recipe = CropRecipe(tilt: tilt)
    recipe.orientation = shown.inverse.followed(by: laid)
    recipe.rect = SelectionRules(bounds: picture).moved(rounded, to: rounded.origin)
    return (recipe, max(0, overhang))
  }

  /// The area of `crop` on the stored pixels of an image whose file states the orientation `shown`.
  ///
  /// The outline and the size of the result are not included.
  public init(_ crop: ResolvedCrop, shown: Orientation) {
    let laid = shown.followed(by: crop.orientation)
    let toBitmap = OrientationMap<FrameSpace, BitmapSpace>(laid.inverse, of: crop.frame)
    let picture = TiltedPicture(frame: crop.frame, tilt: crop.tilt)
    let isTransposing = laid.isTransposing
    self.init(
      center: toBitmap(picture.turnedBack(crop.rect.center)),
      width: isTransposing ? crop.rect.height : crop.rect.width,
      height: isTransposing ? crop.rect.width : crop.rect.height,
      angle: CropAngle(degrees: (laid.isMirrored ? crop.tilt.degrees : -crop.tilt.degrees) + 0),
      orientation: laid)
  }

  /// The corner that is at the top left before the rectangle is turned, in stored pixels.
  public var start: BitmapPoint { corner(-1) }

  /// The corner that is at the bottom right before the rectangle is turned, in stored pixels.
  public var end: BitmapPoint { corner(1) }

  private func corner(_ sign: Double) -> BitmapPoint {
    BitmapPoint(x: center.x + sign * width / 2, y: center.y + sign * height / 2)
      .rotated(by: angle, about: center)
  }

  /// The rectangle that has these opposite corners after it is turned clockwise by `angle`.
  ///
  /// For the vector (x, y) between the corners: `width = x·cos + y·sin`, `height = −x·sin + y·cos`.
  public init(from start: BitmapPoint, to end: BitmapPoint, angle: CropAngle) {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let (cosine, sine) = angle.degrees == 0 ? (1, 0) : (angle.cosine, angle.sine)
    self.init(
      center: BitmapPoint(x: (start.x + end.x) / 2, y: (start.y + end.y) / 2),
      width: x * cosine + y * sine, height: y * cosine - x * sine, angle: angle)
  }
}
