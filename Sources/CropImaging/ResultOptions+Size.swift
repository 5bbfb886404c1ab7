import CropCore

extension ResultOptions {
  /// A recipe with the size that these options ask for.
  ///
  /// - Throws: `CropError.usage` if they ask for two sizes.
  public func sized(_ recipe: CropRecipe) throws(CropError) -> CropRecipe {
    guard maxSide == nil || size == nil else {
      throw .usage(detail: "a maximum side and a size can't be used together")
    }
    var result = recipe
    if let size { result.output = .exact(width: size.width, height: size.height) }
    if let maxSide { result = recipe.limited(toSide: maxSide) }
    return result
  }

  /// The same options without a size.
  var withoutSize: Self {
    var options = self
    (options.maxSide, options.size) = (nil, nil)
    return options
  }
}
