import ArgumentParser
import CropCore
import CropImaging

/// The source of another program's crop.
enum MarkChoice: Equatable, Sendable {
  /// The XMP in the image.
  case inside
  /// A sidecar file.
  case sidecar(FileArgument)

  /// `xmp`, or the name of a sidecar.
  init(_ text: String, in folder: PathBytes? = nil) {
    self = text == "xmp" ? .inside : .sidecar(FileArgument(text, in: folder))
  }

  /// The crop of the image in `source`.
  ///
  /// - Throws: `CropError`, also if there is none, or if it is already applied.
  func mark(of source: ImageSource, _ info: ImageInfo) throws(CropError) -> CropMark {
    let name: String
    let mark: CropMark?
    switch self {
    case .inside:
      name = source.name
      mark = try CropMark(in: source, info)
    case .sidecar(let file):
      name = file.name
      let sidecar: ImageSource
      do throws(CropError) {
        sidecar = try file.source(limits: Limits(bytes: CropMark.maxBytes), called: "a sidecar")
      } catch .limitExceeded(_, _, _, _) {
        throw .invalidRecipe(file: name, detail: "not a sidecar: larger than 1 MiB")
      }
      mark = try CropMark(sidecar: sidecar, info, of: source.name)
    }
    guard let mark else {
      throw .invalidRecipe(file: name, detail: "its XMP has no crop by Camera Raw or Lightroom")
    }
    guard !mark.isApplied else {
      throw .invalidRecipe(
        file: name,
        detail: "its crop is already applied to the pixels (crs:AlreadyApplied)")
    }
    return mark
  }
}

/// The value of `--crop-from`.
struct MarkArgument: ExpressibleByArgument {
  let choice: MarkChoice

  init(argument: String) {
    choice = argument == "xmp" ? .inside : .sidecar(FileArgument(argument: argument))
  }

  static var defaultCompletionKind: CompletionKind { .file() }
}

extension CropSpec {
  /// The recipe for an image that was opened with the leniency and page of `options`, and warnings.
  ///
  /// - Throws: as ``recipe(for:)``, for a crop of another program that is missing or can't be
  ///   reproduced, and for an image whose border can't be trimmed or in which no sheet is found.
  func recipe(
    for picture: OpenedImage, of source: ImageSource, by engine: CropEngine,
    options: ResultOptions = ResultOptions()
  ) throws(CropError) -> (recipe: CropRecipe, warnings: [CropWarning]) {
    let info = picture.info
    if let mark {
      let found = try mark.mark(of: source, info)
      var recipe = found.recipe
      (recipe.shape, recipe.output) = (shape, output)
      return (try finished(recipe, on: info.shown), found.warnings)
    }
    if findsCorners {
      var whole = self
      (whole.width, whole.height) = (nil, nil)
      var (recipe, warnings) = try engine.straightening(
        whole.recipe(for: info), of: picture, options: options)
      let frame = OrientationMap<ImageSpace, FrameSpace>(recipe.orientation, of: info.shown).target
      if let quad = recipe.quad { description.straighten(quad, &recipe, in: frame) }
      return (try finished(recipe, on: info.shown), warnings)
    }
    guard let trim else { return try recipeAndWarnings(for: info) }
    // The area, and what depends on it, refers to the image inside the border.
    var whole = self
    (whole.area, whole.isCircle, whole.width, whole.height) = (nil, false, nil, nil)
    let (recipe, warnings) = try engine.trimming(
      whole.recipe(for: info), of: picture, tolerance: trim, options: options)
    return (try placed(in: recipe, of: info), warnings)
  }
}
