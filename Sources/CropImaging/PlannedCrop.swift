import CropCore
import CropFormats

/// A crop of an opened image, and how to write its result.
///
/// Every crop is made from one: those of the commands (`crop`, `targets`, `batch` and its streams,
/// dry runs), of the server and of its library.
public struct PlannedCrop: Sendable {
  /// Makes the recipe for a page, which was opened separately.
  public typealias RecipeOfPage = @Sendable (OpenedImage) throws(CropError) -> CropRecipe

  /// The image, opened with the leniency and page of `options`.
  public let picture: OpenedImage
  /// The recipe of the crop.
  public let recipe: CropRecipe
  /// The recipe for another page of the image; nil if ``recipe`` is for all.
  public var recipeOfPage: RecipeOfPage?
  /// How to write the result.
  public var options: ResultOptions
  /// Warnings about the crop, in addition to those about its result.
  public var warnings: [CropWarning]

  /// A crop by `recipe`.
  public init(
    _ recipe: CropRecipe, of picture: OpenedImage, options: ResultOptions = ResultOptions(),
    warnings: [CropWarning] = []
  ) {
    self.picture = picture
    self.recipe = recipe
    self.options = options
    self.warnings = warnings
  }

  /// The format of the result.
  public var format: ImageFormat { options.format ?? picture.info.format }

  /// The crop with every number determined, in pixels.
  ///
  /// - Throws: `CropError.invalidRecipe`, and `CropError.usage` for two sizes.
  public func resolved() throws(CropError) -> ResolvedCrop {
    try picture.resolved(options.sized(recipe, on: picture.info.shown))
  }

  /// The size of the result in pixels, as far as the image's header determines it. Under
  /// `LosslessMode.outward`, it is extended to whole JPEG blocks.
  ///
  /// - Throws: `CropError.invalidRecipe`, and `CropError.usage` for an invalid option.
  public func size() throws(CropError) -> FrameSize {
    try CropPlan(recipe, of: picture, options, limits: nil).size
  }

  /// Makes the crop, as ``CropEngine/crop(_:recipe:options:into:isReplacing:dropsRest:)`` does.
  public func result(
    by engine: CropEngine, into file: ResultFile? = nil, isReplacing: Bool = false,
    dropsRest: Bool = false
  ) throws(CropError) -> CropResult {
    var result = try engine.crop(
      picture, recipe: PageRecipes(recipe, others: recipeOfPage), options: options, into: file,
      isReplacing: isReplacing, dropsRest: dropsRest)
    result.warnings += warnings
    return result
  }
}
