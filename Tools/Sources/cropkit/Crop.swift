import ArgumentParser
import CropArguments

/// `cropkit crop`: one picture in, one picture out.
struct Crop: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crop",
    abstract: "Cut a part out of a picture.",
    usage: "cropkit crop IN (-o OUT [--force] | --in-place) [options]",
    discussion: """
      The part is named in pixels of the picture as it is seen: upright, whatever its orientation \
      flag, mirrored and turned if you say so. One that is partly outside is refused.

        cropkit crop photo.jpg --rect 100,50,800,600 -o part.jpg
        cropkit crop photo.jpg --rect 10%,10%,80%,80% --in-place
        cropkit crop scan.tif --turn 90 --aspect 3:2 --gravity north -o scan.png
        cropkit crop photo.heic --aspect 1:1 --max-side 1080 -o square.jpg
        cropkit crop - --recipe part.json -o - < photo.jpg > part.jpg

      What was done is said in one line on standard error. A name that starts with a dash goes \
      after --, or behind ./ as in ./-x.jpg.
      """)

  @Argument(help: ArgumentHelp("The picture; - is standard input.", valueName: "in"))
  var input: FileArgument

  @OptionGroup(title: "What")
  var what: WhatOptions

  @OptionGroup(title: "How")
  var how: HowOptions

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: ArgumentHelp("Where the result goes; - is standard output.", valueName: "out"))
  var output: FileArgument?

  @Flag(help: "Replace the output if it is there.")
  var force = false

  @Flag(help: "Put the result in place of the input; if anything fails, the input stays.")
  var inPlace = false

  @Flag(help: "Crop a truncated picture too, with a warning.")
  var lenient = false

  @Flag(help: "Say what was done as JSON on standard output.")
  var json = false

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  func validate() throws {
    guard (output != nil) != inPlace else {
      throw ValidationError(
        output == nil
          ? "say where the result goes: -o FILE or --in-place"
          : "-o and --in-place can't be used together")
    }
    if force, inPlace { throw ValidationError("--force goes with -o; --in-place needs none") }
    if inPlace, input.isStandardStream {
      throw ValidationError("standard input can't be replaced; use -o")
    }
    if input.isStandardStream, what.recipe?.isStandardStream == true {
      throw ValidationError("the picture and the recipe can't both be standard input")
    }
    if json, output?.isStandardStream == true {
      throw ValidationError("--json and -o - can't share standard output")
    }
  }

  func run() throws { try job.run() }

  /// The same, as plain values.
  var job: CropJob {
    CropJob(
      input: input, output: output, isForced: force, isInPlace: inPlace, isJSON: json,
      what: what.values, options: how.resultOptions(output: output, isLenient: lenient),
      limits: limits.limits)
  }
}
