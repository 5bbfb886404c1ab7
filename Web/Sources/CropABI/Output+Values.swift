import CropCore

extension OutputSize {
  /// Parses the code and two numbers of an output; nil for none and for invalid numbers.
  init?(code: Int, _ a: Double, _ b: Double) {
    switch (code, Int(exactly: a), Int(exactly: b)) {
    case (1, let width?, let height?): self = .exact(width: width, height: height)
    case (2, let side?, _): self = .maxSide(side)
    default: return nil
    }
  }
}

extension Output {
  /// Writes the twelve numbers of a recipe without its four corners; their rectangle is all zeros.
  @inline(never) mutating func append(_ recipe: CropRecipe) {
    append(recipe.rect ?? FrameRect(x: 0, y: 0, width: 0, height: 0))
    append(recipe.quarterTurns)
    append(recipe.isMirrored)
    append(recipe.tilt.degrees)
    append(recipe.shape)
    append(recipe.output)
  }

  /// Writes the corners of a quad.
  @inline(never) mutating func append(_ quad: Quad) {
    for index in 0..<4 { append(quad[index]) }
  }

  /// Writes a map's six numbers, in the order of a canvas element's transform.
  @inline(never) mutating func append<From, To>(_ map: Affine<From, To>) {
    append(map.a)
    append(map.b)
    append(map.c)
    append(map.d)
    append(map.tx)
    append(map.ty)
  }

  /// Writes an output's code and its two numbers.
  mutating func append(_ size: OutputSize?) {
    switch size {
    case nil:
      append(0)
      append(0)
      append(0)
    case .exact(let width, let height):
      append(1)
      append(width)
      append(height)
    case .maxSide(let side):
      append(2)
      append(side)
      append(0)
    }
  }
}

extension Output {
  /// Writes the ten numbers of a canvas, in the order in which they are read.
  @inline(never) mutating func append(_ filled: FilledCanvas) {
    let canvas = filled.canvas
    append(canvas.extent)
    append(canvas.margin)
    append(Gravity.allCases.firstIndex(of: canvas.gravity) ?? 0)
    var color = Background.white
    switch filled.fill {
    case .color(let own):
      append(FillCode.color)
      color = own
    case .transparent: append(FillCode.transparent)
    case .edge: append(FillCode.edge)
    case .blur: append(FillCode.blur)
    }
    append(Int(color.red))
    append(Int(color.green))
    append(Int(color.blue))
  }

  /// Writes the kind of a canvas's extent and its two numbers.
  @inline(never) mutating func append(_ extent: Canvas.Extent) {
    switch extent {
    case .crop:
      append(ExtentCode.crop)
      append(0)
      append(0)
    case .ratio(let ratio):
      append(ExtentCode.ratio)
      append(ratio.width)
      append(ratio.height)
    case .size(let size):
      append(ExtentCode.size)
      append(size)
    }
  }

  /// Writes whether a length is a percentage, and its number.
  @inline(never) mutating func append(_ length: CropLength) {
    switch length {
    case .pixels(let count):
      append(0)
      append(count)
    case .percent(let share):
      append(1)
      append(share)
    }
  }

  /// Writes a size in pixels.
  mutating func append(_ size: FrameSize) {
    append(size.width)
    append(size.height)
  }

  /// Writes the code of a shape and its radius.
  mutating func append(_ shape: CropShape) {
    append(shape.code)
    append(shape.radius)
  }

  /// Writes the kind of a ratio and its terms, 0 if it has none.
  mutating func append(_ choice: RatioChoice) {
    append(choice.code)
    if case .fixed(let ratio) = choice {
      append(ratio.width)
      append(ratio.height)
    } else {
      append(0)
      append(0)
    }
  }

  /// Writes the size of a canvas, and the crop's rectangle on it.
  @inline(never) mutating func append(_ layout: CanvasLayout) {
    append(layout.size)
    append(layout.crop)
  }

  /// Writes a rectangle of whole pixels.
  @inline(never) mutating func append(_ rect: PixelRect<FrameSpace>) {
    append(rect.x)
    append(rect.y)
    append(rect.width)
    append(rect.height)
  }
}

extension RatioChoice {
  var code: Int {
    switch self {
    case .free: RatioCode.free
    case .original: RatioCode.original
    case .fixed: RatioCode.fixed
    }
  }
}

extension Output {
  /// Writes an announcement: its code, the count of its numbers, and the numbers.
  mutating func append(_ announcement: Announcement) {
    typealias Code = AnnouncementCode
    func numbers(_ code: Int, _ values: [Double]) {
      append(code)
      append(values.count)
      for value in values { append(value) }
    }
    switch announcement {
    case .selection(let rect): numbers(Code.selection, [rect.width, rect.height, rect.x, rect.y])
    case .cleared: numbers(Code.cleared, [])
    case .undone: numbers(Code.undone, [])
    case .redone: numbers(Code.redone, [])
    case .reset: numbers(Code.reset, [])
    case .turned(let turns): numbers(Code.turned, [Double(turns)])
    case .mirrored: numbers(Code.mirrored, [])
    case .tilt(let angle): numbers(Code.tilt, [angle.degrees])
    case .ratio(let ratio):
      numbers(Code.ratio, [Double(ratio?.width ?? 0), Double(ratio?.height ?? 0)])
    case .limit: numbers(Code.limit, [])
    case .violatedRule(let rule): numbers(Code.violatedRule, [Double(rule.rawValue)])
    case .shape(let shape): numbers(Code.shape, [Double(shape.code)])
    }
  }
}

extension LosslessMode {
  var code: Int {
    switch self {
    case .never: LosslessCode.never
    case .exact: LosslessCode.exact
    case .snap: LosslessCode.snap
    case .strict: LosslessCode.strict
    case .outward: LosslessCode.outward
    }
  }

  init?(code: Int) {
    switch code {
    case LosslessCode.never: self = .never
    case LosslessCode.exact: self = .exact
    case LosslessCode.snap: self = .snap
    case LosslessCode.strict: self = .strict
    case LosslessCode.outward: self = .outward
    default: return nil
    }
  }
}
