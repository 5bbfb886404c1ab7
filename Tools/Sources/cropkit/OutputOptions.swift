import ArgumentParser
import CropArguments
import CropCore
import CropImaging

/// How the result is written.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The result's format: jpeg, png, webp, gif, tiff, heic or avif.",
      discussion: """
        Without it, what the output's extension says; without an extension, the input's format.
        """,
      valueName: "name"))
  var format: FormatArgument?

  @Option(
    help: ArgumentHelp(
      "Cut a JPEG without loss: never, exact, snap, strict or outward (default: exact).",
      discussion: """
        exact does so where the edges at the corner where the stored pixels begin, left and top unless \
        the orientation flag turns them, lie on the grid of blocks (cropkit info shows it). The other \
        two may lie anywhere: blocks that they divide are quantised again, from what is visible of \
        them. snap moves the crop by less than a block to make it so and keeps its size. strict wants \
        all edges on the grid or the picture's border, outward moves them there; then every block is \
        copied. Turns and mirrors are \
        written into the orientation flag. A progressive JPEG that lacks the scans with its detail is \
        re-encoded, smoothed as viewers show it; snap and outward cut it all the same. What is tilted, masked, resized or recoloured is always \
        re-encoded.
        """, valueName: "when"))
  var lossless: LosslessMode?

  @Flag(help: "Lay the pixels of a lossless JPEG down upright, instead of the orientation flag.")
  var bake = false

  @Option(
    help: ArgumentHelp(
      "Quality of a re-encoded lossy result, 1 to 100 (default: 90).",
      discussion: "A HEIC or AVIF that stays one has about the quality of its source.",
      valueName: "q"))
  var quality: Int?

  @Option(
    help: ArgumentHelp(
      "The best quality whose file has at most so many bytes, such as 200K.",
      discussion: """
        From --quality down to 30, in at most eight encodings; a lossless result that is small enough \
        stays. What is too large even so is refused (65), never made smaller in pixels; animations are \
        refused before.
        """, valueName: "n"))
  var maxBytes: Amount?

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
  var strip: MetadataPolicy?

  @Flag(help: "Convert colours to sRGB.")
  var srgb = false

  @Flag(help: "Resample in linear light.")
  var linear = false

  @Option(
    help: ArgumentHelp(
      "The gain map of an HDR photo: keep or drop (default: keep).",
      discussion: "It is cut with the picture; a JPEG can hold it, whatever --strip says.",
      valueName: "how"))
  var hdr: HDRMode?

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
    if let quality, !ResultOptions.qualities.contains(quality) {
      throw ValidationError("--quality \(quality) is not 1 to 100")
    }
  }

  /// How the result is written, as the options say.
  func resultOptions(isLenient: Bool) -> ResultOptions {
    var options = ResultOptions(
      format: format?.format, subsampling: subsampling?.subsampling, isBaked: bake,
      isProgressive: progressive, convertsToSRGB: srgb, isLinear: linear, isLenient: isLenient)
    options.quality = quality ?? options.quality
    options.maxBytes = maxBytes?.bytes
    options.lossless = lossless ?? options.lossless
    options.metadata = strip ?? options.metadata
    options.hdr = hdr ?? options.hdr
    options.background = background?.color ?? options.background
    options.page = page?.choice ?? options.page
    return options
  }
}

/// The name of a format, or a usual extension of its files.
struct FormatArgument: ExpressibleByArgument {
  let format: PictureFormat

  init?(argument: String) {
    guard let format = PictureFormat(fileExtension: argument) else { return nil }
    self.format = format
  }

  static var defaultCompletionKind: CompletionKind { .list(PictureFormat.allCases.map(\.rawValue)) }
}

extension HDRMode: @retroactive ExpressibleByArgument {}
extension LosslessMode: @retroactive ExpressibleByArgument {}

extension MetadataPolicy: @retroactive ExpressibleByArgument {}

/// A kind of chroma subsampling to write.
struct SubsamplingArgument: ExpressibleByArgument {
  /// The kind; nil is the source's.
  let subsampling: ChromaSubsampling?

  init?(argument: String) {
    subsampling = ChromaSubsampling(named: argument)
    guard subsampling != nil || argument == ResultOptions.sourceSubsampling else { return nil }
  }

  static let allValueStrings = ["444", "422", "420", ResultOptions.sourceSubsampling]

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// The number of a page, or `all`.
struct PageArgument: ExpressibleByArgument {
  let choice: PageChoice

  init?(argument: String) {
    guard let choice = PageChoice(text: argument) else { return nil }
    self.choice = choice
  }

  static var defaultCompletionKind: CompletionKind { .list(["all"]) }
}

/// A colour by name or as `#RRGGBB`.
struct BackgroundArgument: ExpressibleByArgument {
  let color: Background

  init?(argument: String) {
    guard let color = Background(text: argument) else { return nil }
    self.color = color
  }

  static var defaultCompletionKind: CompletionKind { .list(["white", "black", "gray"]) }
}
