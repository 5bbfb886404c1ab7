import ArgumentParser
import CropImaging
import FoundationEssentials

/// Crops that the command line names, carried out side by side and told one by one.
struct SeveralCrops {
  /// What is cropped, and what is to be done with it, in the order in which it is told.
  let crops: [(input: FileArgument, task: Result<CropTask, CropError>)]
  /// What they are called, such as "pictures".
  let noun: String
  let options: RunOptions
  let limits: Limits

  /// Does it, and hands each report of what was made to `told`.
  ///
  /// - Throws: `CropError` if standard output breaks off, and `ExitCode` if any crop failed.
  func run(told: @escaping (CropReport) -> Void = { _ in }) throws {
    if options.json { try OwnProgram.checkStandardOutput() }
    let stop = BatchStop()
    let cropper = BatchCropper(
      limits: limits, jobs: options.jobs ?? ProcessInfo.processInfo.activeProcessorCount,
      isForced: options.force, isResumed: false)
    let run = BatchRun(
      cropper, total: crops.count, stop: stop,
      report: CropsReport(isJSON: options.json, isQuiet: options.quiet, told: told),
      isQuiet: options.quiet)
    let tally = try run.run(NamedOrders(crops: crops), BatchPlaces(inputs: crops.map(\.input)))
    if let signal = stop.signal {
      Terminal.complain("stopped after \(tally.finished) of \(crops.count) \(noun)")
      throw ExitCode(128 + signal)
    }
    guard tally.failed == 0 else {
      Terminal.complain("\(tally.failed) of \(crops.count) \(noun) failed")
      throw ExitCode(1)
    }
    if !options.quiet { Terminal.complain("\(crops.count) \(noun) cropped") }
  }
}

/// The crops in their order.
private struct NamedOrders: BatchOrders {
  let crops: [(input: FileArgument, task: Result<CropTask, CropError>)]

  func hand(to intake: BatchIntake) throws(CropError) {
    for (index, crop) in crops.enumerated() {
      guard try intake.add(BatchOrder(index + 1, crop.input, crop.task)) else { return }
    }
  }
}

/// What is said of each of several crops: the same as of one.
private struct CropsReport: BatchReport {
  let isJSON: Bool
  let isQuiet: Bool
  let told: (CropReport) -> Void

  func speaks(of outcome: BatchOutcome) -> Bool {
    !isQuiet || isJSON || outcome.error != nil || outcome.done?.warnings.isEmpty == false
  }

  func complain(of outcome: BatchOutcome) {
    if let error = outcome.error { Terminal.complain(error.message) }
  }

  func print(_ outcome: BatchOutcome) throws(CropError) {
    if let error = outcome.error {
      guard isJSON else { return }
      let failure = CropFailure(error, input: outcome.input?.name ?? "", target: outcome.target)
      try Terminal.print(json: failure)
    } else if let report = outcome.done?.report {
      told(report)
      try report.tell(isJSON: isJSON, isQuiet: isQuiet)
    }
  }
}
