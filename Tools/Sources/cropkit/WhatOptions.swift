import ArgumentParser
import CropCore

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

  /// The same, as plain values.
  var values: WhatToCut {
    var values = WhatToCut()
    values.area = rect?.area ?? aspect.map { .ratio($0.ratio, gravity?.gravity ?? .center) }
    values.quarterTurns = turn?.quarterTurns ?? 0
    if let mirror { values.mirror(mirror) }
    values.tilt = tilt?.tilt ?? .zero
    values.shape = shape?.shape ?? .rectangle
    if let size { values.output = .exact(width: size.width, height: size.height) }
    if let maxSide { values.output = .maxSide(maxSide) }
    values.recipeFile = recipe
    return values
  }
}
