/// The part of an image that every crop should keep: a rectangle on the upright image, in fractions
/// of its sides.
public struct FocusBox: Hashable, Sendable {
  /// The left edge, 0 to 1.
  public var x: Double
  /// The top edge, 0 to 1.
  public var y: Double
  /// The width, 0 to 1 − ``x``; 0 for a point.
  public var width: Double
  /// The height, 0 to 1 − ``y``; 0 for a point.
  public var height: Double

  /// A rectangle, or a point if no size is given; nil unless it is inside the image.
  public init?(x: Double, y: Double, width: Double = 0, height: Double = 0) {
    // Tolerates rounding of decimals by one part in 10⁹.
    let most = 1 + 1e-9
    guard x >= 0, y >= 0, width >= 0, height >= 0, x + width <= most, y + height <= most else {
      return nil
    }
    self.x = x
    self.y = y
    self.width = min(width, 1 - x)
    self.height = min(height, 1 - y)
  }

  /// The bounding box of the focus on the frame, after `orientation` and the tilt of `picture`.
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

// The focus on the screen, drawn on a photo without tilt.
extension FocusBox {
  /// The rectangle on the frame of an image without a tilt, in frame pixels.
  public func rect(of image: ImageSize, _ orientation: Orientation) -> FrameRect {
    let (across, down) = (Double(image.width), Double(image.height))
    let box = CropRect<ImageSpace>(
      x: x * across, y: y * down, width: width * across, height: height * down)
    return OrientationMap<ImageSpace, FrameSpace>(orientation, of: image)(box)
  }

  /// The rectangle on the frame, in whole frame pixels. Each side is at least a fiftieth of the
  /// frame's side, so that even a point can be seen and dragged.
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

  /// The focus for a rectangle of the frame, on an image without a tilt; nil unless the rectangle
  /// is inside the image.
  public init?(_ rect: FrameRect, of image: ImageSize, _ orientation: Orientation) {
    guard !image.isEmpty else { return nil }
    let box = OrientationMap<ImageSpace, FrameSpace>(orientation, of: image).inverse(rect)
    let (across, down) = (Double(image.width), Double(image.height))
    self.init(
      x: box.x / across, y: box.y / down, width: box.width / across, height: box.height / down)
  }
}
