/// Why a recipe can't be carried out, by itself or on a given picture.
public enum RecipeError: Error, Hashable, Sendable {
  /// A number is infinite or not a number.
  case notFinite
  /// The tilt, in degrees, is outside −45 to 45.
  case tiltOutOfRange(degrees: Double)
  /// The rectangle's width or height is not a whole number of at least 1.
  case sizeNotWhole(width: Double, height: Double)
  /// `x` or `y` is not whole (or, under a tilt, not a multiple of 1/64).
  case positionOffGrid(x: Double, y: Double)
  /// The rectangle reaches past the frame, which has the size given.
  case outside(FrameRect, frame: FrameSize)
  /// A corner of the rectangle lies outside the tilted picture, whose frame has the size given.
  case blankCorner(FrameRect, frame: FrameSize)
  /// The corner radius, in pixels, is negative.
  case negativeRadius(Double)
  /// A side of the output is less than 1 or more than ``largestOutputSide``.
  case outputSize(width: Int, height: Int)
  /// The longest side of the output is less than 1.
  case maxSideTooSmall(Int)
  /// The ratio of the output differs from the rectangle's by more than a pixel.
  case outputRatio(width: Int, height: Int, rect: FrameSize)
  /// The four corners can't be straightened, for the reason given.
  case quad(QuadFault, Quad)
  /// The picture has no pixels.
  case emptyPicture
  /// Four corners can't be shown or straightened here.
  case quadNotTaken
  /// A target's recipe has four corners; targets are cut by rectangles.
  case quadInTarget
  /// A target's recipe lays the picture down in another way than its document.
  case otherLaying

  /// The most pixels along a side of an output: what every supported format but WebP can hold.
  public static var largestOutputSide: Int { 65_535 }
}
