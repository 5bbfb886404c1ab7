#if canImport(UIKit)
  import CropCore
  import UIKit

  extension UIImage {
    /// Crops the image at full resolution; the result's scale is 1.
    ///
    /// All eight orientations are supported. Color space, depth and alpha are kept.
    ///
    /// - Parameters:
    ///   - recipe: the recipe of the crop.
    ///   - canvas: the canvas around the result; nil for none.
    /// - Throws: ``PictureError``.
    public func cropped(
      by recipe: CropRecipe, on canvas: ResultCanvas? = nil
    ) async throws -> UIImage {
      guard let picture = CropPicture(self) else { throw PictureError.unreadable }
      return try await picture.cropped(by: recipe, on: canvas?.resolved())
    }
  }
#endif
