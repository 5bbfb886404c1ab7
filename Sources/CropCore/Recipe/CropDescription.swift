/// What to crop, described without the image: an area, turns, a shape and a size, or a recipe.
///
/// When the image is known, ``recipe(for:jpeg:)`` turns it into a recipe.
public struct CropDescription: Hashable, Sendable {
  /// A circle was asked for, and the rectangle is not square.
  public struct NotSquare: Error, Hashable, Sendable {
    /// The size of the rectangle, in pixels.
    public let rect: FrameSize
  }

  /// The area to keep; nil for the complete image.
  public var area: CropArea?
  /// Whether a rectangle that is partly outside the image is cut to it.
  public var clamps = false
  /// Four corners instead of the area, as alternating x and y.
  public var quad: [CropLength]?
  /// The size of the area between the corners.
  public var quadSize = QuadSize.edges
  /// Clockwise quarter turns, before the crop.
  public var quarterTurns = 0
  /// Whether the image is mirrored left to right, before the turns.
  public var isMirrored = false
  /// The clockwise tilt.
  public var tilt = CropAngle.zero
  /// The outline of the result.
  public var shape = CropShape.rectangle
  /// Whether the shape requires a square.
  public var isCircle = false
  /// The focus for an area without a position.
  public var focus: FocusBox?
  /// The size of the result.
  public var output: OutputSize?
  /// The width of the result in pixels; the height follows from the ratio.
  public var width: Int?
  /// The height of the result in pixels; the width follows from the ratio.
  public var height: Int?
  /// The print that the result becomes.
  public var print: CropPrint?
  /// Whether a crop with too few pixels for its print is enlarged.
  public var enlarges = false
  /// A recipe instead of all of these, except for the size.
  public var recipe: CropRecipe?

  /// The complete image.
  public init() {}

  /// The recipe for an image, and the rectangle that was asked for if it was cut to the image.
  ///
  /// The recipe is not checked: ``CropRecipe/resolved(for:)`` does that.
  ///
  /// - Parameters:
  ///   - image: the size of the upright image, in pixels.
  ///   - jpeg: the JPEG in which it is stored; nil for another file.
  /// - Throws: `NotSquare` for a circle whose area is not square.
  public func recipe(
    for image: ImageSize, jpeg: StoredJPEG?
  ) throws(NotSquare) -> (recipe: CropRecipe, clamped: FrameRect?) {
    let asked = asked(for: image, jpeg)
    let kept = clamps ? asked.clamped(to: image) : asked
    let recipe = try sized(kept, on: image)
    return (recipe, asked.rect == kept.rect ? nil : asked.rect)
  }

  /// The recipe without a size, whose rectangle may be outside the image.
  private func asked(for image: ImageSize, _ jpeg: StoredJPEG?) -> CropRecipe {
    if let recipe { return recipe }
    var result = CropRecipe(
      quarterTurns: quarterTurns, isMirrored: isMirrored, tilt: tilt, shape: shape)
    if let quad { quadArea(quad, &result, image) }
    // An invalid tilt is rejected with the recipe; it needs no area.
    guard let area, abs(tilt.degrees) <= CropRecipe.largestTilt.degrees else { return result }
    result.rect = area.rect(
      of: image, PictureTransform(orientation: result.orientation, tilt: tilt), focus: focus,
      jpeg: jpeg)
    return result
  }

  private func quadArea(_ corners: [CropLength], _ recipe: inout CropRecipe, _ image: ImageSize) {
    let frame = OrientationMap<ImageSpace, FrameSpace>(recipe.orientation, of: image).target
    guard let quad = Quad(corners, on: frame) else { return }
    straighten(quad, &recipe, in: frame)
  }

  /// Sets four corners in the frame, and the size of the area between them.
  public func straighten(_ quad: Quad, _ recipe: inout CropRecipe, in frame: FrameSize) {
    recipe.quad = quad
    // Invalid corners are rejected with the recipe; they have no size.
    guard quadSize != .edges, quad.fault(in: frame) == nil else { return }
    let size = quad.size(quadSize, in: frame)
    recipe.output = .exact(width: size.width, height: size.height)
  }

  /// A recipe with the size that is asked for beside it.
  private func sized(_ recipe: CropRecipe, on image: ImageSize) throws(NotSquare) -> CropRecipe {
    var result = recipe
    switch output {
    case .exact: result.output = output
    case .maxSide(let side): result = recipe.limited(toSide: side)
    case nil: break
    }
    return try finished(result, on: image)
  }

  /// A recipe whose rectangle is what is left of a trimmed image, with the area placed in that and
  /// the size that follows from it.
  ///
  /// - Parameters:
  ///   - recipe: without a tilt; without a rectangle, the complete image is left.
  ///   - image: the size of the upright image, in pixels.
  ///   - jpeg: the JPEG in which it is stored; nil for another file.
  /// - Throws: `NotSquare` for a circle whose area is not square.
  public func placed(
    in recipe: CropRecipe, of image: ImageSize, jpeg: StoredJPEG?
  ) throws(NotSquare) -> CropRecipe {
    var result = recipe
    if let area {
      let frame = OrientationMap<ImageSpace, FrameSpace>(recipe.orientation, of: image).target
      result.rect = area.rect(
        of: image, PictureTransform(orientation: recipe.orientation), focus: focus, jpeg: jpeg,
        inside: recipe.rect ?? frame.bounds)
    }
    return try finished(result, on: image)
  }

  /// The same without the area, and what depends on it.
  public var withoutArea: Self {
    var result = self
    (result.area, result.isCircle, result.width, result.height) = (nil, false, nil, nil)
    return result
  }

  /// A recipe with the size that follows from its area, if ``width`` or ``height`` is given.
  ///
  /// - Throws: `NotSquare` for a circle whose area is not square.
  public func finished(
    _ recipe: CropRecipe, on image: ImageSize
  ) throws(NotSquare) -> CropRecipe {
    var result = print?.sized(recipe, on: image, enlarges: enlarges).recipe ?? recipe
    // Invalid values are rejected with the recipe.
    guard isCircle || width != nil || height != nil, let crop = try? result.resolved(for: image)
    else { return result }
    let part = crop.rect
    if isCircle, part.width != part.height {
      throw NotSquare(rect: FrameSize(width: Int(part.width), height: Int(part.height)))
    }
    let (across, down) = (Double(crop.output.width), Double(crop.output.height))
    func side(_ length: Double) -> Int { max(1, Int(min(length, 1e9).rounded())) }
    if let width {
      result.output = .exact(width: width, height: side(Double(width) / across * down))
    } else if let height {
      result.output = .exact(width: side(Double(height) / down * across), height: height)
    }
    return result
  }
}
