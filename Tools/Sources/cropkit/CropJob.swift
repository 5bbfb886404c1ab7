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
    let target = try ResultPlace(task, input: source, isForced: isForced)
    let waiting = isQuiet ? nil : WaitingLine(task.input.name)
    defer { waiting?.end() }
    let engine = CropEngine.command(limits: limits)
    let picture = try engine.open(
      source, isLenient: task.options.isLenient, page: task.options.page.first)
    let crop = try PlannedCrop(task, of: source, picture.info)
    let result = try crop.result(of: picture, by: engine, into: target.file)
    try target.save(result)
    waiting?.end()
    try crop.report(result).tell(isJSON: isJSON, isQuiet: isQuiet)
  }
}

/// What a task comes to for a picture whose header is known: the one way from there to a result, of `crop`,
/// `targets`, `batch` and its streams, and dry runs.
struct PlannedCrop {
  let task: CropTask
  let info: ImageInfo
  let options: ResultOptions
  let recipe: CropRecipe
  /// What a person should know of the crop of a target or of another program.
  let warnings: [CropWarning]

  /// - Throws: `CropError` for an output or a recipe that can't be.
  init(_ task: CropTask, of source: PictureSource, _ info: ImageInfo) throws(CropError) {
    self.task = task
    self.info = info
    options = try task.options(for: info)
    let (recipe, remarks) = try task.what.recipe(for: info, of: source)
    self.recipe = recipe
    warnings = try remarks + (task.what.target?.warnings(on: info.shown) ?? [])
  }

  /// What is cut, in pixels.
  ///
  /// - Throws: `CropError.invalidRecipe`.
  func resolved() throws(CropError) -> ResolvedCrop {
    do throws(RecipeError) {
      return try recipe.resolved(for: info.shown)
    } catch {
      throw .invalidRecipe(file: task.input.name, detail: error.message(for: info.shown))
    }
  }

  /// Crops; a large result is made in `file`.
  ///
  /// - Throws: as `CropEngine.crop`.
  func result(
    of picture: OpenedPicture, by engine: CropEngine, into file: ResultFile?
  ) throws(CropError) -> CropResult {
    var result = try engine.crop(
      picture, recipe: recipe, options: options, into: file, isReplacing: task.isInPlace,
      dropsRest: task.dropsRest)
    result.warnings += warnings
    return result
  }

  /// What is said of a result.
  func report(_ result: CropResult) -> CropReport {
    CropReport(result, of: info, recipe, options, task)
  }
}

extension CropTask {
  /// What may be at the output.
  func replacing(isForced: Bool) -> AtomicFile.Replacing {
    isInPlace ? .input : isForced ? .existing : .nothing
  }
}
