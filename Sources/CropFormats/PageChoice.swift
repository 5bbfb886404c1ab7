/// Which frames of an animation, or pages of a file, are cropped.
public enum PageChoice: Sendable, Hashable {
  /// All frames of an animation where the result's format can hold them; otherwise the first frame or
  /// the main page, with a warning.
  case automatic
  /// One, counted from 1. In HEIC and AVIF the main picture is the first.
  case only(Int)
  /// All; refused where the result's format can't hold them.
  case all

  /// The page whose structure describes the picture, from 1.
  public var first: Int {
    if case .only(let page) = self { page } else { 1 }
  }
}

extension PageChoice {
  /// - Throws: `CropError.invalidRecipe` for a page that a file of `count` has not.
  public func check(count: Int, file: String) throws(CropError) {
    guard !(1...max(1, count)).contains(first) else { return }
    throw .invalidRecipe(
      file: file,
      detail: "there is no page \(first); it has \(count == 1 ? "one" : "\(count), from 1 on")")
  }
}

extension ImageInfo {
  /// The frames or pages, whichever there are.
  public var pictureCount: Int { max(frameCount, pageCount) }
}
