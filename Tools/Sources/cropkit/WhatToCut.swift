import CropCore
import CropImaging
import FoundationEssentials

/// What to cut, as far as it is known before the picture is.
struct WhatToCut: Equatable, Sendable {
  /// The part to keep; nil is the whole picture.
  var area: CropArea?
  /// Four corners instead, as x and y in turn.
  var quad: [CropLength]?
  /// The size of what lies between them.
  var quadSize = QuadSize.edges
  /// Clockwise, before the part is taken.
  var quarterTurns = 0
  /// Left to right, before it is turned.
  var isMirrored = false
  var tilt = Angle.zero
  var shape = CropShape.rectangle
  var output: OutputSize?
  /// The recipe that says all of it instead.
  var recipe: CropRecipe?
  /// The file that holds all of it instead.
  var recipeFile: FileArgument?
  /// The crop of another program that it is instead, but for the shape and the output.
  var mark: MarkChoice?
  /// The target whose crop it is instead.
  var target: TargetChoice?
  /// The words of a line that say it, such as `aspect=1:1`.
  var words: [String] = []

  /// The same with the recipe of the file, which is read now, once for all pictures.
  ///
  /// - Throws: `CropError` for a recipe file that can't be read or understood.
  func readingRecipe() throws(CropError) -> Self {
    var result = self
    if let recipeFile { result.recipe = try recipeFile.readRecipe() }
    return result
  }

  /// What stands for it in notes about what was done, the same in every run.
  func key(_ encoder: JSONEncoder) throws -> Data {
    if let recipe { return try encoder.encode(recipe) }
    guard let target else { return try encoder.encode(words + [mark == nil ? "" : "cropFrom"]) }
    var document = target.document
    document.targets = [target.target]
    return try encoder.encode(document) + encoder.encode(target.enlarges)
  }

  /// Mirrors along an axis.
  mutating func mirror(_ axis: MirrorArgument) {
    isMirrored = true
    // Top to bottom is left to right, upside down.
    if axis == .vertical { quarterTurns += 2 }
  }

  /// The recipe for a picture of the given upright size.
  ///
  /// - Throws: `CropError` for a recipe file that can't be read or understood, and for a target without a
  ///   crop.
  func recipe(for image: ImageSize) throws(CropError) -> CropRecipe {
    if let target { return try target.crop(on: image).recipe }
    if let recipe { return recipe }
    if let recipeFile { return try recipeFile.readRecipe() }
    var result = CropRecipe(
      quarterTurns: quarterTurns, isMirrored: isMirrored, tilt: tilt, shape: shape)
    result.output = output
    if let quad { quadArea(quad, &result, image) }
    if let area {
      let frame = OrientationMap<ImageSpace, FrameSpace>(result.orientation, of: image).target
      // A tilt that can't be is refused with the recipe; no area is sought under it.
      guard abs(tilt.degrees) <= CropRecipe.largestTilt.degrees else { return result }
      result.rect = area.rect(in: TiltedPicture(frame: frame, tilt: tilt))
    }
    return result
  }

  private func quadArea(_ corners: [CropLength], _ recipe: inout CropRecipe, _ image: ImageSize) {
    let frame = OrientationMap<ImageSpace, FrameSpace>(recipe.orientation, of: image).target
    guard let quad = Quad(corners, on: frame) else { return }
    recipe.quad = quad
    // Corners that can't be are refused with the recipe; they have no size.
    guard quadSize != .edges, quad.fault(in: frame) == nil else { return }
    let size = quad.size(quadSize, in: frame)
    recipe.output = .exact(width: size.width, height: size.height)
  }
}

extension FileArgument {
  /// The recipe in this file.
  fileprivate func readRecipe() throws(CropError) -> CropRecipe {
    try readJSON(CropRecipe.self, called: "recipe")
  }

  /// The value that is written as JSON in this file.
  ///
  /// - Throws: `CropError`; what is wrong with the text is told as that of `what`.
  func readJSON<Value: Decodable>(
    _ type: Value.Type, called what: String
  ) throws(CropError) -> Value {
    // Such a file has a few hundred bytes; what is a megabyte long is something else.
    let source: PictureSource
    do throws(CropError) {
      source = try self.source(limits: Limits(bytes: 1 << 20), called: what)
    } catch .limitExceeded(let file, _, _, _) {
      throw .invalidRecipe(file: file, detail: "no \(what): it is longer than a megabyte")
    }
    let bytes = try source.allBytes()
    do {
      return try StrictJSON.decode(type, from: bytes)
    } catch {
      throw .invalidRecipe(
        file: source.name, detail: "no \(what): \(DecodingError.words(for: error))")
    }
  }
}
