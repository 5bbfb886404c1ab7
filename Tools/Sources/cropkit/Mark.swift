import ArgumentParser
import CropArguments
import CropCore
import CropImaging
import FoundationEssentials

/// `cropkit mark`: stores a crop for another program, without changing pixels.
struct Mark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark",
    abstract: "Write a crop for another program without changing any pixel.",
    usage: "cropkit mark IN --to NAME [--rect …] [options]",
    discussion: """
      The pixels outside the crop stay in the file, and anyone who has the file can see them. Use cropkit crop to \
      remove them.

        cropkit mark photo.jpg --aspect 3:2 --to rawtherapee
        cropkit mark photo.jpg --recipe part.json --to lightroom

        rawtherapee  photo.jpg.pp3
        darktable    photo.jpg.xmp, as steps of the photo's history
        lightroom    photo.xmp with Camera Raw's settings; darktable reads
                     it too when it imports the photo
        embedded     the same settings in the JPEG itself, for Lightroom

      In an existing sidecar, only these values change. A program that already has the photo in its database \
      may have to reload the sidecar. --shape, --size and --max-side are not allowed.
      """)

  @Argument(help: ArgumentHelp("The image.", valueName: "in"))
  var input: FileArgument

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      "The program that reads it: \(MarkFormat.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "name"))
  var format: MarkFormat

  @OptionGroup(title: "What to crop")
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
    let engine = CropEngine.command(limits: limits)
    let picture = try engine.open(source)
    let info = picture.info
    let (recipe, warnings) = try what.values.recipe(for: picture, of: source, by: engine)
    let path = format.place(of: input.path)
    let save = try PendingSave(
      to: path, replacing: format == .embedded ? .input : .existing, input: source)
    let old = format == .embedded ? try source.allBytes() : try sidecar(at: path)
    let file = try format.file(
      with: recipe, for: info, changing: old, name: path.name, of: input.name)
    try save.save(
      CropResult(bytes: file, format: info.format, size: FrameSize(width: 1, height: 1)))
    for warning in warnings { Terminal.warn("\(path.name): warning: \(warning.message)") }
    if !quiet {
      Terminal.warn(
        "\(path.name): crop written for \(format.displayName); "
          + "the pixels outside it stay in \(input.name)")
    }
  }

  /// The contents of the sidecar; nil if it does not exist.
  private func sidecar(at path: PathBytes) throws(CropError) -> Data? {
    do throws(CropError) {
      return try ImageSource(path: path, limits: Limits(bytes: CropMark.maxBytes)).allBytes()
    } catch .inputMissing {
      return nil
    } catch .empty {
      return nil
    }
  }
}

extension MarkFormat: @retroactive ExpressibleByArgument {
  /// The program's name for users.
  fileprivate var displayName: String {
    switch self {
    case .rawtherapee: "RawTherapee"
    case .darktable: "darktable"
    case .lightroom, .embedded: "Lightroom"
    }
  }
}
