import ArgumentParser
import CropArguments
import CropCore
import CropImaging

/// `cropkit recipe`: what a crop comes to, for this program or another.
struct Recipe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipe",
    abstract: "Write down what is to be cut, for this or another program.",
    usage: "cropkit recipe IN [--rect …] [--to NAME] [options]",
    discussion: """
      Only the picture's header is read, and no result is made. Without --to it prints a recipe in \
      JSON, as --recipe takes it. With it, parameters that cut the same part elsewhere; the EXIF \
      orientation is heeded there too. What can't be done there is refused.

        cropkit recipe photo.jpg --aspect 1:1 > square.json
        cropkit recipe photo.jpg --recipe square.json --to imgproxy

      \(CropExporter.all.map { "\($0.name): \($0.version)" }.joined(separator: "\n"))
      """)

  @Argument(help: ArgumentHelp("The picture; - is standard input.", valueName: "in"))
  var input: FileArgument

  @Option(
    help: ArgumentHelp(
      "Write it for: \(CropExporter.all.map(\.name).joined(separator: ", ")).", valueName: "name"))
  var to: ExporterArgument?

  @OptionGroup(title: "What to cut")
  var what: CropOptions

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  func run() throws {
    let limits = limits.limits
    let source = try input.source(limits: limits)
    let info = try CropEngine.command(limits: limits).info(source)
    var recipe = try what.values.recipe(for: info, of: source).recipe
    let crop: ResolvedCrop
    do throws(RecipeError) {
      crop = try recipe.resolved(for: info.shown)
    } catch {
      throw CropError.invalidRecipe(file: input.name, detail: error.message(for: info.shown))
    }
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
