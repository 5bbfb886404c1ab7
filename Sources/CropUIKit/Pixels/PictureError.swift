#if canImport(UIKit)
  import CropCore
  import Foundation

  /// Why a picture could not be cropped.
  public enum PictureError: Error, Hashable, Sendable {
    /// The recipe does not fit the picture.
    case recipe(RecipeError)
    /// There is not enough memory for a result of so many pixels.
    case tooLarge(width: Int, height: Int)
    /// The bytes are no picture that the system can read.
    case unreadable
    /// The system could not write the result.
    case unwritable
    /// The person has not allowed the app to add to the photo library.
    case noAccess
  }
#endif
