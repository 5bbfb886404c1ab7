import ArgumentParser
import CropImaging
import FoundationEssentials

/// Crops of one command, run in parallel and reported one by one.
struct SeveralCrops {
  /// The crops, in the order of the report.
  let crops: [(input: FileArgument, task: Result<CropTask, CropError>)]
  /// The noun for messages, such as "image"; its plural ends in "s".
  let noun: String
  let options: RunOptions
  let limits: Limits

  /// Makes all crops, and passes the report of each one to `onReport`.
  ///
  /// - Throws: `CropError` if writing to standard output fails, and `ExitCode` if any crop failed.
  func run(onReport: @escaping (CropReport) -> Void = { _ in }) throws {
    if options.json { try OwnProgram.checkStandardOutput() }
    let stop = BatchStop()
    let cropper = BatchCropper(
      limits: limits, jobs: options.jobs ?? ProcessInfo.processInfo.activeProcessorCount,
      isForced: options.force, isResumed: false, keepsTime: options.keepTime,
      lateClaims: LateClaims(inputs: crops.map(\.input)))
    let run = BatchRun(
      cropper, total: crops.count, stop: stop,
      report: CropsReport(isJSON: options.json, isQuiet: options.quiet, onReport: onReport),
      isQuiet: options.quiet)
    let tally = try run.run(NamedCrops(crops: crops), OutputConflicts(inputs: crops.map(\.input)))
    if let signal = stop.signal {
      Terminal.warn("stopped after \(tally.finished) of \(Terminal.count(crops.count, noun))")
      throw ExitCode(128 + signal)
    }
    let reencoded = tally.reencoded > 0 ? ", \(tally.reencoded) of them re-encoded" : ""
    guard tally.failed == 0 else {
      Terminal.warn("\(tally.failed) of \(Terminal.count(crops.count, noun)) failed")
      throw ExitCode(1)
    }
    if !options.quiet { Terminal.warn("\(Terminal.count(crops.count, noun)) cropped\(reencoded)") }
  }
}

/// The crops in order.
private struct NamedCrops: BatchRequests {
  let crops: [(input: FileArgument, task: Result<CropTask, CropError>)]

  func hand(to input: BatchInput) throws(CropError) {
    for (index, crop) in crops.enumerated() {
      guard try input.add(BatchRequest(index + 1, crop.input, crop.task)) else { return }
    }
  }
}

/// Reports each crop as if it were the only one.
private struct CropsReport: BatchReport {
  let isJSON: Bool
  let isQuiet: Bool
  let onReport: (CropReport) -> Void

  func prints(about outcome: BatchOutcome) -> Bool {
    !isQuiet || isJSON || outcome.error != nil || outcome.done?.warnings.isEmpty == false
  }

  func warn(about outcome: BatchOutcome) {
    if let error = outcome.error { Terminal.warn(error.message) }
  }

  func print(_ outcome: BatchOutcome) throws(CropError) {
    if let error = outcome.error {
      guard isJSON else { return }
      let failure = CropFailure(error, input: outcome.input?.name ?? "", target: outcome.target)
      try Terminal.print(json: failure)
    } else if let report = outcome.done?.report {
      onReport(report)
      try report.print(isJSON: isJSON, isQuiet: isQuiet)
    }
  }
}
