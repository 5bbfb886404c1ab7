/// How a face that has a canvas draws a result: its size, and where the picture goes on it.
///
///     let drawing = try recipe.resolved(for: image).drawing(of: .right)
///     canvas.size = drawing.size
///     canvas.clip(to: drawing.shape, corners: drawing.cornerWidth, drawing.cornerHeight)
///     canvas.transform = drawing.map
///     canvas.draw(storedPixels)
public struct ResultDrawing<Source>: Hashable, Sendable {
  /// The size of the result, in pixels.
  public let size: PixelSize<ResultSpace>
  /// Where the points of the source lie in the result; what is outside of `size` is cut away.
  public let map: Affine<Source, ResultSpace>
  /// Whether each pixel of the result is one of the source's, so that nothing is to be smoothed.
  public let copiesPixels: Bool
  /// The outline of the result. A radius is in pixels of the recipe's rectangle: draw with
  /// `cornerWidth` and `cornerHeight`.
  public let shape: CropShape
  /// How wide a rounded corner is, in pixels of the result; 0 for other outlines.
  public let cornerWidth: Double
  /// How high a rounded corner is, in pixels of the result; 0 for other outlines.
  public let cornerHeight: Double
}

extension ResolvedCrop {
  /// How to draw the result from the upright picture; not of four corners, of which only the size and the
  /// outline hold.
  public var drawing: ResultDrawing<ImageSpace> { drawing { $0 } }

  /// How to draw the result from the stored pixels, which `orientation` (the EXIF flag) would lay down
  /// upright.
  public func drawing(of orientation: Orientation) -> ResultDrawing<BitmapSpace> {
    let stored = OrientationMap<ImageSpace, BitmapSpace>(orientation.inverse, of: image).target
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(orientation, of: stored)
    return drawing { toImage($0) }
  }

  private func drawing<Source>(_ upright: (Point<Source>) -> ImagePoint) -> ResultDrawing<Source> {
    let toFrame = OrientationMap<ImageSpace, FrameSpace>(orientation, of: image)
    let picture = TiltedPicture(frame: frame, tilt: tilt)
    let part = quad == nil ? rect : rectSize.bounds
    let across = Double(output.width) / part.width
    let down = Double(output.height) / part.height
    func result(_ x: Double, _ y: Double) -> Point<ResultSpace> {
      let point = picture.turned(toFrame(upright(Point(x: x, y: y))))
      return Point(x: (point.x - rect.x) * across, y: (point.y - rect.y) * down)
    }
    var radius = 0.0
    if case .roundedRectangle(let asked) = shape {
      radius = min(asked, part.width / 2, part.height / 2)
    }
    return ResultDrawing(
      size: PixelSize(width: output.width, height: output.height),
      map: Affine(origin: result(0, 0), right: result(1, 0), down: result(0, 1)),
      copiesPixels: tilt.degrees == 0 && quad == nil && output == rectSize,
      shape: shape, cornerWidth: radius * across, cornerHeight: radius * down)
  }
}
