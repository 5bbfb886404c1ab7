/// The part of a picture that every crop should keep: a box of the upright image, as fractions of its
/// sides.
public struct FocusBox: Hashable, Sendable {
  /// The left edge, 0 to 1.
  public var x: Double
  /// The top edge, 0 to 1.
  public var y: Double
  /// The width, 0 to 1 − ``x``; 0 for a point.
  public var width: Double
  /// The height, 0 to 1 − ``y``; 0 for a point.
  public var height: Double

  /// A box, or a point where no size is given; nil unless all of it lies in the picture.
  public init?(x: Double, y: Double, width: Double = 0, height: Double = 0) {
    // One part in 10⁹ is what decimals lose on their way.
    let most = 1 + 1e-9
    guard x >= 0, y >= 0, width >= 0, height >= 0, x + width <= most, y + height <= most else {
      return nil
    }
    self.x = x
    self.y = y
    self.width = min(width, 1 - x)
    self.height = min(height, 1 - y)
  }

  /// The smallest upright rectangle of the frame around the box, where `orientation` and the tilt of
  /// `picture` put it.
  func bounds(in picture: TiltedPicture, of image: ImageSize, _ orientation: Orientation)
    -> FrameRect
  {
    let (across, down) = (Double(image.width), Double(image.height))
    let box = Rect<ImageSpace>(
      x: x * across, y: y * down, width: width * across, height: height * down)
    let upright = OrientationMap<ImageSpace, FrameSpace>(orientation, of: image)(box)
    let half = picture.halfExtent(width: upright.width, height: upright.height)
    return FrameRect(
      center: picture.turned(upright.center), width: 2 * half.dx, height: 2 * half.dy)
  }
}
