/// A crop as other programs keep it beside a photo: a rectangle over the stored pixels, turned about its own
/// centre and not rounded to pixels.
///
///     stored pixels            A rectangle that is turned clockwise by `angle` over the pixels is upright
///     ┌───────────────┐        once the picture is turned back: the recipe's tilt is −`angle`, or +`angle`
///     │    ╱╲___      │        where the pixels are mirrored on their way to the frame.
///     │   ╱     ╲     │
///     │   ╲____ ╱     │
///     │        ╲      │
///     └───────────────┘
public struct BitmapCrop: Hashable, Sendable {
  /// The rectangle's centre, in stored pixels.
  public var center: BitmapPoint
  /// The rectangle's side along x before it is turned, in stored pixels.
  public var width: Double
  /// The rectangle's side along y before it is turned, in stored pixels.
  public var height: Double
  /// How far the rectangle is turned clockwise over the stored pixels.
  public var angle: Angle
  /// How the stored pixels are laid down to the frame; nil for as the file says.
  public var orientation: Orientation?

  /// A rectangle over stored pixels.
  public init(
    center: BitmapPoint, width: Double, height: Double, angle: Angle = .zero,
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
  /// The recipe that cuts this out of a picture, and how far the rectangle reached past its edges, in pixels.
  ///
  /// Sides are rounded to the nearest pixel, at least 1. A rectangle that reaches past an edge by less than a
  /// pixel is moved inside, and made smaller where it still does not fit.
  ///
  /// - Parameters:
  ///   - stored: the size of the stored pixels.
  ///   - shown: how the file says that they are laid down.
  /// - Throws: ``RecipeError`` for a rectangle that can't be cut out.
  public func recipe(
    of stored: BitmapSize, shown: Orientation
  ) throws(RecipeError) -> (recipe: CropRecipe, overhang: Double) {
    guard !stored.isEmpty else { throw .emptyPicture }
    // What is 2³¹ pixels long is no part of a picture, and numbers that are not finite fail too.
    guard abs(center.x) < 0x1p31, abs(center.y) < 0x1p31, abs(angle.degrees) < 0x1p31 else {
      throw .notFinite
    }
    guard width > 0, height > 0, width < 0x1p31, height < 0x1p31 else {
      throw .sizeNotWhole(width: width, height: height)
    }
    let laid = orientation ?? shown
    let toFrame = OrientationMap<BitmapSpace, FrameSpace>(laid, of: stored)
    let tilt = Angle(degrees: (laid.isMirrored ? angle.degrees : -angle.degrees) + 0)
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

  /// The same place as `crop`, on a picture whose file says `shown`.
  ///
  /// Its outline and the size of its result are not part of it.
  public init(_ crop: ResolvedCrop, shown: Orientation) {
    let laid = shown.followed(by: crop.orientation)
    let toBitmap = OrientationMap<FrameSpace, BitmapSpace>(laid.inverse, of: crop.frame)
    let picture = TiltedPicture(frame: crop.frame, tilt: crop.tilt)
    let isTransposing = laid.isTransposing
    self.init(
      center: toBitmap(picture.turnedBack(crop.rect.center)),
      width: isTransposing ? crop.rect.height : crop.rect.width,
      height: isTransposing ? crop.rect.width : crop.rect.height,
      angle: Angle(degrees: (laid.isMirrored ? crop.tilt.degrees : -crop.tilt.degrees) + 0),
      orientation: laid)
  }

  /// The corner that is the top left one before the rectangle is turned, in stored pixels.
  public var start: BitmapPoint { corner(-1) }

  /// The corner that is the bottom right one before the rectangle is turned, in stored pixels.
  public var end: BitmapPoint { corner(1) }

  private func corner(_ sign: Double) -> BitmapPoint {
    BitmapPoint(x: center.x + sign * width / 2, y: center.y + sign * height / 2)
      .rotated(by: angle, about: center)
  }

  /// The rectangle whose opposite corners these are, once it is turned clockwise by `angle`.
  ///
  /// With x and y from one corner to the other: `width = x·cos + y·sin`, `height = −x·sin + y·cos`.
  public init(from start: BitmapPoint, to end: BitmapPoint, angle: Angle) {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let (cosine, sine) = angle.degrees == 0 ? (1, 0) : (angle.cosine, angle.sine)
    self.init(
      center: BitmapPoint(x: (start.x + end.x) / 2, y: (start.y + end.y) / 2),
      width: x * cosine + y * sine, height: y * cosine - x * sine, angle: angle)
  }
}
