import ArgumentParser
import CropCore
import CropImaging

/// Where the crop of another program is taken from.
enum MarkChoice: Equatable, Sendable {
  /// The XMP in the picture itself.
  case inside
  /// A sidecar.
  case sidecar(FileArgument)

  /// `xmp`, or the name of a sidecar.
  init(_ text: String, in folder: PathBytes? = nil) {
    self = text == "xmp" ? .inside : .sidecar(FileArgument(text, in: folder))
  }

  /// The crop of the picture in `source`.
  ///
  /// - Throws: `CropError`, also where there is none, or where it is carried out already.
  func mark(of source: PictureSource, _ info: ImageInfo) throws(CropError) -> CropMark {
    let name: String
    let mark: CropMark?
    switch self {
    case .inside:
      name = source.name
      mark = try CropMark(in: source, info)
    case .sidecar(let file):
      name = file.name
      let sidecar: PictureSource
      do throws(CropError) {
        sidecar = try file.source(limits: Limits(bytes: CropMark.mostBytes), called: "sidecar")
      } catch .limitExceeded(_, _, _, _) {
        throw .invalidRecipe(file: name, detail: "no sidecar: it is longer than a megabyte")
      }
      mark = try CropMark(sidecar: sidecar, info)
    }
    guard let mark else {
      throw .invalidRecipe(file: name, detail: "no crop of Camera Raw or Lightroom is in its XMP")
    }
    guard !mark.isApplied else {
      throw .invalidRecipe(
        file: name,
        detail: "its crop is carried out on the pixels already (crs:AlreadyApplied)")
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

extension WhatToCut {
  /// The recipe for a picture, and what a person should know of it.
  ///
  /// - Throws: as ``recipe(for:)``, and for a crop of another program that is missing or can't be repeated.
  func recipe(
    for info: ImageInfo, of source: PictureSource
  ) throws(CropError) -> (recipe: CropRecipe, warnings: [CropWarning]) {
    guard let mark else { return (try recipe(for: info.shown), []) }
    let found = try mark.mark(of: source, info)
    var recipe = found.recipe
    (recipe.shape, recipe.output) = (shape, output)
    return (recipe, found.warnings)
  }
}
