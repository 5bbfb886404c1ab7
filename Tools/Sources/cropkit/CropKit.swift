import ArgumentParser
import CropArguments
import CropImaging
import Glibc

/// The command `cropkit`.
@main
struct CropKit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cropkit",
    abstract: "Crop images.",
    discussion: """
      The result holds nothing outside the crop, not even in thumbnails or previews. The original is not \
      changed.

        cropkit crop photo.jpg --rect 96,48,800,600 -o part.jpg
        cropkit crop photo.jpg --aspect 1:1 --max-side 1080 -o square.webp
        cropkit targets photo.jpg --set social --focus 0.42,0.30 -d out/
        cropkit batch crops.jsonl --jobs 4
        cropkit info photo.heic
        cropkit recipe photo.jpg --aspect 1:1 --to imgproxy
        cropkit mark photo.jpg --aspect 3:2 --to rawtherapee
        cropkit open photo.jpg
        cropkit serve --open

      Formats: \(ImageFormat.names), detected by content.

      The packages install completions of options and values for bash, zsh and fish. Otherwise, cropkit \
      --generate-completion-script SHELL prints them.

      Exit status: 0 success; 1 some crops of a batch failed; 64 usage error or a rectangle outside the image; 65 damaged image or \
      over a limit; 66 input not found; 69 not supported; 70 the decoder crashed or timed out; 71 the system can't start processes; 73 \
      the output exists or can't be created; 74 reading or writing failed.
      """,
    version: Version.text,
    subcommands: [
      Crop.self, Targets.self, Info.self, Recipe.self, Mark.self, Batch.self, Open.self, Serve.self,
    ])

  static func main() {
    if WorkerLoop.isCalled { WorkerLoop.run(JPEGBackend.jpegOnly) }
    OwnProgram.holdStandardStreams()
    // Makes a closed pipe fail the write instead of killing the program. A file that exceeds the
    // size limit is treated the same way.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var answersLines = false
    do {
      let arguments = TrimArgument.completed(Array(RawArguments.all))
      if let job = CropJob(plain: arguments) {
        try job.run()
      } else {
        if let error = CommandAdvice.error(arguments) { throw error }
        var command = try parseAsRoot(arguments)
        answersLines = command is Batch
        try command.run()
      }
    } catch let failure as CropError {
      // A program reads the output of a batch, and needs to know whether everything was written.
      if !answersLines { Terminal.endIfUnread(failure) }
      Terminal.warn(failure.message)
      Glibc.exit(failure.exitStatus)
    } catch {
      leave(
        error, command: CommandLine.commandForHelp, warn: Terminal.warn,
        unprinted: Terminal.endIfUnread)
    }
  }
}

extension CommandLine {
  /// The command to name in the advice "see … --help".
  fileprivate static var commandForHelp: String {
    let commands = CropKit.configuration.subcommands.map { $0.configuration.commandName ?? "" }
    guard let first = RawArguments.all.first, commands.contains(first) else { return "cropkit" }
    return "cropkit \(first)"
  }
}

extension CropEngine {
  /// The engine of this program. It crops sequential JPEGs in this process, passes other JPEGs to
  /// limited processes of the same program, and everything else to `cropkit-worker`, at most `jobs`
  /// at the same time.
  static func command(jobs: Int = 1, limits: Limits) -> CropEngine {
    // The codecs of other formats are in a separate program, since they take longer to start.
    let others = WorkerPool(size: jobs, limits: limits, servesOne: true)
    let limited = WorkerPool(
      executable: WorkerPool.thisProgram, size: jobs, limits: limits, servesOne: true)
    return CropEngine(backend: JPEGBackend(fallback: others, limited: limited), limits: limits)
  }
}
