#if canImport(UIKit)
  import CropCore

  extension RatioChoice {
    /// A fixed ratio such as `.fixed(16, 9)`.
    ///
    /// - Precondition: the width and the height are at least 1. For numbers of a user, make an
    ///   `AspectRatio`, which may be nil.
    public static func fixed(_ width: Int, _ height: Int) -> RatioChoice {
      guard let ratio = AspectRatio(width, height) else {
        preconditionFailure("a ratio has terms of at least 1")
      }
      return .fixed(ratio)
    }
  }
#endif
