import CropCore

/// The recipe for each page of a file. Amounts such as percent are already pixels in a recipe, so
/// pages of different sizes may need different ones.
struct PageRecipes: Sendable {
  let first: CropRecipe
  private let others: PlannedCrop.RecipeOfPage?

  /// `first` for every page, or the recipe that `others` returns for each.
  init(_ first: CropRecipe, others: PlannedCrop.RecipeOfPage? = nil) {
    self.first = first
    self.others = others
  }

  fileprivate func callAsFunction(for page: OpenedImage) throws(CropError) -> CropRecipe {
    guard let others else { return first }
    return try others(page)
  }
}

extension CropEngine {
  /// One TIFF of the requested pages or frames, each cropped by its recipe.
  func severalPages(
    _ picture: OpenedImage, recipe: PageRecipes, options: ResultOptions
  ) throws(CropError) -> CropResult {
    let name = picture.source.name
    var pages = TIFFPages()
    var whole: CropResult?
    let wanted = options.page.pages(of: picture.info.pictureCount)
    try forEachPage(in: wanted, of: picture) { opened, page throws(CropError) in
      var single = options
      single.page = .only(page)
      let result = try crop(opened, recipe: recipe(for: opened), options: single)
      guard pages.append(result.bytes) else {
        throw .workerDied(file: name, detail: "page \(page) of its result can't be read")
      }
      guard pages.bytes.count <= min(limits.memory, TIFFPages.maxBytes) else {
        throw .limitExceeded(
          file: name, limit: .memory, actual: pages.bytes.count, allowed: limits.memory)
      }
      guard var sum = whole else {
        whole = result
        return
      }
      sum.isLossless = sum.isLossless && result.isLossless
      sum.warnings = CropWarning.merged(sum.warnings, result.warnings)
      whole = sum
    }
    guard var whole else { throw .corrupt(file: name, detail: "it has no page") }
    whole.bytes = pages.bytes
    whole.pictureCount = wanted.count
    whole.warnings.removeAll { $0.code == "frames-dropped" }
    return whole
  }

  /// Checks that the pages after the first, if any, can be decoded.
  ///
  /// - Throws: an error for an invalid page, which it names.
  func checkOtherPages(of picture: OpenedImage) throws(CropError) {
    guard picture.info.pageCount > 1 else { return }
    try forEachPage(in: 2...picture.info.pageCount, of: picture) { opened, page throws(CropError) in
      _ = try backend.preview(
        opened.source, info: opened.info, maxSide: 64,
        options: ResultOptions(
          metadata: .stripAll, convertsToSRGB: true, page: .only(page)),
        limits: limits)
    }
  }

  /// Calls `body` for each of these pages or frames, counted from 1, within the time limit of one
  /// image.
  ///
  /// - Throws: any error of `body`; the error for an invalid page names the page.
  private func forEachPage(
    in pages: ClosedRange<Int>, of picture: OpenedImage,
    _ body: (OpenedImage, Int) throws(CropError) -> Void
  ) throws(CropError) {
    let start = ContinuousClock.now
    for page in pages {
      guard start.duration(to: .now) < .seconds(limits.seconds) else {
        throw .timedOut(file: picture.source.name, seconds: limits.seconds)
      }
      do throws(CropError) {
        try body(open(picture.source, isLenient: picture.isLenient, page: page), page)
      } catch .invalidRecipe(let file, let detail, let inside) {
        throw .invalidRecipe(file: file, detail: "page \(page): \(detail)", inside: inside)
      } catch .corrupt(let file, let detail) {
        throw .corrupt(file: file, detail: "page \(page): \(detail)")
      }
    }
  }
}
