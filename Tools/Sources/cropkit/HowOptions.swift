import ArgumentParser
import CropCore
import CropImaging

/// How the result is written.
struct HowOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The result's format: jpeg, png, webp, gif, tiff, heic or avif.",
      discussion: "Without it, what the output's extension says, otherwise the input's format.",
      valueName: "name"))
  var format: FormatArgument?

  @Option(
    help: ArgumentHelp(
      "Cut a JPEG without loss: never, exact or snap (default: exact).",
      discussion: """
        exact does so where all edges lie on the grid of blocks (cropkit info shows it) or on the \
        picture's border, snap moves the edges outward to the grid. Turns and mirrors are then \
        written into the orientation flag. What is tilted, masked, resized or recoloured is always \
        re-encoded.
        """, valueName: "when"))
  var lossless: LosslessArgument?

  @Flag(help: "Lay the pixels of a lossless JPEG down upright, instead of the orientation flag.")
  var bake = false

  @Option(
    help: ArgumentHelp(
      "Quality of a re-encoded lossy result, 1 to 100 (default: 90).", valueName: "q"))
  var quality: Int?

  @Option(
    help: ArgumentHelp(
      "Chroma subsampling: 444, 422, 420 or keep (default: keep).", valueName: "kind"))
  var subsampling: SubsamplingArgument?

  @Flag(help: "Write a JPEG or PNG coarse first, fine later.")
  var progressive = false

  @Option(
    help: ArgumentHelp(
      "Leave metadata out: all, location or none (default: none).",
      discussion: """
        What could show the part that was cut away is never kept; what is needed to show the \
        picture right always is.
        """, valueName: "which"))
  var strip: StripArgument?

  @Flag(help: "Convert colours to sRGB.")
  var srgb = false

  @Flag(help: "Resample in linear light.")
  var linear = false

  @Option(
    help: ArgumentHelp(
      "The colour behind transparency where the format has none (default: white).",
      discussion: "White, black, gray or #RRGGBB.", valueName: "colour"))
  var background: BackgroundArgument?

  @Option(
    help: ArgumentHelp(
      "The frame or page to crop, from 1, or all.",
      discussion: """
        Without it an animation keeps all frames in a format that has them (GIF, WebP, PNG); of all \
        else the first or main one is taken. Pages of TIFF and HEIC are kept by all, in TIFF.
        """, valueName: "n|all"))
  var page: PageArgument?

  func validate() throws {
    if let quality, !(1...100).contains(quality) {
      throw ValidationError("--quality \(quality) is not 1 to 100")
    }
  }

  /// The options of a result whose file will be called `output`.
  func resultOptions(output: FileArgument?, isLenient: Bool) -> ResultOptions {
    ResultOptions(
      format: format?.format ?? output?.format,
      quality: quality ?? 90, subsampling: subsampling?.subsampling,
      lossless: lossless?.mode ?? .exact, isBaked: bake, isProgressive: progressive,
      metadata: strip?.policy ?? .keep, convertsToSRGB: srgb, isLinear: linear,
      background: background?.color ?? .white, page: page?.choice ?? .automatic,
      isLenient: isLenient)
  }
}

/// The name of a format, or a usual extension of its files.
struct FormatArgument: ExpressibleByArgument {
  let format: PictureFormat

  init?(argument: String) {
    guard let format = PictureFormat(fileExtension: argument) else { return nil }
    self.format = format
  }
}

/// Whether a JPEG is cut without loss.
enum LosslessArgument: String, ExpressibleByArgument, CaseIterable {
  case never
  case exact
  case snap

  var mode: LosslessMode {
    switch self {
    case .never: .never
    case .exact: .exact
    case .snap: .snap
    }
  }
}

/// A kind of chroma subsampling to write.
enum SubsamplingArgument: String, ExpressibleByArgument, CaseIterable {
  case s444 = "444"
  case s422 = "422"
  case s420 = "420"
  case keep

  var subsampling: ChromaSubsampling? { ChromaSubsampling(rawValue: rawValue) }
}

/// What metadata to leave out.
enum StripArgument: String, ExpressibleByArgument, CaseIterable {
  case all
  case location
  case none

  var policy: MetadataPolicy {
    switch self {
    case .all: .stripAll
    case .location: .stripLocation
    case .none: .keep
    }
  }
}

/// The number of a page, or `all`.
struct PageArgument: ExpressibleByArgument {
  let choice: PageChoice

  init?(argument: String) {
    if argument == "all" {
      choice = .all
    } else if let number = Int(argument), number >= 1 {
      choice = .only(number)
    } else {
      return nil
    }
  }
}

/// A colour by name or as `#RRGGBB`.
struct BackgroundArgument: ExpressibleByArgument {
  let color: Background

  init?(argument: String) {
    guard let color = Background(text: argument) else { return nil }
    self.color = color
  }
}
