/// Why a recipe is invalid, for any image or for a given one.
public enum RecipeError: Error, Hashable, Sendable {
  /// A number is infinite or not a number.
  case notFinite
  /// The tilt, in degrees, is outside −45 to 45.
  case tiltOutOfRange(degrees: Double)
  /// The rectangle's width or height is not an integer, or is less than 1.
  case sizeNotWhole(width: Double, height: Double)
  /// `x` or `y` is not an integer or, under a tilt, not a multiple of 1/64.
  case positionOffGrid(x: Double, y: Double)
  /// The rectangle extends beyond the frame, whose size is given.
  case outside(FrameRect, frame: FrameSize)
  /// A corner of the rectangle is outside the tilted image; the size of its frame is given.
  case blankCorner(FrameRect, frame: FrameSize)
  /// The corner radius, in pixels, is negative.
  case negativeRadius(Double)
  /// A side of the output is less than 1 or more than ``largestOutputSide``.
  case outputSize(width: Int, height: Int)
  /// The longest side of the output is less than 1.
  case maxSideTooSmall(Int)
  /// The ratio of the output differs from the rectangle's by more than a pixel.
  case outputRatio(width: Int, height: Int, rect: FrameSize)
  /// The four corners can't be straightened, for the given reason.
  case quad(QuadFault, Quad)
  /// The image has no pixels.
  case emptyPicture
  /// Four corners are not supported here.
  case quadNotTaken
  /// A target's recipe has four corners; targets support only rectangles.
  case quadInTarget
  /// A target's recipe has another orientation or tilt than its document.
  case otherTransform

  /// The longest side of an output, in pixels: the most that every supported format except WebP can
  /// store.
  public static var largestOutputSide: Int { 65_535 }
}

extension RecipeError {
  /// Returns which message describes the error, and passes the numbers in it to `number`, in the
  /// order of `Schema/recipe-errors.json`.
  ///
  /// - Parameters:
  ///   - image: the size of the upright image, in pixels.
  ///   - number: called with each number of the message.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  public func tell(of image: ImageSize, _ number: (Double) -> Void) -> RecipeErrorKind {
    func side(_ length: Int) { number(Double(length)) }
    func tell(_ rect: FrameRect, _ frame: FrameSize) {
      number(rect.x)
      number(rect.y)
      number(rect.width)
      number(rect.height)
      side(frame.width)
      side(frame.height)
    }
    switch self {
    case .notFinite: return .notFinite
    case .tiltOutOfRange(let degrees):
      number(degrees)
      return .tiltOutOfRange
    case .sizeNotWhole(let width, let height):
      number(width)
      number(height)
      return .sizeNotWhole
    case .positionOffGrid(let x, let y):
      number(x)
      number(y)
      return .positionOffGrid
    case .outside(let rect, let frame):
      tell(rect, frame)
      return frame.width == image.width ? .outside : .outsideTurned
    case .blankCorner(let rect, let frame):
      tell(rect, frame)
      return .blankCorner
    case .negativeRadius(let radius):
      number(radius)
      return .negativeRadius
    case .outputSize(let width, let height):
      side(width)
      side(height)
      return .outputSize
    case .maxSideTooSmall(let most):
      side(most)
      return .maxSideTooSmall
    case .outputRatio(let width, let height, let rect):
      side(width)
      side(height)
      side(rect.width)
      side(rect.height)
      return .outputRatio
    case .quad(let fault, let quad):
      for index in 0..<4 {
        number(quad[index].x)
        number(quad[index].y)
      }
      return fault.kind
    case .emptyPicture: return .emptyPicture
    case .quadNotTaken: return .quadNotTaken
    case .quadInTarget: return .quadInTarget
    case .otherTransform: return .otherTransform
    }
  }
}
