import CropCore
import FoundationEssentials

extension CropRecipe {
  /// The recipe in a JSON text, as `view.recipe` of `<crop-view>` returns it.
  ///
  /// - Throws: `CropError.usage`, which says what is wrong with the text.
  public init(json text: String) throws(CropError) {
    do {
      self = try StrictJSON.decode(Self.self, from: Data(text.utf8))
    } catch {
      throw .usage(detail: "recipe: \(DecodingError.words(for: error))")
    }
  }
}
