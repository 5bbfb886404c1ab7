import ArgumentParser
import CropArguments
import CropImaging
import Glibc

/// The command `cropkit`.
@main
struct CropKit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cropkit",
    abstract: "Cuts pictures, exactly.",
    discussion: """
      Give it a picture and say which part to keep; the rest is gone from the result, its \
      thumbnails and previews included. The original stays as it is.

        cropkit crop photo.jpg --rect 100,50,800,600 -o part.jpg
        cropkit crop photo.jpg --aspect 1:1 --max-side 1080 -o square.webp
        cropkit targets photo.jpg --set social --focus 0.42,0.30 -d out/
        cropkit batch crops.jsonl --jobs 4
        cropkit info photo.heic
        cropkit recipe photo.jpg --aspect 1:1 --to imgproxy
        cropkit mark photo.jpg --aspect 3:2 --for rawtherapee
        cropkit open photo.jpg
        cropkit serve --open

      Formats: \(PictureFormat.names), told apart by content.

      Exit status: 0 done; 1 crops of a batch failed; 64 wrong use or a rectangle outside the picture; 65 damaged picture or \
      over a limit; 66 no such input; 69 not supported; 70 the decoder died or took too long; 71 the system starts no more processes; 73 \
      the output exists or can't be created; 74 reading or writing failed.
      """,
    version: Version.text,
    subcommands: [
      Crop.self, Targets.self, Info.self, Recipe.self, Mark.self, Batch.self, Open.self, Serve.self,
    ])

  static func main() {
    if WorkerLoop.isCalled { WorkerLoop.run(JPEGBackend.alone) }
    OwnProgram.holdStandardStreams()
    // A reader that goes away is a failed write, not a silent death; so is a file that grows too large.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var answersLines = false
    do {
      if let job = CropJob(plain: RawArguments.all) {
        try job.run()
      } else {
        var command = try parseAsRoot(RawArguments.all)
        answersLines = command is Batch
        try command.run()
      }
    } catch let failure as CropError {
      // Who reads the answers of a batch is a program, and whether all were read matters.
      if !answersLines { Terminal.endIfUnread(failure) }
      Terminal.complain(failure.message)
      Glibc.exit(failure.exitStatus)
    } catch {
      leave(error)
    }
  }

  /// Ends the program as ArgumentParser asks: help and versions on standard output; a mistake as one
  /// line on standard error.
  private static func leave(_ error: any Error) -> Never {
    let status = exitCode(for: error)
    if status == .success {
      do throws(CropError) {
        try OwnProgram.checkStandardOutput()
        try Terminal.print(fullMessage(for: error))
      } catch {
        Terminal.endIfUnread(error)
        Terminal.complain(error.message)
        Glibc.exit(error.exitStatus)
      }
      Glibc.exit(status.rawValue)
    }
    let message = message(for: error)
    if !message.isEmpty {
      Terminal.complain(
        "\(OptionMistake(message).words); see '\(CommandLine.commandForHelp) --help'")
    }
    Glibc.exit(status.rawValue)
  }
}

extension CommandLine {
  /// The command whose help explains a mistake.
  fileprivate static var commandForHelp: String {
    let commands = CropKit.configuration.subcommands.map { $0.configuration.commandName ?? "" }
    guard let first = RawArguments.all.first, commands.contains(first) else { return "cropkit" }
    return "cropkit \(first)"
  }
}
