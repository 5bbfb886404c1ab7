/// Which frames of an animation, or pages of a file, are cropped.
public enum PageChoice: Sendable, Hashable, Codable {
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

extension PictureFormat {
  /// Whether the format has animations: GIF, WebP, and PNG as APNG.
  public var isAnimated: Bool {
    switch self {
    case .gif, .webp, .png: true
    case .jpeg, .tiff, .heic, .avif: false
    }
  }
}

extension ResultOptions {
  /// Whether all frames of an animation go into the result, as one animation.
  public func animates(_ info: ImageInfo) -> Bool {
    guard info.frameCount > 1, (format ?? info.format).isAnimated else { return false }
    if case .only = page { return false }
    return true
  }

  /// Whether all frames or pages go into the result, as pages of one file.
  func takesAllPages(of info: ImageInfo) -> Bool {
    page == .all && info.pictureCount > 1 && (format ?? info.format) == .tiff
  }

  /// - Throws: ``CropError/invalidRecipe(file:detail:)`` for a page that is not there, and for all of
  ///   them where the format holds one.
  func checkPages(of info: ImageInfo, file: String) throws(CropError) {
    try page.check(count: info.pictureCount, file: file)
    guard page == .all, info.pictureCount > 1, !animates(info), !takesAllPages(of: info) else {
      return
    }
    let format = (format ?? info.format).displayName
    throw .invalidRecipe(
      file: file,
      detail: "\(format) holds only one of its \(info.pictureCount) "
        + "\(info.frameCount > 1 ? "frames" : "pages"); choose one, or write "
        + (info.frameCount > 1 ? "GIF, WebP, PNG or TIFF" : "TIFF"))
  }
}

extension ResultOptions {
  /// - Throws: ``CropError/limitExceeded(file:limit:actual:allowed:)`` for an animation whose frames
  ///   have more pixels together than a picture may; a frame counts as 64 × 64 at least.
  func checkFrames(of info: ImageInfo, file: String, limits: Limits) throws(CropError) {
    guard animates(info) else { return }
    let canvas = Inspection.product(info.stored, bytes: 1)
    let (pixels, overflow) = max(canvas, 64 * 64).multipliedReportingOverflow(by: info.frameCount)
    guard !overflow, pixels <= limits.pixels else {
      throw .limitExceeded(
        file: file, limit: .pixels, actual: overflow ? .max : pixels, allowed: limits.pixels)
    }
  }
}

extension PageChoice {
  /// - Throws: ``CropError/invalidRecipe(file:detail:)`` for a page that a file of `count` has not.
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
