import ArgumentParser
import CropArguments
import CropCore
import CropImaging
import FoundationEssentials

/// `cropkit mark`: a crop as numbers for another program, no pixel touched.
struct Mark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark",
    abstract: "Write down a crop for another program, and keep the whole photo.",
    usage: "cropkit mark IN --for NAME [--rect …] [options]",
    discussion: """
      No pixel changes: what lies outside the crop stays in the file, and anyone who has the file \
      can see it. Use cropkit crop to remove it.

        cropkit mark photo.jpg --aspect 3:2 --for rawtherapee
        cropkit mark photo.jpg --recipe part.json --for lightroom

      rawtherapee: photo.jpg.pp3
      darktable: photo.jpg.xmp, as a step of the photo's history
      lightroom: photo.xmp with Camera Raw's settings; darktable reads it too when it imports the photo
      embedded: the same settings in the JPEG itself, where Lightroom reads those of a JPEG

      In an existing sidecar only these values change. A program that has the photo in its database \
      already may have to read the sidecar anew. --shape, --size and --max-side can't be written down.
      """)

  @Argument(help: ArgumentHelp("The picture.", valueName: "in"))
  var input: FileArgument

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "Who reads it: \(MarkFormat.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "name"))
  var format: MarkFormat

  @OptionGroup(title: "What")
  var what: CropOptions

  @Flag(name: .shortAndLong, help: "Print warnings and errors only.")
  var quiet = false

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  func run() throws {
    guard !input.isStandardStream else {
      throw ValidationError("standard input has no name for a sidecar; name a file")
    }
    let limits = limits.limits
    let source = try input.source(limits: limits)
    let info = try CropEngine.command(limits: limits).info(source)
    let (recipe, warnings) = try what.values.recipe(for: info, of: source)
    let path = format.place(of: input.path)
    let save = try PendingSave(
      to: path, replacing: format == .embedded ? .input : .existing, input: source)
    let old = format == .embedded ? try source.allBytes() : try sidecar(at: path)
    let file = try format.file(with: recipe, for: info, changing: old, name: path.name)
    try save.save(
      CropResult(bytes: file, format: info.format, size: FrameSize(width: 1, height: 1)))
    for warning in warnings { Terminal.complain("\(path.name): warning: \(warning.message)") }
    if !quiet {
      Terminal.complain(
        "\(path.name): crop written for \(format.displayName); "
          + "what lies outside it stays in \(input.name)")
    }
  }

  /// The sidecar as it is; nil where there is none.
  private func sidecar(at path: PathBytes) throws(CropError) -> Data? {
    do throws(CropError) {
      return try PictureSource(path: path, limits: Limits(bytes: CropMark.mostBytes)).allBytes()
    } catch .inputMissing {
      return nil
    } catch .empty {
      return nil
    }
  }
}

extension MarkFormat: @retroactive ExpressibleByArgument {
  /// What a person calls the program.
  fileprivate var displayName: String {
    switch self {
    case .rawtherapee: "RawTherapee"
    case .darktable: "darktable"
    case .lightroom, .embedded: "Lightroom"
    }
  }
}
