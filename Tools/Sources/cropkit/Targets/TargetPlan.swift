import CropCore
import CropImaging

/// A photo, its targets, and the location of their files.
struct TargetPlan {
  let input: FileArgument
  let document: TargetDocument
  let folder: FileArgument
  /// The file of the only target, instead of one in the folder.
  var output: FileArgument?
  /// The pattern for the files' names; nil for ``ResultNames/ofTargets``.
  var names: ResultNames?
  /// Whether crops with too few pixels are enlarged.
  var enlarges = false
  var options = ResultOptions()

  /// The task for each target.
  ///
  /// - Throws: `CropError.usage` if there are no targets, or if a pattern would not give unique
  ///   names.
  func tasks() throws(CropError) -> [Result<CropTask, CropError>] {
    let targets = printing.targets
    guard !targets.isEmpty else { throw .usage(detail: "no targets") }
    guard !input.isStandardStream else {
      throw .usage(detail: "standard input has no name for files in a folder; name a file")
    }
    if output != nil, targets.count > 1 {
      throw .usage(detail: "-o takes one target, not \(targets.count); use -d FOLDER")
    }
    if let names, !names.hasTarget, targets.count > 1 {
      throw .usage(
        detail: "the name pattern needs {target}; without it, all \(targets.count) files "
          + "would have the same name")
    }
    return targets.indices.map { index in
      Result { () throws(CropError) in try task(index) }
    }
  }

  /// The document with the density and the bleed of the options.
  private var printing: TargetDocument {
    document.printing(dpi: options.dpi, bleed: options.bleed)
  }

  private func task(_ index: Int) throws(CropError) -> CropTask {
    let target = printing.targets[index]
    var what = CropSpec()
    what.target = TargetChoice(
      input: input, target: target,
      document: TargetDocument(picture: document.picture, focus: document.focus),
      enlarges: enlarges)
    if let output {
      return CropTask(input: input, output: output, what: what, options: options)
    }
    var task = CropTask(input: input, output: input, folder: folder, what: what, options: options)
    try task.name(names ?? .ofTargets, number: index + 1, in: folder)
    return task
  }
}

/// One target of a photo, before the photo is read.
struct TargetChoice: Equatable, Sendable {
  let input: FileArgument
  let target: PhotoTarget
  /// The photo's transform and focus, without the other targets, which do not affect this one.
  let document: TargetDocument
  /// Whether a crop with fewer pixels than the target's size is enlarged to it.
  let enlarges: Bool

  /// The crop of a photo.
  ///
  /// - Throws: `CropError.invalidRecipe`.
  func crop(on info: ImageInfo) throws(CropError) -> TargetCrop {
    do throws(RecipeError) {
      return try document.crop(
        of: target, on: info.shown, jpeg: info.storedJPEG, enlarges: enlarges)
    } catch {
      throw .invalidRecipe(
        file: input.name, detail: "\(target.name): \(error.message(for: info.shown))")
    }
  }
}
