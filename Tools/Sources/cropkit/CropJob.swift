import CropCore
import CropImaging

/// What `cropkit crop` was asked to do.
struct CropJob: Equatable {
  var input: FileArgument
  /// Where the result goes; nil only in place.
  var output: FileArgument?
  var isForced = false
  var isInPlace = false
  var isJSON = false
  var what = WhatToCut()
  var options = ResultOptions()
  var limits = Limits()

  /// Does it.
  ///
  /// - Throws: `CropError`.
  func run() throws {
    do {
      try crop()
    } catch {
      if isJSON { try? Terminal.print(json: CropFailure(error, input: input)) }
      throw error
    }
  }

  private func crop() throws(CropError) {
    let source = try input.source(limits: limits)
    let target = try ResultTarget(
      output ?? input, input: source, isForced: isForced, isInPlace: isInPlace)
    let engine = CropEngine.command(limits: limits)
    let picture = try engine.open(source, isLenient: options.isLenient, page: options.page.first)
    let info = picture.info
    var options = options
    if isInPlace, let format = options.format, format != info.format {
      throw .usage(
        detail: "\(input.name) is \(info.format.displayName) and keeps its name in place, so it "
          + "can't become \(format.displayName); use -o")
    }
    options.format = options.format ?? info.format
    let recipe = try what.recipe(for: info.shown)
    let result = try engine.crop(picture, recipe: recipe, options: options, into: target.file)
    try target.save(result)
    try report(result, of: info, recipe, options)
  }

  private func report(
    _ result: CropResult, of info: ImageInfo, _ recipe: CropRecipe, _ options: ResultOptions
  ) throws(CropError) {
    let output = output ?? input
    let name = output.isStandardStream ? "standard output" : output.name
    for warning in result.warnings {
      Terminal.complain("\(name): warning: \(warning.message)")
    }
    let summary = CropSummary(result, of: info, recipe, options)
    Terminal.complain("\(name): \(summary.text)")
    if isJSON {
      let asked = try? recipe.resolved(for: info.shown).rect
      try Terminal.print(json: CropReport(result, of: asked, input: input, output: output))
    }
  }
}
