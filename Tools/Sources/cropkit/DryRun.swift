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
    let target: String?
    /// How it is made, and how if the file's data don't allow that.
    let route: CropPlan.Route
    let otherwise: CropPlan.Route?
    /// Where a C library reads the bytes of the file.
    let process: CropPlan.Process
    let format: ImageFormat
    /// The size of the result in pixels.
    let width: Int
    let height: Int
    /// Whether no pixel would be re-encoded; nil if that depends on the pixels or on
    /// the size of the file.
    let lossless: Bool?
    /// Why it would be re-encoded although a lossless crop is allowed.
    let obstacle: LosslessObstacle?
    /// The crop rectangle, in pixels of the frame.
    let rect: FrameRect
    /// Why the gain map of the image is left out.
    let gainMapObstacle: String?
    let warnings: [CropWarning]
    let dryRun = true
    /// The plan in one line, for users.
    let summary: String

    private enum CodingKeys: CodingKey {
      case input, output, target, route, otherwise, process, format, width, height, lossless
      case obstacle, rect, gainMapObstacle, warnings, dryRun
    }
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
        try tell(plan(task.get(), engine, &places))
      } catch {
        failures.append(error)
        if tasks.count > 1 { Terminal.warn(error.message) }
      }
    }
    guard let error = failures.first else { return }
    throw tasks.count > 1 ? ExitCode(1) : error as any Error
  }

  private func plan(
    _ task: CropTask, _ engine: CropEngine, _ places: inout OutputConflicts
  ) throws(CropError) -> Plan {
    try places.claim(task)
    let source = try task.input.source(limits: limits)
    let picture = try engine.open(source, options: task.options)
    let planned = try PlannedCrop(task, of: picture, in: source, by: engine)
    let isNamedLate = task.lateName != nil
    let task = try task.named(for: planned)
    if isNamedLate { try places.claim(task) }
    if isFolderThere {
      _ = try ResultPlace(task, input: source, isForced: isForced)
    }
    if task.isInPlace, !task.dropsRest {
      try engine.checkReplacing(picture, by: planned.recipe, options: planned.options)
    }
    let plan = try planned.plan(limits: limits)
    return Plan(
      input: task.input.name, output: task.output.name, target: task.what.target?.target.name,
      route: plan.routes[0], otherwise: plan.routes.dropFirst().first, process: plan.process,
      format: plan.format, width: plan.size.width, height: plan.size.height,
      lossless: plan.isLossless, obstacle: plan.obstacle, rect: plan.rect,
      gainMapObstacle: plan.gainMapObstacle,
      warnings: planned.warnings + plan.remarks
        + task.remarks(on: plan.format, isLossless: plan.isLossless ?? false),
      summary: Self.summary(of: planned, plan))
  }

  private static func summary(
    of planned: PlannedCrop, _ plan: CropPlan
  ) -> String {
    let (rect, size) = (plan.rect, plan.size)
    let way =
      switch (plan.isLossless, planned.options.maxBytes) {
      case (true?, _): "lossless"
      case (false?, _): "re-encoded"
      case (nil, nil): "lossless if the pixels allow it"
      case (nil, _): "lossless if it is small enough"
      }
    let reason = plan.obstacle.flatMap { CropSummary.words(for: $0, planned) }
    return "would be \(plan.format.displayName), \(way), \(size.width) × \(size.height), of "
      + "\(Int(rect.width)) × \(Int(rect.height)) from \(Int(rect.x)),\(Int(rect.y))"
      + (reason.map { "; \($0)" } ?? "")
  }

  private func tell(_ plan: Plan) throws(CropError) {
    for warning in plan.warnings {
      Terminal.warn("\(plan.output): warning: \(warning.message)")
    }
    Terminal.warn("\(plan.output): \(plan.summary)")
    if isJSON { try Terminal.print(json: plan) }
  }
}
