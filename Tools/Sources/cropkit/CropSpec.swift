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

  /// Mirrors along an axis.
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
    let asked = try asked(for: info)
    let (kept, warnings) = clamps ? asked.clamping(to: info.shown) : (asked, [])
    return (try sized(kept, on: info.shown), warnings)
  }

  /// The recipe without a size, whose rectangle may be outside the image.
  private func asked(for info: ImageInfo) throws(CropError) -> CropRecipe {
    if let recipe { return recipe }
    if let recipeFile { return try recipeFile.readRecipe() }
    var result = CropRecipe(
      quarterTurns: quarterTurns, isMirrored: isMirrored, tilt: tilt, shape: shape)
    if let quad { quadArea(quad, &result, info.shown) }
    if let area {
      let focus = try focus?.focus()
      // An invalid tilt is rejected with the recipe; it needs no area.
      guard abs(tilt.degrees) <= CropRecipe.largestTilt.degrees else { return result }
      result.rect = area.rect(
        of: info.shown, PictureTransform(orientation: result.orientation, tilt: tilt),
        focus: focus, jpeg: info.storedJPEG)
    }
    return result
  }

  /// A recipe with the size that is asked for beside it.
  private func sized(
    _ recipe: CropRecipe, on image: ImageSize
  ) throws(CropError) -> CropRecipe {
    var result = recipe
    switch output {
    case .exact: result.output = output
    case .maxSide(let side): result = recipe.limited(toSide: side)
    case nil: break
    }
    return try finished(result, on: image)
  }

  /// The recipe with the output size, which follows from its area.
  ///
  /// - Throws: `CropError.usage` for a circle whose area is not square.
  func finished(_ recipe: CropRecipe, on image: ImageSize) throws(CropError) -> CropRecipe {
    var result = recipe
    // Invalid values are rejected with the recipe.
    guard isCircle || width != nil || height != nil, let crop = try? recipe.resolved(for: image)
    else { return result }
    let part = crop.rect
    if isCircle, part.width != part.height {
      throw .usage(
        detail: "a circle needs a square, and the rectangle is \(Int(part.width)) × "
          + "\(Int(part.height)); choose a square one, or use --shape ellipse")
    }
    let (across, down) = (Double(crop.output.width), Double(crop.output.height))
    func side(_ length: Double) -> Int { max(1, Int(min(length, 1e9).rounded())) }
    if let width {
      result.output = .exact(width: width, height: side(Double(width) / across * down))
    } else if let height {
      result.output = .exact(width: side(Double(height) / down * across), height: height)
    }
    return result
  }

  private func quadArea(_ corners: [CropLength], _ recipe: inout CropRecipe, _ image: ImageSize) {
    let frame = OrientationMap<ImageSpace, FrameSpace>(recipe.orientation, of: image).target
    guard let quad = Quad(corners, on: frame) else { return }
    straighten(quad, &recipe, in: frame)
  }

  /// Sets four corners in the frame, and the size of the area between them.
  func straighten(_ quad: Quad, _ recipe: inout CropRecipe, in frame: FrameSize) {
    recipe.quad = quad
    // Invalid corners are rejected with the recipe; they have no size.
    guard quadSize != .edges, quad.fault(in: frame) == nil else { return }
    let size = quad.size(quadSize, in: frame)
    recipe.output = .exact(width: size.width, height: size.height)
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
