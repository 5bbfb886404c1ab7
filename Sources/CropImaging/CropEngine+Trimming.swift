import CropCore
import CropFormats
import CropKernels

extension CropEngine {
  /// The default tolerance: how far a channel of a border pixel may differ from the border's color,
  /// of 255.
  public static var usualTolerance: Int { BorderedPixels.usualTolerance }

  /// The area inside the uniform border of an image that was opened with the leniency and page of
  /// `options`; the complete image if it has no border.
  ///
  /// - Parameters:
  ///   - picture: the image, opened by this engine.
  ///   - tolerance: by how much the border's pixels may differ, 0 to 255.
  ///   - options: the page or frame, and the leniency.
  /// - Throws: an error for an unreadable image; `CropError.invalidRecipe` for an image of a single
  ///   color, or if several pages are selected.
  public func insideBorder(
    of picture: OpenedImage, tolerance: Int = CropEngine.usualTolerance,
    options: ResultOptions = ResultOptions()
  ) throws(CropError) -> ImageRect {
    let (source, info) = (picture.source, picture.info)
    guard (0...255).contains(tolerance) else {
      throw .usage(detail: "a tolerance of \(tolerance) is not allowed; use 0 to 255")
    }
    try options.checkPages(of: info, file: source.name)
    try options.checkFrames(of: info, file: source.name, limits: limits)
    guard !options.takesPages(of: info) else {
      throw .invalidRecipe(
        file: source.name, detail: "its pages have different borders; choose one page")
    }
    let whole = try picture.resolved(CropRecipe())
    let found = try backend.insideBorder(
      PixelRequest(source, info: info, crop: whole, options: options, limits: limits),
      tolerance: tolerance)
    guard let found else {
      throw .invalidRecipe(
        file: source.name,
        detail: "the whole image has one color, so that trimming would leave nothing; "
          + "use a smaller tolerance or do not trim it")
    }
    guard found.width >= 1, found.height >= 1, info.shown.bounds.contains(found.rect) else {
      throw .workerDied(file: source.name, detail: "the border that it found is not in the image")
    }
    return found
  }

  /// The recipe that cuts the area inside the border, turned and mirrored as in `recipe`, and
  /// warnings.
  ///
  /// - Throws: as ``insideBorder(of:tolerance:options:)``; `CropError.invalidRecipe` if `recipe`
  ///   cuts a part of the image or straightens it.
  public func trimming(
    _ recipe: CropRecipe, of picture: OpenedImage,
    tolerance: Int = CropEngine.usualTolerance, options: ResultOptions = ResultOptions()
  ) throws(CropError) -> (recipe: CropRecipe, warnings: [CropWarning]) {
    guard recipe.rect == nil, recipe.quad == nil, recipe.tilt.degrees == 0 else {
      throw .invalidRecipe(
        file: picture.source.name,
        detail: "only a whole image can be trimmed; remove the rectangle, corners or tilt")
    }
    let inside = try insideBorder(of: picture, tolerance: tolerance, options: options)
    let image = picture.info.shown
    guard inside.width < image.width || inside.height < image.height else {
      return (recipe, [.nothingToTrim])
    }
    var trimmed = recipe
    trimmed.rect =
      OrientationMap<ImageSpace, FrameSpace>(recipe.orientation, of: image)(inside).rect
    return (trimmed, [])
  }
}

extension CropWarning {
  /// The image has no uniform border.
  public static var nothingToTrim: Self {
    Self(code: "nothing-to-trim", message: "it has no uniform border; nothing was trimmed")
  }
}
