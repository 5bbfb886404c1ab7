import CropCore
import CropImaging

/// What `cropkit crop` was asked to do with one picture.
struct CropJob: Equatable {
  var task: CropTask
  var isForced = false
  var isJSON = false
  /// Whether only warnings and errors are told.
  var isQuiet = false
  var limits = Limits()

  /// Does it.
  ///
  /// - Throws: `CropError`.
  func run() throws {
    do {
      try crop()
    } catch {
      if isJSON { try? Terminal.print(json: CropFailure(error, input: task.input.name)) }
      throw error
    }
  }

  private func crop() throws(CropError) {
    if isJSON { try OwnProgram.checkStandardOutput() }
    // A name that is wrong is told before the picture is read.
    _ = try task.namedFormat()
    let source = try task.input.source(limits: limits)
    let target = try ResultPlace(
      task.output, input: source, isForced: isForced, isInPlace: task.isInPlace)
    let waiting = isQuiet ? nil : WaitingLine(task.input.name)
    defer { waiting?.end() }
    let engine = CropEngine.command(limits: limits)
    let picture = try engine.open(
      source, isLenient: task.options.isLenient, page: task.options.page.first)
    let options = try task.options(for: picture.info)
    let (recipe, remarks) = try task.what.recipe(for: picture.info, of: source)
    var result = try engine.crop(
      picture, recipe: recipe, options: options, into: target.file, isReplacing: task.isInPlace,
      dropsRest: task.dropsRest)
    result.warnings += remarks
    try target.save(result)
    waiting?.end()
    try CropReport(result, of: picture.info, recipe, options, task)
      .tell(isJSON: isJSON, isQuiet: isQuiet)
  }
}
