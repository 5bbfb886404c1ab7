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

  /// - Throws: `CropError.invalidRecipe` for a page that is not there, and for all of
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
  /// - Throws: `CropError.limitExceeded` for an animation whose frames
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
