import ArgumentParser
import CropCore
import CropImaging

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What to cut.
struct WhatOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The part to keep: left, top, width, height.",
      discussion: """
        In pixels of the upright, turned picture, or in per cent of its sides, rounded outward to \
        whole pixels: 100,50,800,600 or 10%,10%,80%,80%. Without it, the whole picture.
        """, valueName: "x,y,w,h"))
  var rect: RectArgument?

  @Option(help: ArgumentHelp("Keep the largest part of this ratio.", valueName: "w:h"))
  var aspect: AspectArgument?

  @Option(
    help: ArgumentHelp(
      "Where the part of --aspect lies (default: center).",
      discussion: "An odd pixel that is left over goes to the right and to the bottom.",
      valueName: "name"))
  var gravity: GravityArgument?

  @Option(help: ArgumentHelp("Turn clockwise, before the part is taken.", valueName: "deg"))
  var turn: TurnArgument?

  @Option(help: ArgumentHelp("Mirror, before it is turned.", valueName: "axis"))
  var mirror: MirrorArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Straighten: tilt clockwise by -45 to 45 degrees; the part has no blank corner.",
      valueName: "deg"))
  var tilt: TiltArgument?

  @Option(
    help: ArgumentHelp("Mask to an outline: ellipse or rounded:RADIUS.", valueName: "shape"))
  var shape: ShapeArgument?

  @Option(
    help: ArgumentHelp("Resample to exactly this size, of the part's ratio.", valueName: "wxh"))
  var size: SizeArgument?

  @Option(help: ArgumentHelp("Scale down until no side is longer than this.", valueName: "n"))
  var maxSide: Int?

  @Option(
    help: ArgumentHelp(
      "Take all of the above from a recipe in JSON; - is standard input.", valueName: "file"))
  var recipe: FileArgument?

  func validate() throws {
    if rect != nil, aspect != nil {
      throw ValidationError("--rect and --aspect can't be used together")
    }
    if gravity != nil, aspect == nil { throw ValidationError("--gravity needs --aspect") }
    if size != nil, maxSide != nil {
      throw ValidationError("--size and --max-side can't be used together")
    }
    let others: [Any?] = [rect, aspect, gravity, turn, mirror, tilt, shape, size, maxSide]
    if recipe != nil, others.contains(where: { $0 != nil }) {
      throw ValidationError("--recipe says all that is to be cut; leave the other options out")
    }
  }

  /// The recipe for a picture of the given upright size.
  ///
  /// - Throws: `CropError` for a recipe file that can't be read or understood.
  func recipe(for image: ImageSize) throws(CropError) -> CropRecipe {
    if let recipe { return try recipe.readRecipe() }
    var result = CropRecipe(
      quarterTurns: turn?.quarterTurns ?? 0, isMirrored: mirror != nil, tilt: tilt?.tilt ?? .zero,
      shape: shape?.shape ?? .rectangle)
    // Top to bottom is left to right, upside down.
    if mirror == .vertical { result.quarterTurns += 2 }
    if let size { result.output = .exact(width: size.width, height: size.height) }
    if let maxSide { result.output = .maxSide(maxSide) }
    if let area = rect?.area ?? aspect.map({ .ratio($0.ratio, gravity?.gravity ?? .center) }) {
      let frame = OrientationMap<ImageSpace, FrameSpace>(result.orientation, of: image).target
      let tilt = result.tilt.degrees
      // A tilt that can't be is refused with the recipe; no area is sought under it.
      guard abs(tilt) <= CropRecipe.largestTilt.degrees else { return result }
      result.rect = area.rect(in: TiltedPicture(frame: frame, tilt: result.tilt))
    }
    return result
  }
}

extension FileArgument {
  /// The recipe in this file.
  fileprivate func readRecipe() throws(CropError) -> CropRecipe {
    // A recipe is a few hundred bytes; what is a megabyte long is something else.
    let source = try source(limits: Limits(bytes: 1 << 20))
    var bytes = [UInt8](repeating: 0, count: source.byteCount)
    let count: Int
    do {
      count = try bytes.withUnsafeMutableBytes { try source.read(into: $0, at: 0) }
    } catch let error as CropError {
      throw error
    } catch {
      throw .readFailed(file: source.name, detail: "\(error)")
    }
    do {
      return try JSONDecoder().decode(CropRecipe.self, from: Data(bytes[..<count]))
    } catch {
      throw .invalidRecipe(
        file: source.name, detail: "no recipe: \(DecodingError.words(for: error))")
    }
  }
}
