/// A recipe that was checked against an image, with every number determined: the input of the code
/// that makes pixels.
public struct ResolvedCrop: Hashable, Sendable {
  /// The size of the upright image.
  public let image: ImageSize
  /// The mirror and quarter turns from the image to the frame.
  public let orientation: Orientation
  /// The size of the frame.
  public let frame: FrameSize
  /// The clockwise tilt of the image about the frame's center.
  public let tilt: CropAngle
  /// The rectangle to cut, in frame pixels; for four corners, the smallest rectangle of whole
  /// pixels around them.
  public let rect: FrameRect
  /// The four corners to straighten, in frame pixels; nil if `rect` is cut.
  public let quad: Quad?
  /// The outline of the result.
  public let shape: CropShape
  /// The size of the result, in pixels.
  public let output: FrameSize

  /// The size of the crop before it is resampled to `output`, in whole pixels: that of the
  /// rectangle or of the straightened corners.
  public var rectSize: FrameSize {
    quad?.size ?? FrameSize(width: Int(rect.width), height: Int(rect.height))
  }

  /// The pixels to cut from the image, before mirror and turns; nil under a tilt and for four
  /// corners.
  public var imageRect: ImageRect? {
    guard tilt.degrees == 0, quad == nil, let pixels = PixelRect(exactly: rect) else { return nil }
    return OrientationMap<ImageSpace, FrameSpace>(orientation, of: image).inverse(pixels)
  }

  /// Whether every pixel of the result is a pixel of the image: there is no tilt, four corners,
  /// outline or other size.
  public var keepsPixels: Bool {
    tilt.degrees == 0 && quad == nil && shape == .rectangle && output == rectSize
  }

  /// Whether the result is the complete image, unchanged.
  public var isIdentity: Bool { orientation == .up && showsAll }

  /// Whether the result is the complete image, only mirrored or turned by quarter turns.
  public var isTurn: Bool { orientation != .up && showsAll }

  private var showsAll: Bool { keepsPixels && rect == frame.bounds }
}

extension ResolvedCrop {
  /// A crop whose numbers were determined elsewhere, checked against the image.
  ///
  /// - Throws: as ``CropRecipe/resolved(for:)``, except that `output` may have another ratio than
  ///   the rectangle.
  public init(
    checking rect: FrameRect, of image: ImageSize, orientation: Orientation, tilt: CropAngle,
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
    // A crop larger than the output limit is allowed if it isn't resampled.
    if output != rectSize { try CropRecipe.checkSide(output.width, output.height) }
  }

  /// The same crop without resampling: the result has the size of the rectangle.
  public var unscaled: Self { scaled(to: rectSize) }

  /// The same crop, with a result of the size `output`.
  public func scaled(to output: FrameSize) -> Self {
    Self(
      image: image, orientation: orientation, frame: frame, tilt: tilt, rect: rect, quad: quad,
      shape: shape, output: output)
  }

  /// The same crop, relative to a part that was cut from the image beforehand; nil if `part` does
  /// not contain the crop, and under a tilt, because that turns about the center of the complete
  /// image.
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
  /// Checks the corners.
  ///
  /// - Throws: why they are invalid for a frame of the given size.
  func check(in frame: FrameSize) throws(RecipeError) {
    if let fault = fault(in: frame) { throw .quad(fault, self) }
  }

  /// The smallest rectangle of whole pixels around the corners.
  var pixelBounds: FrameRect {
    let box = bounds
    let (left, top) = (box.minX.rounded(.down), box.minY.rounded(.down))
    return FrameRect(
      x: left, y: top, width: box.maxX.rounded(.up) - left, height: box.maxY.rounded(.up) - top)
  }
}

extension TiltedPicture {
  /// Checks the rectangle.
  ///
  /// - Throws: why it can't be cut from the image.
  func check(_ rect: FrameRect) throws(RecipeError) {
    if tilt.degrees == 0 {
      guard frame.bounds.contains(rect) else { throw .outside(rect, frame: frame) }
    } else {
      guard contains(rect) else { throw .blankCorner(rect, frame: frame) }
    }
  }
}

extension CropRecipe {
  /// Checks the recipe against an upright image of the given size and determines every number.
  ///
  /// - Throws: the first error, in the order of the recipe's fields.
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

  /// Whether ``resolved(for:)`` succeeds.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func fits(_ image: ImageSize) -> Bool {
    do {
      _ = try resolved(for: image)
      return true
    } catch { return false }
  }

  /// Checks everything that does not depend on an image.
  ///
  /// - Throws: the error of the first invalid number.
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
    // A limit larger than the image has no effect; a result is never scaled up to it.
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
      // Values that fit into 32 bits of grains exceed any image and are exact.
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

  /// The size of the result for a crop of the given size; with `isStretched`, any ratio is allowed.
  static func outputSize(
    _ output: OutputSize?, of part: FrameSize, isStretched: Bool
  ) throws(RecipeError) -> FrameSize {
    let (across, down) = (Double(part.width), Double(part.height))
    switch output {
    case nil: return part
    case .exact(let width, let height):
      // A pixel along a side of the output or of the rectangle is rounding, or half a pixel along
      // each: the cross products of equal ratios are equal, and a pixel of one side changes them by
      // the other size's side.
      let (wide, high) = (Double(width), Double(height))
      let difference = abs(wide * down - high * across)
      let most = max(wide, high, across, down, (wide + high + across + down) / 2)
      guard isStretched || difference <= most else {
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
