import CropCore
import CropFormats
import CropKernels

extension CropEngine {
  /// The corners of the sheet, the painting or the screen that stands out most in an image that was
  /// opened with the leniency and page of `options`; nil if there is none.
  ///
  /// - Parameters:
  ///   - picture: the image, opened by this engine.
  ///   - orientation: the mirror and turns of the frame that the corners are in.
  ///   - options: the page or frame, and the leniency.
  /// - Returns: corners in whole pixels of the frame, clockwise from the one nearest to its top left.
  /// - Throws: an error for an unreadable image; `CropError.invalidRecipe` if several pages are
  ///   selected.
  public func sheet(
    in picture: OpenedImage, orientation: Orientation = .up,
    options: ResultOptions = ResultOptions()
  ) throws(CropError) -> Quad? {
    let (source, info) = (picture.source, picture.info)
    try options.checkPages(of: info, file: source.name)
    guard !options.takesPages(of: info) else {
      throw .invalidRecipe(
        file: source.name, detail: "its pages have different corners; choose one page")
    }
    let shown = FrameSize(width: info.shown.width, height: info.shown.height)
    let map = OrientationMap<FrameSpace, FrameSpace>(orientation, of: shown)
    guard
      let found = try backend.sheet(in: source, info: info, options: options, limits: limits)
    else { return nil }
    let whole = found.map {
      FramePoint(x: $0.x.rounded(.toNearestOrEven), y: $0.y.rounded(.toNearestOrEven))
    }
    guard whole.fault(in: shown) == nil else {
      throw .workerDied(file: source.name, detail: "the corners that it found are not in the image")
    }
    return whole.map { map($0) }.clockwise
  }

  /// The recipe that straightens the sheet in the image, turned and mirrored as in `recipe`, and a
  /// warning that says where it is.
  ///
  /// - Throws: as ``sheet(in:orientation:options:)``; `CropError.invalidRecipe` if there is none, or
  ///   if `recipe` cuts a part of the image or straightens it.
  public func straightening(
    _ recipe: CropRecipe, of picture: OpenedImage, options: ResultOptions = ResultOptions()
  ) throws(CropError) -> (recipe: CropRecipe, warnings: [CropWarning]) {
    guard recipe.rect == nil, recipe.quad == nil, recipe.tilt.degrees == 0 else {
      throw .invalidRecipe(
        file: picture.source.name,
        detail: "corners are only found in a whole image; remove the rectangle, corners or tilt")
    }
    guard let quad = try sheet(in: picture, orientation: recipe.orientation, options: options)
    else {
      throw .invalidRecipe(
        file: picture.source.name,
        detail: "no sheet, painting or screen stands out in it; give the four corners")
    }
    var straightened = recipe
    straightened.quad = quad
    return (straightened, [.cornersFound(quad)])
  }
}

extension CropWarning {
  /// Where four corners were found.
  static func cornersFound(_ quad: Quad) -> Self {
    let numbers = (0..<4).flatMap { [quad[$0].x, quad[$0].y] }.map { String(Int($0)) }
    return Self(
      code: "corners-found", message: "its corners were found at \(numbers.joined(separator: ","))")
  }
}
