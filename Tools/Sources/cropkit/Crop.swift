import ArgumentParser
import CropCore
import CropImaging
import Glibc

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

  func run() throws {
    do {
      try crop()
    } catch {
      if json { try? Terminal.print(json: CropFailure(error, input: input)) }
      throw error
    }
  }

  private func crop() throws(CropError) {
    let limits = limits.limits
    let source = try input.source(limits: limits)
    let target = try ResultTarget(
      output ?? input, input: source, isForced: force, isInPlace: inPlace)
    let engine = CropEngine.command(limits: limits)
    let picture = try engine.open(source, isLenient: lenient, page: how.page ?? 1)
    let info = picture.info
    var options = how.resultOptions(output: output, isLenient: lenient)
    if inPlace, let format = options.format, format != info.format {
      throw .usage(
        detail: "\(input.name) is \(info.format.displayName) and keeps its name in place, so it "
          + "can't become \(format.displayName); use -o")
    }
    options.format = options.format ?? info.format
    let recipe = try what.recipe(for: info.shown)
    let result = try engine.crop(picture, recipe: recipe, options: options)
    try target.save(result.bytes)
    try report(result, of: info, recipe, options)
  }

  private func report(
    _ result: CropResult, of info: ImageInfo, _ recipe: CropRecipe, _ options: ResultOptions
  ) throws(CropError) {
    let output = output ?? input
    let name = output.isStandardStream ? "standard output" : output.name
    for warning in result.warnings {
      Terminal.complain("\(name): warning: \(warning.message)")
    }
    let summary = CropSummary(result, of: info, recipe, options)
    Terminal.complain("\(name): \(summary.text)")
    if json {
      try Terminal.print(json: CropReport(result, input: input, output: output))
    }
  }
}
