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
    let upright = rect(of: image, orientation)
    guard picture.tilt.degrees != 0 else { return upright }
    let half = picture.halfExtent(width: upright.width, height: upright.height)
    return FrameRect(
      center: picture.turned(upright.center), width: 2 * half.dx, height: 2 * half.dy)
  }
}

// A focus on the screen, which is drawn on a photo that lies level.
extension FocusBox {
  /// Where it lies in the frame of a picture without a tilt, in frame pixels.
  public func rect(of image: ImageSize, _ orientation: Orientation) -> FrameRect {
    let (across, down) = (Double(image.width), Double(image.height))
    let box = Rect<ImageSpace>(
      x: x * across, y: y * down, width: width * across, height: height * down)
    return OrientationMap<ImageSpace, FrameSpace>(orientation, of: image)(box)
  }

  /// The same in whole pixels, and large enough to be seen and held: a fiftieth of the frame's side, also of
  /// a point.
  public func visibleRect(of image: ImageSize, _ orientation: Orientation) -> FrameRect {
    let rect = rect(of: image, orientation)
    let frame = OrientationMap<ImageSpace, FrameSpace>(orientation, of: image).target
    let (x, width) = Self.visible(rect.x, rect.width, of: Double(frame.width))
    let (y, height) = Self.visible(rect.y, rect.height, of: Double(frame.height))
    return FrameRect(x: x, y: y, width: width, height: height)
  }

  private static func visible(
    _ start: Double, _ length: Double, of most: Double
  ) -> (start: Double, length: Double) {
    let least = min(most, max(1, (most / 50).rounded()))
    let long = min(most, max(least, length.rounded()))
    return (min(max(0, (start + (length - long) / 2).rounded()), most - long), long)
  }

  /// The box that a rectangle of the frame is, on a picture without a tilt; nil unless all of it lies in the
  /// picture.
  public init?(_ rect: FrameRect, of image: ImageSize, _ orientation: Orientation) {
    guard !image.isEmpty else { return nil }
    let box = OrientationMap<ImageSpace, FrameSpace>(orientation, of: image).inverse(rect)
    let (across, down) = (Double(image.width), Double(image.height))
    self.init(
      x: box.x / across, y: box.y / down, width: box.width / across, height: box.height / down)
  }
}
