// Made by Scripts/schema.mjs of Schema/options.json; change that.
// swift-format-ignore-file

import ArgumentParser
import CropCore
import CropImaging

/// What to cut.
struct CropOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("The part to keep: left, top, width, height.", discussion: "In pixels of the upright, turned picture, or in per cent of its sides, rounded outward to whole pixels: 100,50,800,600 or 10%,10%,80%,80%; or 800x600+100+50. A negative width or height leaves as much at the far edge: 100,50,-100,-50, and -0 nothing. Without it, the whole picture.", valueName: "x,y,w,h"))
  var rect: RectArgument?

  @Option(parsing: .unconditional, help: ArgumentHelp("Straighten what lies between four corners: a sheet, a painting, a screen seen at an angle.", discussion: "Clockwise from the corner that becomes top left, in pixels of the upright, turned picture, to 1/64, or in per cent of its sides. Each side of the result is as long as the longer of its two edges, unless --size says otherwise.", valueName: "x1,y1,…,x4,y4"))
  var quad: QuadArgument?

  @Option(parsing: .unconditional, help: ArgumentHelp("Cut this much off: all sides, across and down, or left, top, right, bottom.", discussion: "In pixels or per cent: 10 or 10,20 or 5%,0,5%,10. With --tilt from the part that the tilt leaves.", valueName: "n"))
  var inset: InsetArgument?

  @Option(help: ArgumentHelp("Keep the largest part of this ratio.", valueName: "w:h"))
  var aspect: AspectArgument?

  @Option(help: ArgumentHelp("Where the part of --aspect lies (default: center).", discussion: "An odd pixel that is left over goes to the right and to the bottom.", valueName: "name"))
  var gravity: GravityArgument?

  @Option(help: ArgumentHelp("Turn clockwise, before the part is taken.", valueName: "deg"))
  var turn: TurnArgument?

  @Option(help: ArgumentHelp("Mirror, before it is turned.", valueName: "axis"))
  var mirror: MirrorArgument?

  @Option(parsing: .unconditional, help: ArgumentHelp("Straighten: tilt clockwise by -45 to 45 degrees; the part has no blank corner.", valueName: "deg"))
  var tilt: TiltArgument?

  @Option(help: ArgumentHelp("Mask to an outline: ellipse or rounded:RADIUS.", valueName: "shape"))
  var shape: ShapeArgument?

  @Option(help: ArgumentHelp("Resample to exactly this size, of the part's ratio; with --quad of any.", discussion: "With --quad also a4, letter, square or a ratio such as 3:2, upright or on its side as the corners are, and sheet: the ratio of the flat sheet itself, worked out from the perspective.", valueName: "wxh"))
  var size: SizeArgument?

  @Option(help: ArgumentHelp("Scale down until no side is longer than this.", valueName: "n"))
  var maxSide: Int?

  @Option(help: ArgumentHelp("Take all of the above from a recipe in JSON; - is standard input.", valueName: "file"))
  var recipe: FileArgument?

  @Option(help: ArgumentHelp("Take the crop that another program left: xmp, or a sidecar.", discussion: "xmp is the crop of Lightroom or Camera Raw in the picture itself; photo.xmp, photo.jpg.pp3 of RawTherapee or photo.AAE of Apple Photos lie beside it. One that can't be repeated exactly is refused. --shape, --size and --max-side may follow.", valueName: "xmp|file"))
  var cropFrom: MarkArgument?

  /// What was said, but for a recipe.
  var words: WhatWords {
    var words = WhatWords()
    words.rect = rect
    words.quad = quad
    words.inset = inset
    words.aspect = aspect
    words.gravity = gravity
    words.turn = turn
    words.mirror = mirror
    words.tilt = tilt
    words.shape = shape
    words.size = size
    words.maxSide = maxSide
    words.hasRecipe = recipe != nil
    words.hasMark = cropFrom != nil
    return words
  }
}

/// What to cut in the words of a person: options of a command, or keys of a manifest's line.
struct WhatWords {
  /// Whether a recipe says all of it.
  var hasRecipe = false
  /// Whether the crop of another program says where it lies.
  var hasMark = false
  /// The words of a manifest's line.
  var texts: [String] = []
  var rect: RectArgument?
  var quad: QuadArgument?
  var inset: InsetArgument?
  var aspect: AspectArgument?
  var gravity: GravityArgument?
  var turn: TurnArgument?
  var mirror: MirrorArgument?
  var tilt: TiltArgument?
  var shape: ShapeArgument?
  var size: SizeArgument?
  var maxSide: Int?

  /// The keys of a manifest's line, of the same names and values as the options of `cropkit crop`.
  enum Key: String, CodingKey, CaseIterable {
    case rect, quad, inset, aspect, gravity, turn, mirror, tilt, shape, size, maxSide

    /// Whether a value may start with a dash.
    var takesDashes: Bool {
      switch self {
      case .rect, .quad, .inset, .tilt: true
      default: false
      }
    }
  }

  /// Of each list at most one may be given.
  static let exclusive: [[Key]] = [[.rect, .quad, .inset, .aspect], [.quad, .tilt], [.size, .maxSide]]

  /// The first is given only with the second.
  static let needs: [(Key, Key)] = [(.gravity, .aspect)]

  /// Sets what a text says; false for a text that is not understood.
  mutating func set(_ key: Key, to text: String) -> Bool {
    switch key {
    case .rect:
      rect = RectArgument(argument: text)
      return rect != nil
    case .quad:
      quad = QuadArgument(argument: text)
      return quad != nil
    case .inset:
      inset = InsetArgument(argument: text)
      return inset != nil
    case .aspect:
      aspect = AspectArgument(argument: text)
      return aspect != nil
    case .gravity:
      gravity = GravityArgument(argument: text)
      return gravity != nil
    case .turn:
      turn = TurnArgument(argument: text)
      return turn != nil
    case .mirror:
      mirror = MirrorArgument(argument: text)
      return mirror != nil
    case .tilt:
      tilt = TiltArgument(argument: text)
      return tilt != nil
    case .shape:
      shape = ShapeArgument(argument: text)
      return shape != nil
    case .size:
      size = SizeArgument(argument: text)
      return size != nil
    case .maxSide:
      maxSide = ResultOptions.whole(text, 1...1000000000)
      return maxSide != nil
    }
  }

  /// Whether it was said.
  func holds(_ key: Key) -> Bool {
    switch key {
    case .rect: rect != nil
    case .quad: quad != nil
    case .inset: inset != nil
    case .aspect: aspect != nil
    case .gravity: gravity != nil
    case .turn: turn != nil
    case .mirror: mirror != nil
    case .tilt: tilt != nil
    case .shape: shape != nil
    case .size: size != nil
    case .maxSide: maxSide != nil
    }
  }
}
