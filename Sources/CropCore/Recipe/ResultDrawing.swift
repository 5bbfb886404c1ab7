/// How to draw a result on a canvas: its size, and the position of the image on it.
///
///     let drawing = try recipe.resolved(for: image).drawing(of: .right)
///     canvas.size = drawing.size
///     canvas.clip(to: drawing.shape, corners: drawing.cornerWidth, drawing.cornerHeight)
///     canvas.transform = drawing.map
///     canvas.draw(storedPixels)
///
/// Four corners take two steps: draw with `map` on a canvas of the size of `part`, then map its
/// pixels to the result with `QuadSampler` of CropKernels.
public struct ResultDrawing<Source>: Hashable, Sendable {
  /// The size of the result, in pixels.
  public let size: PixelSize<ResultSpace>
  /// The size of the part from which four corners are straightened, in pixels; nil for other crops.
  public let part: PixelSize<FrameSpace>?
  /// Maps points of the source to the result; points outside `size` are cut off. For four corners,
  /// it maps to the part.
  public let map: Affine<Source, ResultSpace>
  /// Whether each pixel of the result is a pixel of the source, so that interpolation must be off.
  public let copiesPixels: Bool
  /// The outline of the result. A radius is in pixels of the recipe's rectangle: draw with
  /// `cornerWidth` and `cornerHeight`.
  public let shape: CropShape
  /// The horizontal radius of a rounded corner, in pixels of the result; 0 for other outlines.
  public let cornerWidth: Double
  /// The vertical radius of a rounded corner, in pixels of the result; 0 for other outlines.
  public let cornerHeight: Double
}

extension ResolvedCrop {
  /// How to draw the result from the upright image.
  public var drawing: ResultDrawing<ImageSpace> { drawing { $0 } }

  /// How to draw the result from the stored pixels, whose EXIF orientation is `orientation`.
  public func drawing(of orientation: Orientation) -> ResultDrawing<BitmapSpace> {
    let stored = OrientationMap<ImageSpace, BitmapSpace>(orientation.inverse, of: image).target
    let toImage = OrientationMap<BitmapSpace, ImageSpace>(orientation, of: stored)
    return drawing { toImage($0) }
  }

  private func drawing<Source>(_ upright: (CropPoint<Source>) -> ImagePoint) -> ResultDrawing<
    Source
  > {
    let toFrame = OrientationMap<ImageSpace, FrameSpace>(orientation, of: image)
    let picture = TiltedPicture(frame: frame, tilt: tilt)
    let part = quad == nil ? rect : neededPart.rect
    let whole = rectSize
    let across = Double(output.width) / Double(whole.width)
    let down = Double(output.height) / Double(whole.height)
    let scale = quad == nil ? (across, down) : (1, 1)
    func result(_ x: Double, _ y: Double) -> CropPoint<ResultSpace> {
      let point = picture.turned(toFrame(upright(CropPoint(x: x, y: y))))
      return CropPoint(x: (point.x - part.x) * scale.0, y: (point.y - part.y) * scale.1)
    }
    var radius = 0.0
    if case .roundedRectangle(let asked) = shape {
      radius = min(asked, Double(min(whole.width, whole.height)) / 2)
    }
    return ResultDrawing(
      size: PixelSize(width: output.width, height: output.height),
      part: quad == nil ? nil : neededPart.size,
      map: Affine(origin: result(0, 0), right: result(1, 0), down: result(0, 1)),
      copiesPixels: quad != nil || (tilt.degrees == 0 && output == whole),
      shape: shape, cornerWidth: radius * across, cornerHeight: radius * down)
  }
}
