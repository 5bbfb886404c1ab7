import ArgumentParser
import CropCore
import CropImaging

/// `cropkit crop --dry-run`: what would be done, as far as the pictures' headers tell.
struct DryRun {
  let isForced: Bool
  let isJSON: Bool
  /// Whether the folder for the results need not be made first.
  let isFolderThere: Bool
  let limits: Limits

  /// What would be written.
  private struct Plan: Encodable {
    let input: String
    let output: String
    /// The name of the target that it is for.
    let target: String?
    let format: PictureFormat
    /// The size of the result in pixels.
    let width: Int
    let height: Int
    /// What would be cut, in pixels of the turned picture.
    let rect: FrameRect
    let warnings: [CropWarning]
    let dryRun = true
  }

  /// Tells of each crop what it would be.
  ///
  /// - Throws: the only picture's `CropError`, or `ExitCode(1)` if any of several can't be cropped.
  func run(_ tasks: [Result<CropTask, CropError>]) throws {
    if isJSON { try OwnProgram.checkStandardOutput() }
    let engine = CropEngine.command(limits: limits)
    var places = BatchPlaces(inputs: tasks.compactMap { try? $0.get().input })
    var failures: [CropError] = []
    for task in tasks {
      do throws(CropError) {
        let task = try task.get()
        try places.claim(task)
        try tell(plan(task, engine))
      } catch {
        failures.append(error)
        if tasks.count > 1 { Terminal.complain(error.message) }
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
    let info = try engine.info(
      source, isLenient: task.options.isLenient, page: task.options.page.first)
    let planned = try PlannedCrop(task, of: source, info)
    let crop = try planned.resolved()
    if task.isInPlace, !task.dropsRest {
      try engine.checkReplacing(
        info, by: planned.recipe, options: planned.options, file: task.input.name)
    }
    return Plan(
      input: task.input.name, output: task.output.name, target: task.what.target?.target.name,
      format: planned.options.format ?? info.format, width: crop.output.width,
      height: crop.output.height,
      rect: crop.rect, warnings: planned.warnings)
  }

  private func tell(_ plan: Plan) throws(CropError) {
    let rect = plan.rect
    for warning in plan.warnings {
      Terminal.complain("\(plan.output): warning: \(warning.message)")
    }
    Terminal.complain(
      "\(plan.output): would be \(plan.format.displayName), \(plan.width) × \(plan.height), of "
        + "\(Int(rect.width)) × \(Int(rect.height)) from \(Int(rect.x)),\(Int(rect.y))")
    if isJSON { try Terminal.print(json: plan) }
  }
}
