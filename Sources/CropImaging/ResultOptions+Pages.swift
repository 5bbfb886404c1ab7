extension ResultOptions {
  /// Whether the result is an animation of all frames. A print sheet never is.
  public func animates(_ info: ImageInfo) -> Bool {
    guard sheet == nil, info.frameCount > 1, (format ?? info.format).isAnimated else {
      return false
    }
    if case .only = page { return false }
    return true
  }

  /// Whether the result has several frames or pages, as pages of one file.
  func takesPages(of info: ImageInfo) -> Bool {
    page.isSeveral && info.pictureCount > 1 && (format ?? info.format) == .tiff
  }

  /// The number of frames or pages of the result.
  func pageCount(of info: ImageInfo) -> Int {
    animates(info) || takesPages(of: info) ? page.pages(of: info.pictureCount).count : 1
  }

  /// Checks the selected pages.
  ///
  /// - Throws: `CropError.invalidRecipe` for a page that does not exist, and for several pages if
  ///   the format supports only one.
  func checkPages(of info: ImageInfo, file: String) throws(CropError) {
    try page.check(count: info.pictureCount, file: file)
    guard page.isSeveral, info.pictureCount > 1, !animates(info), !takesPages(of: info) else {
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
  /// Checks the number of pixels of an animation.
  ///
  /// - Throws: `CropError.limitExceeded` if its frames together have more pixels than an image may;
  ///   each frame counts as at least 64 × 64.
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
