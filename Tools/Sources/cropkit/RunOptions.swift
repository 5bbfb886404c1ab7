import ArgumentParser
import CropImaging

/// How the crops that a command names are carried out and told.
struct RunOptions: ParsableArguments {
  @Flag(help: "Replace outputs that are there.")
  var force = false

  @Option(
    help: ArgumentHelp(
      "How many crops are worked on at once (default: one a core).", valueName: "n"))
  var jobs: Int?

  @Flag(help: "Crop truncated or damaged pictures too, with a warning.")
  var lenient = false

  @Flag(help: "Say what would be cut and written, from the pictures' headers; write nothing.")
  var dryRun = false

  @Flag(name: [.short, .long], help: "Say nothing but warnings and errors.")
  var quiet = false

  @Flag(help: "Say what was done as JSON on standard output, one line a result.")
  var json = false
}
