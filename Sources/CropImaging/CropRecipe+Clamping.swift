import CropCore
import CropFormats

extension CropRecipe {
  /// The recipe whose rectangle is cut to an image, as `clamped(to:)` returns it, and a warning if
  /// that changes it.
  public func clamping(
    to image: ImageSize
  ) -> (recipe: CropRecipe, warnings: [CropWarning]) {
    let recipe = clamped(to: image)
    guard let rect, let kept = recipe.rect, kept != rect else { return (recipe, []) }
    return (recipe, [.clamped(rect, to: kept)])
  }
}

extension CropWarning {
  /// A rectangle was cut to the image.
  public static func clamped(_ rect: FrameRect, to kept: FrameRect) -> Self {
    func words(_ rect: FrameRect) -> String {
      let numbers = [rect.x, rect.y, rect.width, rect.height]
      return numbers.map { Int(exactly: $0).map(String.init) ?? "\($0)" }.joined(separator: ",")
    }
    return Self(
      code: "clamped",
      message: "the rectangle \(words(rect)) was cut to \(words(kept)), which is inside the image")
  }
}
