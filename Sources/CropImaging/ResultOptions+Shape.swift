import CropCore
import CropFormats

extension ResultOptions {
  /// The options for a recipe whose shape is to be transparent outside: where no format is chosen and
  /// the source's holds no transparency, PNG.
  ///
  /// What writes a file under a name that is given (`CropEngine.crop`) keeps
  /// the source's format, and ``background`` shows around the shape.
  public func keepingShape(of recipe: CropRecipe, from source: PictureFormat) -> ResultOptions {
    guard format == nil, recipe.shape != .rectangle, !source.holdsAlpha else { return self }
    var options = self
    options.format = .png
    return options
  }
}
