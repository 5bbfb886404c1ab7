import CropCore

extension CropEngine {
  /// One TIFF of all pages or frames, each cropped by the same recipe.
  func allPages(
    _ picture: OpenedPicture, recipe: CropRecipe, options: ResultOptions
  ) throws(CropError) -> CropResult {
    let name = picture.source.name
    let start = ContinuousClock.now
    var pages = TIFFPages()
    var whole: CropResult?
    for page in 1...picture.info.pictureCount {
      guard start.duration(to: .now) < .seconds(limits.seconds) else {
        throw .timedOut(file: name, seconds: limits.seconds)
      }
      var single = options
      single.page = .only(page)
      let result: CropResult
      do throws(CropError) {
        let opened = try open(picture.source, isLenient: options.isLenient, page: page)
        result = try crop(opened, recipe: recipe, options: single)
      } catch .invalidRecipe(let file, let detail) {
        throw .invalidRecipe(file: file, detail: "page \(page): \(detail)")
      }
      guard pages.append(result.bytes) else {
        throw .workerDied(file: name, detail: "page \(page) of its result can't be read")
      }
      guard pages.bytes.count <= min(limits.memory, TIFFPages.mostBytes) else {
        throw .limitExceeded(
          file: name, limit: .memory, actual: pages.bytes.count, allowed: limits.memory)
      }
      guard var sum = whole else {
        whole = result
        continue
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
}
