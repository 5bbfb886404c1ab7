import ArgumentParser
import CropCore

/// What to cut.
struct CropOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The part to keep: left, top, width, height.",
      discussion: """
        In pixels of the upright, turned picture, or in per cent of its sides, rounded outward to \
        whole pixels: 100,50,800,600 or 10%,10%,80%,80%; or 800x600+100+50. A negative width or height \
        leaves as much at the far edge: 100,50,-100,-50, and -0 nothing. Without it, the whole picture.
        """, valueName: "x,y,w,h"))
  var rect: RectArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Straighten what lies between four corners: a sheet, a painting, a screen seen at an angle.",
      discussion: """
        Clockwise from the corner that becomes top left, in pixels of the upright, turned picture, to \
        1/64, or in per cent of its sides. Each side of the result is as long as the longer of its two edges, \
        unless --size says otherwise.
        """, valueName: "x1,y1,…,x4,y4"))
  var quad: QuadArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Cut this much off: all sides, across and down, or left, top, right, bottom.",
      discussion: """
        In pixels or per cent: 10 or 10,20 or 5%,0,5%,10. With --tilt from the part that the tilt leaves.
        """, valueName: "n"))
  var inset: InsetArgument?

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
    help: ArgumentHelp(
      "Resample to exactly this size, of the part's ratio; with --quad of any.",
      discussion: """
        With --quad also a4, letter, square or a ratio such as 3:2, upright or on its side as the corners \
        are, and sheet: the ratio of the flat sheet itself, worked out from the perspective.
        """, valueName: "wxh"))
  var size: SizeArgument?

  @Option(help: ArgumentHelp("Scale down until no side is longer than this.", valueName: "n"))
  var maxSide: Int?

  @Option(
    help: ArgumentHelp(
      "Take all of the above from a recipe in JSON; - is standard input.", valueName: "file"))
  var recipe: FileArgument?

  @Option(
    help: ArgumentHelp(
      "Take the crop that another program left: xmp, or a sidecar.",
      discussion: """
        xmp is the crop of Lightroom or Camera Raw in the picture itself; photo.xmp, photo.jpg.pp3 of \
        RawTherapee or photo.AAE of Apple Photos lie beside it. One that can't be repeated exactly is \
        refused. --shape, --size and --max-side may follow.
        """, valueName: "xmp|file"))
  var cropFrom: MarkArgument?

  func validate() throws {
    if let problem = words.problem { throw ValidationError(problem) }
  }

  /// The same, as plain values.
  var values: WhatToCut {
    var values = words.values
    values.recipeFile = recipe
    values.mark = cropFrom?.choice
    return values
  }

  private var words: WhatWords {
    WhatWords(
      hasRecipe: recipe != nil, hasMark: cropFrom != nil, rect: rect, quad: quad, inset: inset,
      aspect: aspect, gravity: gravity, turn: turn, mirror: mirror, tilt: tilt, shape: shape,
      size: size, maxSide: maxSide)
  }
}
