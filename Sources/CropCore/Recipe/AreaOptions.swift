/// The options that determine the area to keep, as users give them.
public struct AreaOptions: Hashable, Sendable {
  /// Why options can't be combined.
  public enum Conflict: Hashable, Sendable {
    /// Gravity or a focus needs a rectangle without a position.
    case placeNeedsArea
    /// There is no rectangle to cut to the image.
    case clampNeedsRect
    /// The name of a size, or a ratio as a size, needs four corners.
    case sizeNeedsQuad
    /// A circle is not possible between four corners.
    case circleWithQuad
    /// A bleed or enlarging needs a size on paper.
    case printNeeded
    /// A circle needs a size that is square, such as this side in pixels.
    case circleNeedsSquare(side: Int)
  }

  /// A rectangle.
  public var rect: CropArea?
  /// What is cut off each side.
  public var inset: CropArea?
  /// The ratio of the largest rectangle.
  public var aspect: AspectRatio?
  /// The position of a rectangle without one.
  public var gravity: Gravity?
  /// Whether there is a focus.
  public var hasFocus = false
  /// Whether a rectangle is cut to the image.
  public var clamps = false
  /// Whether there are four corners.
  public var hasQuad = false
  /// Whether the shape requires a square.
  public var isCircle = false
  /// The exact size of the result.
  public var size: FrameSize?
  /// Whether the size is a name or a ratio instead.
  public var isSizeNamed = false
  /// The size of the result on paper.
  public var printSize: PrintSize?
  /// The bleed of the result on paper.
  public var bleed: PrintLength?
  /// Whether a crop with too few pixels for its size on paper is enlarged.
  public var enlarges = false
  /// The width of the result.
  public var width: Int?
  /// The height of the result.
  public var height: Int?
  /// Whether there is a recipe.
  public var hasRecipe = false

  /// No options.
  public init() {}

  /// The exact size of the result, if both sides are given.
  public var box: FrameSize? {
    if let size { return size }
    guard let width, let height else { return nil }
    return FrameSize(width: width, height: height)
  }

  /// The print that the result becomes, with the usual density; nil if it has no size on paper.
  public var print: CropPrint? { printSize.map { CropPrint($0, bleed: bleed) } }

  /// The area to keep; nil for the complete image.
  public var area: CropArea? {
    let gravity = gravity ?? .center
    if case .sized(let width, let height, _) = rect {
      return .sized(width: width, height: height, gravity)
    }
    if let area = rect ?? inset { return area }
    if let aspect { return .ratio(aspect, gravity) }
    if hasQuad { return nil }
    if isCircle { return .ratio(.square, gravity) }
    if let print { return .ratio(print.whole.ratio, gravity) }
    return box.flatMap { AspectRatio($0.width, $0.height) }.map { .ratio($0, gravity) }
  }

  /// Why the options can't be combined; nil if they can.
  public var conflict: Conflict? {
    if gravity != nil || hasFocus {
      switch area {
      case .ratio, .sized: break
      case .rectangle, .inset, nil: return .placeNeedsArea
      }
    }
    if clamps, rect == nil, !hasRecipe { return .clampNeedsRect }
    if isSizeNamed, !hasQuad { return .sizeNeedsQuad }
    if printSize == nil, bleed != nil || enlarges { return .printNeeded }
    if isCircle {
      if hasQuad { return .circleWithQuad }
      if let box = box ?? print?.pixels, box.width != box.height {
        return .circleNeedsSquare(side: min(box.width, box.height))
      }
    }
    return nil
  }
}
