import CropCore

extension RecipeError {
  /// Describes what is wrong with a recipe for an upright image of the given size, and what would
  /// be valid.
  public func message(for image: ImageSize) -> String {
    var numbers = [Double(image.width), Double(image.height)]
    var text = tell(of: image) { numbers.append($0) }.text
    for (index, number) in numbers.enumerated() {
      text.replace("{\(index)}", with: Int(exactly: number).map(String.init) ?? "\(number)")
    }
    return text
  }
}

extension CropRecipe {
  /// Checks the recipe against an upright image, as ``resolved(for:)`` does. `file` is the file's
  /// name in messages.
  ///
  /// - Throws: `CropError.invalidRecipe`.
  public func resolved(for image: ImageSize, file: String) throws(CropError) -> ResolvedCrop {
    do throws(RecipeError) {
      return try resolved(for: image)
    } catch {
      throw .invalidRecipe(file: file, detail: error.message(for: image))
    }
  }
}
