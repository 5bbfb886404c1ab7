#if canImport(UIKit)
  import CropCore
  import Foundation

  /// Why an image could not be cropped, loaded or saved.
  public enum PictureError: Error, Hashable, Sendable {
    /// The recipe does not fit the image.
    case recipe(RecipeError)
    /// There is not enough memory for a result of this many pixels.
    case tooLarge(width: Int, height: Int)
    /// A side of the canvas around the result is too long, or its margin leaves no space for the
    /// crop.
    case canvas
    /// The bytes are not an image that the system can decode.
    case unreadable
    /// The system could not write the result.
    case unwritable
    /// The user has not allowed the app to add to the photo library.
    case noAccess
  }
#endif
