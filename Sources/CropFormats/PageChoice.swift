/// Which frames of an animation, or pages of a file, to crop.
public enum PageChoice: Sendable, Hashable {
  /// All frames of an animation if the result's format supports them; otherwise the first frame or
  /// the main page, with a warning.
  case automatic
  /// A single one, counted from 1. In HEIC and AVIF, the main image is the first.
  case only(Int)
  /// All of them; an error if the result's format does not support several.
  case all
  /// A range, counted from 1; an error if the result's format does not support several.
  case range(ClosedRange<Int>)

  /// The page whose properties describe the image, from 1.
  public var first: Int {
    switch self {
    case .only(let page): page
    case .range(let pages): pages.lowerBound
    case .automatic, .all: 1
    }
  }

  /// The selected pages of a file of `count` pages, from 1.
  public func pages(of count: Int) -> ClosedRange<Int> {
    switch self {
    case .only(let page): page...page
    case .range(let pages): pages
    case .automatic, .all: 1...max(1, count)
    }
  }

  /// Whether the choice can select several pages.
  public var isSeveral: Bool {
    switch self {
    case .all, .range: true
    case .automatic, .only: false
    }
  }
}

extension PageChoice {
  /// Checks that a file with `count` frames or pages has the selected ones; `file` is its name in
  /// messages.
  ///
  /// - Throws: `CropError.invalidRecipe` if one does not exist.
  public func check(count: Int, file: String) throws(CropError) {
    let last = isSeveral ? pages(of: count).upperBound : first
    guard let missing = [first, last].first(where: { !(1...max(1, count)).contains($0) }) else {
      return
    }
    throw .invalidRecipe(
      file: file,
      detail: "there is no frame or page \(missing); the file has \(count)")
  }
}

extension ImageInfo {
  /// The number of frames or pages, whichever is larger.
  public var pictureCount: Int { max(frameCount, pageCount) }
}
