import CropCore
import CropImaging

/// The arguments of `cropkit crop` for one image.
struct CropJob: Equatable {
  var task: CropTask
  var isForced = false
  /// Whether the result gets the time of the input's last change.
  var keepsTime = false
  var isJSON = false
  /// Whether only warnings and errors are printed.
  var isQuiet = false
  var limits = Limits()

  /// Runs the job.
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
    // Reports an invalid name before the image is read.
    _ = try task.namedFormat()
    let source = try task.input.source(limits: limits)
    // Reports an output that can't be written before the image is read, unless its name depends on
    // the image.
    let early = try task.lateName == nil ? place(task, source) : nil
    let waiting = isQuiet ? nil : WaitingLine(task.input.name)
    defer { waiting?.end() }
    let engine = CropEngine.command(limits: limits)
    let picture = try engine.open(source, options: task.options)
    let planned = try PlannedCrop(task, of: picture, in: source, by: engine)
    let task = try task.named(for: planned)
    let target = if let early { early } else { try place(task, source) }
    let result = try planned.result(of: task, by: engine, into: target.file)
    try target.save(result)
    waiting?.end()
    try CropReport(result, of: planned, task).print(isJSON: isJSON, isQuiet: isQuiet)
  }

  private func place(_ task: CropTask, _ source: ImageSource) throws(CropError) -> ResultPlace {
    try ResultPlace(task, input: source, isForced: isForced, keepsTime: keepsTime)
  }
}

extension PlannedCrop {
  /// Plans a task for an image that was opened from `source`.
  ///
  /// - Throws: `CropError` for an invalid output or recipe.
  init(
    _ task: CropTask, of picture: OpenedImage, in source: ImageSource, by engine: CropEngine
  ) throws(CropError) {
    var options = try task.options(for: picture.info)
    var remarks: [CropWarning] = []
    if let target = task.what.target {
      let crop = try target.crop(on: picture.info)
      options = try options.fitted(to: crop)
      remarks = CropWarning.all(of: crop, for: target.target)
    }
    // Once for all pages: it may be on standard input.
    var what = try task.what.readingRecipe()
    if let print = what.print {
      options.size = .print(print.size)
      (options.bleed, options.enlarges) = (print.bleed, what.enlarges)
      what.print?.dpi = options.dpi
    }
    let (recipe, warnings) = try what.recipe(
      for: picture, of: source, by: engine, options: options)
    self.init(recipe, of: picture, options: options, warnings: warnings + remarks)
    let (page, spec) = (options, what)
    recipeOfPage = { (picture) throws(CropError) in
      try spec.recipe(for: picture, of: source, by: engine, options: page).recipe
    }
  }
}

extension CropTask {
  /// Which existing file may be at the output.
  func replacing(isForced: Bool) -> AtomicFile.Replacing {
    isInPlace ? .input : isForced ? .existing : .nothing
  }
}
