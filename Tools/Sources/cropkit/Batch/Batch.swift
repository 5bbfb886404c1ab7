import ArgumentParser
import CropArguments
import CropImaging
import FoundationEssentials
import Glibc

/// `cropkit batch`: many crops, listed in a manifest.
struct Batch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Run a list of crops.",
    usage: "cropkit batch MANIFEST|- [--jobs N] [--resume] [--stream] [options]",
    discussion: """
      Each line of the manifest is one crop, as JSON:

        {"input": "a.jpg", "output": "a.webp", "aspect": "1:1", "maxSide": 1080}
        {"input": "b.jpg", "output": "b-up.jpg", "recipe": {"quarterTurns": 1}}
        {"input": "c.jpg", "targets": "social", "directory": "out"}

        input      a file, relative to the manifest's folder; to the current
                   folder if the manifest is standard input (-)
        output     the result; its folder is created, but no folder above it
        rect …     what to crop: the options of cropkit crop, with maxSide for
                   --max-side; none for the whole image
        recipe     instead of these: see cropkit-recipe(5); a size and clamp
                   may be given beside it
        options    how to write the result: {"quality": 80, "strip": "all"}
        targets    instead of output, with a directory: the name of a set, or
                   an object as in cropkit-targets(5); focus, name (a pattern)
                   and enlarge are optional
        id         a string or a number, copied to the result
        key        identifies the input's version and the crop: --resume also skips
                   an output that was written with this key; at most 16 letters,
                   digits, - or _

      Options on the command line are defaults for all lines. The output has one line of JSON per crop (with targets, one \
      per target), in the order of the manifest:

        {"line":1,"input":"a.jpg","output":"a.webp","ok":true,"format":"webp",…}
        {"line":2,"input":"b.jpg","output":"b-up.jpg","ok":false,"error":{…}}

        line           its number in the manifest
        ok             whether the crop succeeded
        format, size   of the result; bytes is the size of its file
        lossless       whether nothing was re-encoded
        rect           the rectangle that was cropped; absent if skipped
        requantized    how many columns and rows at the edges of a lossless
                       crop have requantized blocks, and the blocks per channel
        gainMap        cut or re-coded, if the result has a gain map
        target         the name of the target
        warnings       a list of codes and messages
        error          code, message and exitStatus

      If a line fails, the others still run. Errors are also printed to standard error, whose last line has the \
      totals. An output that is the input of any line is an error, even with --force. So is the second of two \
      lines with the same output, and, without --force, an output that exists. Consecutive lines about the same image are \
      decoded once.

      --resume skips crops that an earlier run has finished: outputs that a batch wrote \
      from the same input, recipe and options, if neither file has changed since. This is recorded in the output's \
      extended attributes; if they are missing, the crop is made again and compared. The first Ctrl-C stops after \
      the current crops are saved, the second stops immediately.

      --stream responds to each line as soon as it is done, for a program that writes lines and reads responses. \
      Responses also have "seconds", and standard error has only the totals. "input" may be \
      {"bytes": N}: the N bytes after the line. "output" may be {"bytes": true}: the result follows the response, \
      whose "output" has its length. Later lines are unknown, so an output fails if it exists or, \
      with --force, if an earlier line had it as input or output. After a line with bytes, a line that is not \
      JSON ends the stream.

        cropkit batch crops.jsonl --jobs 4 > results.jsonl
        cropkit batch crops.jsonl --lossless snap --strip location --resume
        produce-lines | cropkit batch --stream - --unordered | consume-answers

      Exit status: 0 all crops succeeded; 1 at least one failed; 64 usage error; 66 manifest not found; 74 \
      the manifest or standard output failed; 130 stopped by Ctrl-C.
      """)

  @Argument(
    help: ArgumentHelp(
      "The list of crops (JSON Lines); - is standard input.", valueName: "manifest"))
  var manifest: FileArgument

  @Option(
    help: ArgumentHelp(
      "How many crops run in parallel (default: one per core).", valueName: "n"))
  var jobs: Int?

  @Flag(help: "Respond to each line as soon as it is done, for other programs.")
  var stream = false

  @Flag(help: "With --stream, respond in the order in which crops finish.")
  var unordered = false

  @Flag(help: "Skip crops that an earlier run has finished.")
  var resume = false

  @Flag(help: "Overwrite existing outputs.")
  var force = false

  @Flag(help: "Give each result the time of its input's last change.")
  var keepTime = false

  @OptionGroup(title: "The result")
  var how: OutputOptions

  @Flag(help: "Also crop truncated or damaged images, with a warning.")
  var lenient = false

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  /// More jobs would only wait for each other.
  private static let mostJobs = 256

  func validate() throws {
    try Self.check(jobs: jobs)
    if unordered, !stream { throw ValidationError("--unordered needs --stream") }
  }

  /// - Throws: `ValidationError` for an invalid number of jobs.
  static func check(jobs: Int?) throws {
    if let jobs, !(1...mostJobs).contains(jobs) {
      throw OptionForm.error("jobs", jobs)
    }
  }

  func run() throws {
    try OwnProgram.checkStandardOutput()
    let cropper = BatchCropper(
      limits: limits.limits, jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount,
      isForced: force, isResumed: resume, keepsTime: keepTime)
    if stream { try answer(cropper) } else { try carryOut(cropper) }
  }

  private var options: ResultOptions { how.resultOptions(isLenient: lenient) }

  /// Reads the complete list before it starts.
  private func carryOut(_ cropper: BatchCropper) throws {
    let list = try BatchManifest(manifest)
    let stop = BatchStop()
    let places = try OutputConflicts(inputsOf: list)
    let run = BatchRun(cropper, total: places.count, stop: stop, report: LineReport())
    let tally = try run.run(ManifestRequests(manifest: list, options: options), places)
    try end(tally, of: places.count, stop)
  }

  /// Responds to each line as it arrives.
  private func answer(_ cropper: BatchCropper) throws {
    let stream = try ManifestFile(manifest)
    let stop = BatchStop()
    let run = BatchRun(
      cropper, total: nil, stop: stop, report: StreamReport(stop: stop),
      isOrdered: !unordered, isQuiet: true)
    let orders = StreamRequests(stream: stream, options: options, limits: limits.limits)
    let tally: BatchTally
    do throws(CropError) {
      tally = try run.run(orders, StreamOutputConflicts(isForced: force))
    } catch {
      guard let signal = stop.signal else { throw error }
      Terminal.warn(error.message)
      throw ExitCode(128 + signal)
    }
    try end(tally, of: nil, stop)
  }

  /// Prints a summary and exits with the status. `total` is the number of crops; nil if it is
  /// unknown.
  private func end(_ tally: BatchTally, of total: Int?, _ stop: BatchStop) throws {
    if let signal = stop.signal {
      Terminal.warn(
        total.map {
          "stopped after \(tally.finished) of \(Terminal.count($0, "crop")); "
            + "--resume continues from there"
        } ?? "stopped after \(Terminal.count(tally.finished, "crop"))")
      throw ExitCode(128 + signal)
    }
    let count = total ?? tally.finished
    guard tally.failed == 0 else {
      Terminal.warn("\(tally.failed) of \(Terminal.count(count, "crop")) failed")
      throw ExitCode(1)
    }
    let skipped = tally.skipped > 0 ? ", \(tally.skipped) of them skipped" : ""
    Terminal.warn("\(Terminal.count(count, "crop")) done\(skipped)")
  }
}

/// One line of JSON for each line of the manifest.
private struct LineReport: BatchReport {
  private let isOnTerminal = isatty(STDOUT_FILENO) != 0

  func prints(about outcome: BatchOutcome) -> Bool { isOnTerminal || outcome.error != nil }

  func warn(about outcome: BatchOutcome) {
    guard let message = outcome.message else { return }
    Terminal.warn("line \(outcome.line): \(message)")
  }

  func print(_ outcome: BatchOutcome) throws(CropError) {
    var outcome = outcome
    outcome.seconds = nil
    try Terminal.print(json: outcome)
  }
}

/// The output of `cropkit batch --stream`: one line of JSON per crop, followed by the result's
/// bytes if it is not saved in a file.
struct StreamReport: BatchReport {
  /// A signal stops a stream whose output is not being read.
  let stop: BatchStop

  func prints(about outcome: BatchOutcome) -> Bool { false }

  func warn(about outcome: BatchOutcome) {}

  func print(_ outcome: BatchOutcome) throws(CropError) {
    let isStopping = { stop.signal != nil }
    try Terminal.write(Terminal.line(json: outcome), isStopping: isStopping)
    guard let content = outcome.done?.content else { return }
    try Terminal.write(content.contents(), isStopping: isStopping)
  }
}
