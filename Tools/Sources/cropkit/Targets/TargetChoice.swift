import CropCore
import CropImaging

/// One target of a photo, as it is known before the photo is.
struct TargetChoice: Equatable, Sendable {
  let input: FileArgument
  let target: PhotoTarget
  /// How the photo is laid down and what is kept, without other targets: what becomes of them is nothing
  /// to this one.
  let document: TargetDocument
  /// Whether a crop of fewer pixels than the target's size is scaled up to it.
  let enlarges: Bool

  /// The crop of a photo of the given upright size.
  ///
  /// - Throws: `CropError.invalidRecipe`.
  func crop(on image: ImageSize) throws(CropError) -> TargetCrop {
    do throws(RecipeError) {
      return try document.crop(of: target, on: image, enlarges: enlarges)
    } catch {
      throw .invalidRecipe(
        file: input.name, detail: "\(target.name): \(error.message(for: image))")
    }
  }

  /// What a person should know of that crop.
  func warnings(on image: ImageSize) throws(CropError) -> [CropWarning] {
    try CropWarning.all(of: crop(on: image), for: target)
  }
}
