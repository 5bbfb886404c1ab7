/// A recipe checked against one picture, with every number decided: what an engine carries out.
public struct ResolvedCrop: Hashable, Sendable {
  /// The upright picture's size.
  public let image: ImageSize
  /// The mirror and turns that lead from the image to the frame.
  public let orientation: Orientation
  /// The frame's size.
  public let frame: FrameSize
  /// The clockwise tilt of the picture about the frame's centre.
  public let tilt: Angle
  /// The part to cut, in frame pixels.
  public let rect: FrameRect
  /// The outline of the result.
  public let shape: CropShape
  /// The size of the result, in pixels.
  public let output: FrameSize

  /// The size of the rectangle, in whole pixels.
  public var rectSize: FrameSize {
    FrameSize(width: Int(rect.width), height: Int(rect.height))
  }

  /// The pixels to cut from the image before mirror and turns; nil under a tilt.
  public var imageRect: ImageRect? {
    guard tilt.degrees == 0, let pixels = PixelRect(exactly: rect) else { return nil }
    return OrientationMap<ImageSpace, FrameSpace>(orientation, of: image).inverse(pixels)
  }

  /// Whether every pixel of the result is one of the picture's: no tilt, no outline, no new size.
  public var keepsPixels: Bool { tilt.degrees == 0 && shape == .rectangle && output == rectSize }

  /// Whether the result is the picture itself, untouched.
  public var isIdentity: Bool { orientation == .up && showsAll }

  /// Whether the result is the whole picture, mirrored or turned by quarters, and nothing else.
  public var isTurn: Bool { orientation != .up && showsAll }

  private var showsAll: Bool { keepsPixels && rect == frame.bounds }
}

extension ResolvedCrop {
  /// A crop whose numbers were decided elsewhere, once they were checked against the picture.
  ///
  /// - Throws: as ``CropRecipe/resolved(for:)``, but for a ratio of `output` that is not the rectangle's.
  public init(
    checking rect: FrameRect, of image: ImageSize, orientation: Orientation, tilt: Angle,
    shape: CropShape, output: FrameSize
  ) throws(RecipeError) {
    guard !image.isEmpty else { throw .emptyPicture }
    try CropRecipe(rect: rect, tilt: tilt, shape: shape).checkNumbers()
    let frame = OrientationMap<ImageSpace, FrameSpace>(orientation, of: image).target
    try TiltedPicture(frame: frame, tilt: tilt).check(rect)
    self.init(
      image: image, orientation: orientation, frame: frame, tilt: tilt, rect: rect, shape: shape,
      output: output)
    // What is larger than any recipe may ask for can still be cut as it is.
    if output != rectSize { try CropRecipe.checkSide(output.width, output.height) }
  }

  /// The same crop, whose result has the size of the rectangle.
  public var unscaled: Self { scaled(to: rectSize) }

  /// The same crop, whose result has this size.
  public func scaled(to output: FrameSize) -> Self {
    Self(
      image: image, orientation: orientation, frame: frame, tilt: tilt, rect: rect, shape: shape,
      output: output)
  }

  /// The same crop of a part that was cut out of the picture beforehand; nil where `part` does not hold
  /// all of it, and under a tilt, which is about the middle of the whole picture.
  public func inside(_ part: ImageRect) -> Self? {
    guard let pixels = imageRect, part.rect.contains(pixels.rect) else { return nil }
    let size = ImageSize(width: part.width, height: part.height)
    let toFrame = OrientationMap<ImageSpace, FrameSpace>(orientation, of: size)
    let moved = ImageRect(
      x: pixels.x - part.x, y: pixels.y - part.y, width: pixels.width, height: pixels.height)
    return Self(
      image: size, orientation: orientation, frame: toFrame.target, tilt: tilt,
      rect: toFrame(moved).rect, shape: shape, output: output)
  }
}

