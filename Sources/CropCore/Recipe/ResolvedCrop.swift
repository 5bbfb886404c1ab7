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
  /// The part to cut, in frame pixels; of four corners the whole pixels around them.
  public let rect: FrameRect
  /// The four corners that become those of the result, in frame pixels; nil where `rect` is cut.
  public let quad: Quad?
  /// The outline of the result.
  public let shape: CropShape
  /// The size of the result, in pixels.
  public let output: FrameSize

  /// The size of the part before it is resampled to `output`, in whole pixels: the rectangle's, or that of
  /// the four corners straightened.
  public var rectSize: FrameSize {
    quad?.size ?? FrameSize(width: Int(rect.width), height: Int(rect.height))
  }

  /// The pixels to cut from the image before mirror and turns; nil under a tilt and of four corners.
  public var imageRect: ImageRect? {
    guard tilt.degrees == 0, quad == nil, let pixels = PixelRect(exactly: rect) else { return nil }
    return OrientationMap<ImageSpace, FrameSpace>(orientation, of: image).inverse(pixels)
  }

  /// Whether every pixel of the result is one of the picture's: no tilt, no four corners, no outline, no new
  /// size.
  public var keepsPixels: Bool {
    tilt.degrees == 0 && quad == nil && shape == .rectangle && output == rectSize
  }

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
    shape: CropShape, output: FrameSize, quad: Quad? = nil
  ) throws(RecipeError) {
    guard !image.isEmpty else { throw .emptyPicture }
    let recipe = CropRecipe(rect: quad == nil ? rect : nil, tilt: tilt, shape: shape, quad: quad)
    try recipe.checkNumbers()
    let frame = OrientationMap<ImageSpace, FrameSpace>(orientation, of: image).target
    try TiltedPicture(frame: frame, tilt: tilt).check(rect)
    try quad?.check(in: frame)
    self.init(
      image: image, orientation: orientation, frame: frame, tilt: tilt,
      rect: quad?.pixelBounds ?? rect, quad: quad, shape: shape, output: output)
    // What is larger than any recipe may ask for can still be cut as it is.
    if output != rectSize { try CropRecipe.checkSide(output.width, output.height) }
  }

  /// The same crop, whose result has the size of the rectangle.
  public var unscaled: Self { scaled(to: rectSize) }

  /// The same crop, whose result has this size.
  public func scaled(to output: FrameSize) -> Self {
    Self(
      image: image, orientation: orientation, frame: frame, tilt: tilt, rect: rect, quad: quad,
      shape: shape, output: output)
  }

  /// The same crop of a part that was cut out of the picture beforehand; nil where `part` does not hold
  /// all of it, and under a tilt, which is about the middle of the whole picture.
  public func inside(_ part: ImageRect) -> Self? {
    if let quad { return inside(part, quad) }
    guard let pixels = imageRect, part.rect.contains(pixels.rect) else { return nil }
    let size = ImageSize(width: part.width, height: part.height)
    let toFrame = OrientationMap<ImageSpace, FrameSpace>(orientation, of: size)
    let moved = ImageRect(
      x: pixels.x - part.x, y: pixels.y - part.y, width: pixels.width, height: pixels.height)
    return Self(
      image: size, orientation: orientation, frame: toFrame.target, tilt: tilt,
      rect: toFrame(moved).rect, quad: nil, shape: shape, output: output)
  }

  private func inside(_ part: ImageRect, _ quad: Quad) -> Self? {
    guard part.rect.contains(neededImagePart.rect) else { return nil }
    let place = OrientationMap<ImageSpace, FrameSpace>(orientation, of: image)(part)
    return Self(
      image: ImageSize(width: part.width, height: part.height), orientation: orientation,
      frame: FrameSize(width: place.width, height: place.height), tilt: tilt,
      rect: rect.offset(by: FrameVector(dx: -Double(place.x), dy: -Double(place.y))),
      quad: quad.map { FramePoint(x: $0.x - Double(place.x), y: $0.y - Double(place.y)) },
      shape: shape, output: output)
  }
}

extension Quad {
  /// - Throws: why the corners can't be those of a result from a frame of the given size.
  func check(in frame: FrameSize) throws(RecipeError) {
    if let fault = fault(in: frame) { throw .quad(fault, self) }
  }

  /// The whole pixels around the corners.
  var pixelBounds: FrameRect {
    let box = bounds
    let (left, top) = (box.minX.rounded(.down), box.minY.rounded(.down))
    return FrameRect(
      x: left, y: top, width: box.maxX.rounded(.up) - left, height: box.maxY.rounded(.up) - top)
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
    try recipe.quad?.check(in: frame)
    let rect = recipe.quad?.pixelBounds ?? recipe.rect ?? picture.largestCentered
    try picture.check(rect)
    return ResolvedCrop(
      image: image, orientation: recipe.orientation, frame: frame, tilt: recipe.tilt, rect: rect,
      quad: recipe.quad, shape: recipe.shape, output: try recipe.outputSize(of: rect))
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
    if let quad { try checkQuad(quad) }
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

  private func checkQuad(_ quad: Quad) throws(RecipeError) {
    for index in 0..<4 {
      guard quad[index].isFinite else { throw .notFinite }
      let (x, y) = (quad[index].x / Quad.grain, quad[index].y / Quad.grain)
      // What fits into 32 bits of grains is larger than any picture, and exact.
      guard Int32(exactly: x) != nil, Int32(exactly: y) != nil else { throw .quad(.offGrid, quad) }
    }
    if rect != nil { throw .quad(.besideRect, quad) }
    if tilt.degrees != 0 { throw .quad(.underTilt, quad) }
    if let fault = quad.fault { throw .quad(fault, quad) }
  }

  static func checkSide(_ width: Int, _ height: Int) throws(RecipeError) {
    let valid = 1...RecipeError.largestOutputSide
    guard valid.contains(width), valid.contains(height) else {
      throw .outputSize(width: width, height: height)
    }
  }

  private func outputSize(of rect: FrameRect) throws(RecipeError) -> FrameSize {
    if let quad { return try Self.outputSize(output, of: quad.size, isStretched: true) }
    let size = FrameSize(width: Int(rect.width), height: Int(rect.height))
    return try Self.outputSize(output, of: size, isStretched: false)
  }

  /// The size of a result whose part has a size; one that `isStretched` may get any ratio.
  static func outputSize(
    _ output: OutputSize?, of part: FrameSize, isStretched: Bool
  ) throws(RecipeError) -> FrameSize {
    let (across, down) = (Double(part.width), Double(part.height))
    switch output {
    case nil: return part
    case .exact(let width, let height):
      // A pixel along a side of the output or of the rectangle is rounding: the cross products of
      // equal ratios are equal, and a pixel of one side changes them by the other size's side.
      let difference = abs(Double(width) * down - Double(height) * across)
      guard isStretched || difference <= max(Double(width), Double(height), across, down) else {
        throw .outputRatio(width: width, height: height, rect: part)
      }
      return FrameSize(width: width, height: height)
    case .maxSide(let side):
      let longer = max(part.width, part.height)
      guard longer > side else { return part }
      let scale = Double(side) / Double(longer)
      return FrameSize(
        width: max(1, Int((across * scale).rounded(.toNearestOrAwayFromZero))),
        height: max(1, Int((down * scale).rounded(.toNearestOrAwayFromZero))))
    }
  }
}
