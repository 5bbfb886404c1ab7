import ArgumentParser
import CropImaging

/// How the crops of a command are run and reported.
struct RunOptions: ParsableArguments {
  @Flag(help: "Overwrite existing outputs.")
  var force = false

  @Flag(help: "Give each result the time of its input's last change.")
  var keepTime = false

  @Option(
    help: ArgumentHelp(
      "How many crops run in parallel (default: one per core).", valueName: "n"))
  var jobs: Int?

  @Flag(help: "Also crop truncated or damaged images, with a warning.")
  var lenient = false

  @Flag(
    help: "Print what would be cropped and written, and whether losslessly (reads headers only).")
  var dryRun = false

  @Flag(name: [.short, .long], help: "Print warnings and errors only.")
  var quiet = false

  @Flag(help: "Print one line of JSON per result to standard output.")
  var json = false
}
