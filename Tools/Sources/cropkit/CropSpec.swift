import CropCore
import CropImaging
import FoundationEssentials

/// What to crop, before the image is read.
struct CropSpec: Equatable, Sendable {
  /// The area to keep; nil for the complete image.
  var area: CropArea?
  /// Whether a rectangle that is partly outside the image is cut to it.
  var clamps = false
  /// Four corners instead of the area, as alternating x and y.
  var quad: [CropLength]?
  /// Whether the four corners are those of the sheet that stands out in the image.
  var findsCorners = false
  /// The size of the area between the corners.
  var quadSize = QuadSize.edges
  /// Clockwise quarter turns, before the crop.
  var quarterTurns = 0
  /// Whether the image is mirrored left to right, before the turns.
  var isMirrored = false
  var tilt = CropAngle.zero
  var shape = CropShape.rectangle
  /// Whether the shape requires a square.
  var isCircle = false
  /// The focus for an area without a position.
  var focus: FocusArgument?
  var output: OutputSize?
  /// One side of the result in pixels; the other follows from the ratio.
  var width: Int?
  var height: Int?
  /// The print that the result becomes, and whether a crop with too few pixels is enlarged.
  var print: CropPrint?
  var enlarges = false
  /// A recipe instead of all of these, except for the output.
  var recipe: CropRecipe?
  /// A recipe file instead of all of these, except for the output.
  var recipeFile: FileArgument?
  /// Another program's crop instead of these, except for the shape and the output.
  var mark: MarkChoice?
  /// The tolerance for trimming a uniform border first; nil to trim nothing.
  var trim: Int?
  /// A target, whose crop is used instead.
  var target: TargetChoice?
  /// The line's values for it, such as `aspect=1:1`.
  var texts: [String] = []

  /// A copy with the recipe file read, once for all images.
  ///
  /// - Throws: `CropError` for a recipe file that is unreadable or invalid.
  func readingRecipe() throws(CropError) -> Self {
    var result = self
    if let recipeFile { result.recipe = try recipeFile.readRecipe() }
    return result
  }

  /// A key for notes about finished work, the same in every run.
  func key(_ encoder: JSONEncoder) throws -> Data {
    if let recipe {
      return try encoder.encode(recipe) + (texts.isEmpty ? Data() : encoder.encode(texts))
    }
    guard let target else { return try encoder.encode(texts + [mark == nil ? "" : "cropFrom"]) }
    var document = target.document
    document.targets = [target.target]
    return try encoder.encode(document) + encoder.encode(target.enlarges)
  }

  mutating func mirror(_ axis: FlipArgument) {
    isMirrored = true
    // Top to bottom is the same as left to right and upside down.
    if axis == .vertical { quarterTurns += 2 }
  }

  /// Whether the crop depends on more than the image's header.
  var needsPicture: Bool { mark != nil || needsPixels }

  /// Whether the size of the crop depends on the image's pixels.
  var needsPixels: Bool { trim != nil || findsCorners }

  /// The recipe for an image, without trimming or finding corners.
  ///
  /// - Throws: `CropError` for a recipe file or a focus that is unreadable or invalid, for a target
  ///   without a crop, and for a circle whose area is not square.
  func recipe(for info: ImageInfo) throws(CropError) -> CropRecipe {
    try recipeAndWarnings(for: info).recipe
  }

  /// The recipe for an image, without trimming, and a warning if its rectangle was cut to the image.
  ///
  /// - Throws: as ``recipe(for:)``.
  func recipeAndWarnings(
    for info: ImageInfo
  ) throws(CropError) -> (recipe: CropRecipe, warnings: [CropWarning]) {
    if let target { return (try target.crop(on: info).recipe, []) }
    let description = try described()
    do throws(CropDescription.NotSquare) {
      let (recipe, asked) = try description.recipe(for: info.shown, jpeg: info.storedJPEG)
      guard let asked, let part = recipe.rect else { return (recipe, []) }
      return (recipe, [.clamped(asked, to: part)])
    } catch {
      throw error.cropError
    }
  }

  /// The recipe with the output size, which follows from its area.
  ///
  /// - Throws: `CropError.usage` for a circle whose area is not square.
  func finished(_ recipe: CropRecipe, on image: ImageSize) throws(CropError) -> CropRecipe {
    do throws(CropDescription.NotSquare) {
      return try description.finished(recipe, on: image)
    } catch {
      throw error.cropError
    }
  }

  /// A recipe whose rectangle is what is left of a trimmed image, with the area placed in that.
  ///
  /// - Throws: `CropError` for a focus that is unreadable or invalid, and for a circle whose area is
  ///   not square.
  func placed(in recipe: CropRecipe, of info: ImageInfo) throws(CropError) -> CropRecipe {
    let description = try described()
    do throws(CropDescription.NotSquare) {
      return try description.placed(in: recipe, of: info.shown, jpeg: info.storedJPEG)
    } catch {
      throw error.cropError
    }
  }

  /// The same for the core, with the recipe and the focus read.
  ///
  /// - Throws: `CropError` for a recipe file or a focus that is unreadable or invalid.
  private func described() throws(CropError) -> CropDescription {
    var result = description
    if result.recipe == nil, let recipeFile { result.recipe = try recipeFile.readRecipe() }
    if result.recipe == nil, area != nil { result.focus = try focus?.focus() }
    return result
  }

  /// The same for the core, without what must be read.
  var description: CropDescription {
    var result = CropDescription()
    (result.area, result.clamps) = (area, clamps)
    (result.quad, result.quadSize) = (quad, quadSize)
    (result.quarterTurns, result.isMirrored, result.tilt) = (quarterTurns, isMirrored, tilt)
    (result.shape, result.isCircle) = (shape, isCircle)
    (result.output, result.width, result.height) = (output, width, height)
    (result.print, result.enlarges) = (print, enlarges)
    result.recipe = recipe
    return result
  }
}

extension CropDescription.NotSquare {
  fileprivate var cropError: CropError {
    .usage(detail: ConflictText.notSquare("\(rect.width)", "\(rect.height)"))
  }
}

extension FileArgument {
  /// The recipe in this file.
  fileprivate func readRecipe() throws(CropError) -> CropRecipe {
    try readJSON(CropRecipe.self, called: "a recipe")
  }

  /// Decodes the JSON in this file.
  ///
  /// - Throws: `CropError`, which calls the file `what`.
  func readJSON<Value: Decodable>(
    _ type: Value.Type, called what: String
  ) throws(CropError) -> Value {
    // A recipe has a few hundred bytes; a megabyte must be something else.
    let source: ImageSource
    do throws(CropError) {
      source = try self.source(limits: Limits(bytes: 1 << 20), called: what)
    } catch .limitExceeded(let file, _, _, _) {
      throw .invalidRecipe(file: file, detail: "not \(what): larger than 1 MiB")
    }
    let bytes = try source.allBytes()
    do {
      return try StrictJSON.decode(type, from: bytes)
    } catch {
      let words = DecodingError.words(for: error)
      throw .invalidRecipe(file: source.name, detail: "not \(what): \(words)")
    }
  }
}
