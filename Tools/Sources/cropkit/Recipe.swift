import ArgumentParser
import CropArguments
import CropCore
import CropImaging

/// `cropkit recipe`: prints the recipe of a crop, or the parameters for another program.
struct Recipe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipe",
    abstract: "Print a recipe, for CropKit or another program.",
    usage: "cropkit recipe IN [--rect …] [--to NAME] [options]",
    discussion: """
      Without --to, prints a JSON recipe for --recipe. With it, prints parameters that crop the same pixels in \
      another program, whatever the EXIF orientation; fails if that program can't do it. Reads only the image's \
      header (with --trim or --quad auto, the whole image) and writes no image.

        cropkit recipe photo.jpg --aspect 1:1 > square.json
        cropkit recipe photo.jpg --recipe square.json --to imgproxy

      \(CropExporter.all.map(line).joined(separator: "\n"))
      """)

  /// Lines of the help: the name of an exporter, and the version of the program it writes for.
  private static func line(_ exporter: CropExporter) -> String {
    let column = 15
    let name = "  \(exporter.name)"
    let gap = String(repeating: " ", count: max(1, column - name.count))
    let notes = exporter.version.split(separator: "; ")
    return name + gap + notes.joined(separator: ";\n" + String(repeating: " ", count: column))
  }

  @Argument(help: ArgumentHelp("The image; - is standard input.", valueName: "in"))
  var input: FileArgument

  @Option(
    help: ArgumentHelp(
      "The program to print for: \(CropExporter.all.map(\.name).joined(separator: ", ")).",
      valueName: "name"))
  var to: ExporterArgument?

  @OptionGroup(title: "What to crop")
  var what: CropOptions

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  func run() throws {
    let limits = limits.limits
    let source = try input.source(limits: limits)
    let engine = CropEngine.command(limits: limits)
    let picture = try engine.open(source)
    let info = picture.info
    var (recipe, warnings) = try what.values.recipe(for: picture, of: source, by: engine)
    for warning in warnings { Terminal.warn("\(input.name): warning: \(warning.message)") }
    let crop = try recipe.resolved(for: info.shown, file: input.name)
    guard let exporter = to?.exporter else {
      if crop.quad == nil { (recipe.rect, recipe.quad) = (crop.rect, nil) }
      return try Terminal.print(json: recipe)
    }
    let text: String
    do throws(CropExporterError) {
      text = try exporter.text(for: crop, stored: info.orientation)
    } catch {
      throw CropError.usage(
        detail: "\(error.exporter) can't \(error.what); leave that out, or use cropkit crop")
    }
    try Terminal.print(text)
  }
}

/// A program or server for which recipes are written.
struct ExporterArgument: ExpressibleByArgument {
  let exporter: CropExporter

  init?(argument: String) {
    guard let exporter = CropExporter(name: argument) else { return nil }
    self.exporter = exporter
  }

  static var allValueStrings: [String] { CropExporter.all.map(\.name) }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
