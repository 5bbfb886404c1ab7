import ArgumentParser
import CropCore
import CropImaging

/// `cropkit crop --dry-run`: shows the planned crops, as far as the images' headers allow.
struct DryRun {
  let isForced: Bool
  let isJSON: Bool
  /// Whether the folder for the results already exists.
  let isFolderThere: Bool
  let limits: Limits

  /// The planned result.
  private struct Plan: Encodable {
    let input: String
    let output: String
    /// The name of its target.
    let target: String?
    let format: PictureFormat
    /// The size of the result in pixels.
    let width: Int
    let height: Int
    /// The crop rectangle, in pixels of the frame.
    let rect: FrameRect
    let warnings: [CropWarning]
    let dryRun = true
  }

  /// Prints the planned result of each crop.
  ///
  /// - Throws: the only image's `CropError`, or `ExitCode(1)` if any of several can't be cropped.
  func run(_ tasks: [Result<CropTask, CropError>]) throws {
    if isJSON { try OwnProgram.checkStandardOutput() }
    let engine = CropEngine.command(limits: limits)
    var places = OutputConflicts(inputs: tasks.compactMap { try? $0.get().input })
    var failures: [CropError] = []
    for task in tasks {
      do throws(CropError) {
        let task = try task.get()
        try places.claim(task)
        try tell(plan(task, engine))
      } catch {
        failures.append(error)
        if tasks.count > 1 { Terminal.warn(error.message) }
      }
    }
    guard let error = failures.first else { return }
    throw tasks.count > 1 ? ExitCode(1) : error as any Error
  }

  private func plan(_ task: CropTask, _ engine: CropEngine) throws(CropError) -> Plan {
    let source = try task.input.source(limits: limits)
    if isFolderThere {
      _ = try ResultPlace(task, input: source, isForced: isForced)
    }
    let picture = try engine.open(source, options: task.options)
    let planned = try PlannedCrop(task, of: picture, in: source, by: engine)
    let crop = try planned.resolved()
    let size = try planned.size()
    if task.isInPlace, !task.dropsRest {
      try engine.checkReplacing(picture, by: planned.recipe, options: planned.options)
    }
    return Plan(
      input: task.input.name, output: task.output.name, target: task.what.target?.target.name,
      format: planned.format, width: size.width, height: size.height,
      rect: crop.rect, warnings: planned.warnings)
  }

  private func tell(_ plan: Plan) throws(CropError) {
    let rect = plan.rect
    for warning in plan.warnings {
      Terminal.warn("\(plan.output): warning: \(warning.message)")
    }
    Terminal.warn(
      "\(plan.output): would be \(plan.format.displayName), \(plan.width) × \(plan.height), of "
        + "\(Int(rect.width)) × \(Int(rect.height)) from \(Int(rect.x)),\(Int(rect.y))")
    if isJSON { try Terminal.print(json: plan) }
  }
}
