import ArgumentParser
import CropArguments
import CropImaging
import FoundationEssentials
import Glibc

/// `cropkit batch`: many crops, listed in a manifest.
struct Batch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Carry out a list of crops.",
    usage: "cropkit batch MANIFEST|- [--jobs N] [--resume] [--stream] [options]",
    discussion: """
      Each line of the manifest is one crop, as JSON:

        {"input": "a.jpg", "output": "out/a.jpg", "recipe": {"rect":
         {"x": 0, "y": 16, "width": 640, "height": 480}, "quarterTurns": 1}}

      but on one line. A recipe may also have "mirrored", "tilt", "shape" and "output"; {} is the \
      whole picture. In place of a recipe a line may say what the options of cropkit crop say, and how \
      it is written:

        {"input": "a.jpg", "output": "a.webp", "aspect": "1:1", "maxSide": 1080, "options": {"quality": 80}}

      Or a line has targets and a directory, and one line comes out for each target, with its name as \
      "target". "targets" is the name of a set or what a file of cropkit targets holds; "focus", "name" (a \
      pattern) and "enlarge" may be there too:

        {"input": "a.jpg", "targets": "social", "directory": "out", "focus": {"x": 0.4, "y": 0.3}}

      Paths are relative to the manifest's folder, or to the current one if the \
      manifest is standard input (-). The folder of an output is created if it does not exist; the one around it \
      must exist. The options hold for all lines that don't say otherwise.

      For each line one line of JSON comes out, in the manifest's order: "line" (its number), \
      "input", "output", "ok", and then "format", "size", "bytes", "lossless", "rect" (what was cut, unless \
      it was done before), "requantized" (how many columns and rows at the edges of a lossless crop have \
      blocks that were quantised again, and how many blocks of each channel these are) and "warnings", \
      or "error" with "code", "message" and "exitStatus". An "id" of the line, text or a number, is copied.

      A line that fails never stops the others: it is told on standard error, too, and the last \
      line there has the count. The originals stay as they are: an output that is the input of any \
      line is refused, always. So is the second of two lines with one output; and an output that is \
      there already, unless you say --force. Lines about the same picture share the work of reading it if they \
      follow each other.

      With --resume, what is done already is skipped, whatever ended the run before: an output \
      counts as done if a batch wrote it for this very input, recipe and options and neither \
      input nor output has changed since. A note in the output's extended attributes tells; where \
      there is none the crop is made again and compared. Ctrl-C stops once the crops at work are \
      saved; a second one stops at once.

      With --stream each line is answered as soon as it is done, while others come: for a program that writes \
      lines and reads answers, for as long as it likes. Answers have "seconds", too, and standard error has \
      the count alone. "input" may be {"bytes": N}: N bytes follow the line. "output" may be \
      {"bytes": true}: as many bytes follow the answer as its "output" says. Nobody knows what later \
      lines read, so an output is refused if it is there already or, with --force, if an earlier line had \
      it as input or output. Once a line had bytes, one that is no JSON ends the stream.

        cropkit batch crops.jsonl --jobs 4 > results.jsonl
        cropkit batch crops.jsonl --lossless snap --strip location --resume
        produce-lines | cropkit batch --stream - --unordered | consume-answers

      Exit status: 0 all done; 1 at least one crop failed; 64 wrong use; 66 no such \
      manifest; 74 the manifest or standard output broke off; 130 stopped by Ctrl-C.
      """)

  @Argument(
    help: ArgumentHelp("The list of crops; - is standard input.", valueName: "manifest"))
  var manifest: FileArgument

  @Option(
    help: ArgumentHelp(
      "How many crops are worked on at once (default: one a core).", valueName: "n"))
  var jobs: Int?

  @Flag(help: "Answer each line as soon as it is done, while others come.")
  var stream = false

  @Flag(help: "With --stream: answer as crops are done, not in the order of the lines.")
  var unordered = false

  @Flag(help: "Skip what is done already.")
  var resume = false

  @Flag(help: "Replace outputs that are there.")
  var force = false

  @OptionGroup(title: "How")
  var how: OutputOptions

  @Flag(help: "Crop truncated or damaged pictures too, with a warning.")
  var lenient = false

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  /// More would only wait for each other.
  private static let mostJobs = 256

  func validate() throws {
    try Self.check(jobs: jobs)
    if unordered, !stream { throw ValidationError("--unordered needs --stream") }
  }

  /// - Throws: `ValidationError` for a number of jobs that can't be.
  static func check(jobs: Int?) throws {
    if let jobs, !(1...mostJobs).contains(jobs) {
      throw ValidationError("--jobs \(jobs) is not 1 to \(mostJobs)")
    }
  }

  func run() throws {
    try OwnProgram.checkStandardOutput()
    let cropper = BatchCropper(
      limits: limits.limits, jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount,
      isForced: force, isResumed: resume)
    if stream { try answer(cropper) } else { try carryOut(cropper) }
  }

  private var options: ResultOptions { how.resultOptions(isLenient: lenient) }

  /// Reads the whole list, then begins.
  private func carryOut(_ cropper: BatchCropper) throws {
    let list = try BatchManifest(manifest)
    let stop = BatchStop()
    let places = try BatchPlaces(inputsOf: list)
    let run = BatchRun(cropper, total: places.count, stop: stop, report: LineReport())
    let tally = try run.run(ManifestOrders(manifest: list, options: options), places)
    try end(tally, of: places.count, stop)
  }

  /// Answers each line as it comes.
  private func answer(_ cropper: BatchCropper) throws {
    let stream = try ManifestFile(manifest)
    let stop = BatchStop()
    let run = BatchRun(
      cropper, total: nil, stop: stop, report: StreamReport(stop: stop),
      isOrdered: !unordered, isQuiet: true)
    let orders = StreamOrders(stream: stream, options: options, limits: limits.limits)
    let tally: BatchTally
    do throws(CropError) {
      tally = try run.run(orders, StreamPlaces(isForced: force))
    } catch {
      guard let signal = stop.signal else { throw error }
      Terminal.complain(error.message)
      throw ExitCode(128 + signal)
    }
    try end(tally, of: nil, stop)
  }

  /// Says how it ended, of so many crops; nil if those that were made are all that are known.
  private func end(_ tally: BatchTally, of total: Int?, _ stop: BatchStop) throws {
    if let signal = stop.signal {
      let all = total.map { " of \($0); --resume goes on from there" } ?? " crops"
      Terminal.complain("stopped after \(tally.finished)\(all)")
      throw ExitCode(128 + signal)
    }
    let count = total ?? tally.finished
    guard tally.failed == 0 else {
      Terminal.complain("\(tally.failed) of \(count) crops failed")
      throw ExitCode(1)
    }
    let skipped = tally.skipped > 0 ? "; \(tally.skipped) of them were done already" : ""
    Terminal.complain("\(count) crops done\(skipped)")
  }
}

/// One line of JSON for each line of the manifest.
private struct LineReport: BatchReport {
  private let isOnTerminal = isatty(STDOUT_FILENO) != 0

  func speaks(of outcome: BatchOutcome) -> Bool { isOnTerminal || outcome.error != nil }

  func complain(of outcome: BatchOutcome) {
    guard let error = outcome.error else { return }
    Terminal.complain("line \(outcome.line): \(error.batchMessage)")
  }

  func print(_ outcome: BatchOutcome) throws(CropError) {
    var outcome = outcome
    outcome.seconds = nil
    try Terminal.print(json: outcome)
  }
}
