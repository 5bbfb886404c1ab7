import CropCore

extension OutputSize {
  /// The output of a code and its two numbers; nil for none and for what can't be.
  init?(code: Int, _ a: Double, _ b: Double) {
    switch (code, Int(exactly: a), Int(exactly: b)) {
    case (1, let width?, let height?): self = .exact(width: width, height: height)
    case (2, let side?, _): self = .maxSide(side)
    default: return nil
    }
  }
}

extension Output {
  /// Writes the twelve numbers of a recipe that has a rectangle.
  @inline(never) mutating func append(_ recipe: CropRecipe) {
    append(recipe.rect ?? FrameRect(x: 0, y: 0, width: 0, height: 0))
    append(recipe.quarterTurns)
    append(recipe.isMirrored)
    append(recipe.tilt.degrees)
    append(recipe.shape.code)
    append(recipe.shape.radius)
    append(recipe.output)
  }

  /// Writes a map's six numbers, as a canvas takes them.
  @inline(never) mutating func append(_ map: Affine<ImageSpace, ResultSpace>) {
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
  /// Writes an announcement: its code, how many numbers follow, and these.
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
    // The page says lossless only where every block is copied.
    case .exact, .strict: LosslessCode.exact
    case .snap, .outward: LosslessCode.snap
    }
  }

  init?(code: Int) {
    switch code {
    case LosslessCode.never: self = .never
    case LosslessCode.exact: self = .strict
    case LosslessCode.snap: self = .outward
    default: return nil
    }
  }
}