extension TiltedPicture {
  /// - Throws: why a rectangle can't be cut out of the picture, if it can't.
  func check(_ rect: FrameRect) throws(RecipeError) {
    if tilt.degrees == 0 {
      guard frame.bounds.contains(rect) else { throw .outside(rect, frame: frame) }
    } else {
      guard contains(rect) else { throw .blankCorner(rect, frame: frame) }
    }
  }
}

extension CropRecipe {
  /// Checks the recipe against an upright picture of the given size and decides every number.
  ///
  /// - Throws: the first reason, in the order of the recipe's fields, why it can't be carried out.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  public func resolved(for image: ImageSize) throws(RecipeError) -> ResolvedCrop {
    guard !image.isEmpty else { throw .emptyPicture }
    let recipe = normalized()
    try recipe.checkNumbers()
    let frame = OrientationMap<ImageSpace, FrameSpace>(recipe.orientation, of: image).target
    let picture = TiltedPicture(frame: frame, tilt: recipe.tilt)
    let rect = recipe.rect ?? picture.largestCentered
    try picture.check(rect)
    return ResolvedCrop(
      image: image, orientation: recipe.orientation, frame: frame, tilt: recipe.tilt, rect: rect,
      shape: recipe.shape, output: try recipe.outputSize(of: rect))
  }

  /// Checks what can be checked without a picture.
  ///
  /// - Throws: the first number that can't be.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  public func checkNumbers() throws(RecipeError) {
    guard tilt.degrees.isFinite else { throw .notFinite }
    guard abs(tilt.degrees) <= Self.largestTilt.degrees else {
      throw .tiltOutOfRange(degrees: tilt.degrees)
    }
    if let rect { try checkRect(rect) }
    if case .roundedRectangle(let radius) = shape {
      guard radius.isFinite else { throw .notFinite }
      guard radius >= 0 else { throw .negativeRadius(radius) }
    }
    switch output {
    case .exact(let width, let height): try Self.checkSide(width, height)
    // Larger than any picture is no limit; a result is never scaled up to it.
    case .maxSide(let side): guard side >= 1 else { throw .maxSideTooSmall(side) }
    case nil: break
    }
  }

  private func checkRect(_ rect: FrameRect) throws(RecipeError) {
    guard rect.x.isFinite, rect.y.isFinite, rect.width.isFinite, rect.height.isFinite else {
      throw .notFinite
    }
    guard rect.width >= 1, rect.height >= 1, Int32(exactly: rect.width) != nil,
      Int32(exactly: rect.height) != nil
    else { throw .sizeNotWhole(width: rect.width, height: rect.height) }
    let grain = tilt.degrees == 0 ? 1 : Self.tiltedGrain
    guard Int64(exactly: rect.x / grain) != nil, Int64(exactly: rect.y / grain) != nil else {
      throw .positionOffGrid(x: rect.x, y: rect.y)
    }
  }

  static func checkSide(_ width: Int, _ height: Int) throws(RecipeError) {
    let valid = 1...RecipeError.largestOutputSide
    guard valid.contains(width), valid.contains(height) else {
      throw .outputSize(width: width, height: height)
    }
  }

  private func outputSize(of rect: FrameRect) throws(RecipeError) -> FrameSize {
    let size = FrameSize(width: Int(rect.width), height: Int(rect.height))
    switch output {
    case nil: return size
    case .exact(let width, let height):
      // A pixel along a side of the output or of the rectangle is rounding: the cross products of
      // equal ratios are equal, and a pixel of one side changes them by the other size's side.
      let difference = abs(Double(width) * rect.height - Double(height) * rect.width)
      guard difference <= max(Double(width), Double(height), rect.width, rect.height) else {
        throw .outputRatio(width: width, height: height, rect: size)
      }
      return FrameSize(width: width, height: height)
    case .maxSide(let side):
      let longer = max(size.width, size.height)
      guard longer > side else { return size }
      let scale = Double(side) / Double(longer)
      return FrameSize(
        width: max(1, Int((rect.width * scale).rounded(.toNearestOrAwayFromZero))),
        height: max(1, Int((rect.height * scale).rounded(.toNearestOrAwayFromZero))))
    }
  }
}
