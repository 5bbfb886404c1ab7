import CropCore
import CropImaging

/// A photo, its targets, and where their files go.
struct TargetPlan {
  let input: FileArgument
  let document: TargetDocument
  let folder: FileArgument
  /// What the files are called; nil is ``ResultNames/ofTargets``.
  var names: ResultNames?
  /// Whether crops of too few pixels are scaled up.
  var enlarges = false
  var options = ResultOptions()

  /// What is to be done for each target.
  ///
  /// - Throws: `CropError.usage` where there are none, or a name would not tell them apart.
  func tasks() throws(CropError) -> [Result<CropTask, CropError>] {
    let targets = document.targets
    guard !targets.isEmpty else { throw .usage(detail: "there are no targets") }
    guard !input.isStandardStream else {
      throw .usage(detail: "standard input has no name for files in a folder; name a file")
    }
    if let names, !names.hasTarget, targets.count > 1 {
      throw .usage(
        detail: "the name needs {target}; without it all \(targets.count) files have one name")
    }
    return targets.indices.map { index in
      Result { () throws(CropError) in try task(index) }
    }
  }

  private func task(_ index: Int) throws(CropError) -> CropTask {
    let target = document.targets[index]
    let output = try (names ?? .ofTargets).output(
      of: input, number: index + 1, target: target.name, format: options.format, in: folder)
    var what = WhatToCut()
    what.target = TargetChoice(
      input: input, target: target,
      document: TargetDocument(picture: document.picture, focus: document.focus),
      enlarges: enlarges)
    return CropTask(input: input, output: output, folder: folder, what: what, options: options)
  }
}
