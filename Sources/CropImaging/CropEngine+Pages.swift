import CropCore

extension CropEngine {
  /// One TIFF of all pages or frames, each cropped by the same recipe.
  func allPages(
    _ picture: OpenedPicture, recipe: CropRecipe, options: ResultOptions
  ) throws(CropError) -> CropResult {
    let name = picture.source.name
    var pages = TIFFPages()
    var whole: CropResult?
    try forEachPage(from: 1, of: picture) { opened, page throws(CropError) in
      var single = options
      single.page = .only(page)
      let result = try crop(opened, recipe: recipe, options: single)
      guard pages.append(result.bytes) else {
        throw .workerDied(file: name, detail: "page \(page) of its result can't be read")
      }
      guard pages.bytes.count <= min(limits.memory, TIFFPages.mostBytes) else {
        throw .limitExceeded(
          file: name, limit: .memory, actual: pages.bytes.count, allowed: limits.memory)
      }
      guard var sum = whole else {
        whole = result
        return
      }
      sum.isLossless = sum.isLossless && result.isLossless
      sum.warnings = Self.merged(sum.warnings, result.warnings)
      whole = sum
    }
    guard var whole else { throw .corrupt(file: name, detail: "it has no page") }
    whole.bytes = pages.bytes
    whole.pictureCount = picture.info.pictureCount
    whole.warnings.removeAll { $0.code == "frames-dropped" }
    return whole
  }

  /// Makes sure that the pages after the first, if it has pages, can be decoded.
  ///
  /// - Throws: what is wrong with one, and which it is.
  func checkOtherPages(of picture: OpenedPicture) throws(CropError) {
    guard picture.info.pageCount > 1 else { return }
    try forEachPage(from: 2, of: picture) { opened, page throws(CropError) in
      _ = try backend.preview(
        opened.source, info: opened.info, maxSide: 64,
        options: ResultOptions(
          metadata: .stripAll, convertsToSRGB: true, page: .only(page)),
        limits: limits)
    }
  }

  /// Calls `body` for each page or frame, from 1, in the time that one picture may take.
  ///
  /// - Throws: what `body` throws; what is wrong with a page says which it is.
  private func forEachPage(
    from first: Int, of picture: OpenedPicture,
    _ body: (OpenedPicture, Int) throws(CropError) -> Void
  ) throws(CropError) {
    let start = ContinuousClock.now
    for page in first...picture.info.pictureCount {
      guard start.duration(to: .now) < .seconds(limits.seconds) else {
        throw .timedOut(file: picture.source.name, seconds: limits.seconds)
      }
      do throws(CropError) {
        try body(open(picture.source, isLenient: picture.isLenient, page: page), page)
      } catch .invalidRecipe(let file, let detail) {
        throw .invalidRecipe(file: file, detail: "page \(page): \(detail)")
      } catch .corrupt(let file, let detail) {
        throw .corrupt(file: file, detail: "page \(page): \(detail)")
      }
    }
  }
}
