import CropCore

extension Command {
  /// The command of a code and its two numbers; nil for an unknown code or a number that can't be.
  init?(code: Int32, _ a: Double, _ b: Double) {
    func size() -> FrameSize? {
      guard let width = Int(exactly: a), let height = Int(exactly: b), width > 0, height > 0 else {
        return nil
      }
      return FrameSize(width: width, height: height)
    }
    func integer() -> Int? { Int(exactly: a) }
    switch code {
    case 0: self = .undo
    case 1: self = .redo
    case 2: self = .reset
    case 3: self = .clear
    case 4: self = .selectAll
    case 5: self = .turn(clockwise: a > 0)
    case 6: self = .mirror(vertically: a != 0)
    case 7:
      guard let phase = Int(exactly: b).flatMap(TiltPhase.init) else { return nil }
      self = .tilt(Angle(degrees: a), phase)
    case 8: self = .ratio(.free)
    case 9: self = .ratio(.original(isSwapped: false))
    case 10:
      guard let size = size(), let ratio = AspectRatio(size.width, size.height) else { return nil }
      self = .ratio(.fixed(ratio))
    case 11: self = .swapRatio
    case 12:
      guard let shape = integer().flatMap({ CropShape(code: $0, radius: b) }) else { return nil }
      self = .shape(shape)
    case 13:
      guard let style = integer().flatMap(CropStyle.init) else { return nil }
      self = .style(style)
    case 14:
      guard let cover = integer().flatMap(Cover.init) else { return nil }
      self = .cover(cover)
    case 15, 16:
      let size = size()
      guard size != nil || (a == 0 && b == 0) else { return nil }
      self = code == 15 ? .minimumSize(size) : .maximumSize(size)
    case 17: self = .zoom(a)
    case 18: self = .fit
    case 19: self = .center
    case 20: self = .set(.x, a)
    case 21: self = .set(.y, a)
    case 22: self = .set(.width, a)
    case 23: self = .set(.height, a)
    case 24:
      guard let grid = integer().flatMap(Grid.init) else { return nil }
      self = .grid(grid)
    case 25: self = .focus(integer().flatMap(ElementKey.init))
    case 26, 27:
      guard let key = integer().flatMap(ElementKey.init) else { return nil }
      self = code == 26 ? .increment(key) : .decrement(key)
    case 28: self = .reduceMotion(a != 0)
    case 29: self = .rightToLeft(a != 0)
    case 30: self = .armDraw(a != 0)
    case 31: self = .armLevel(a != 0)
    case 32: self = .cancelGesture
    case 33: self = .crop
    case 34:
      let size = size()
      guard size != nil || (a == 0 && b == 0) else { return nil }
      self = .outputSize(size)
    case 45:
      switch integer() {
      case 0: self = .lossless(.never)
      case 1: self = .lossless(.exact)
      case 2: self = .lossless(.snap)
      default: return nil
      }
    case 35: self = .keepsRatio(a != 0)
    case 36: self = .margin(a)
    case 37:
      guard let side = integer(), side >= 0 else { return nil }
      self = .longestSide(side == 0 ? nil : side)
    case 38: self = .openingTop(b == 0 ? nil : a)
    default: return nil
    }
  }
}

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
    case .free: 0
    case .original: 1
    case .fixed: 2
    }
  }
}

extension Output {
  /// Writes an announcement: its code, how many numbers follow, and these.
  mutating func append(_ announcement: Announcement) {
    func numbers(_ code: Int, _ values: [Double]) {
      append(code)
      append(values.count)
      for value in values { append(value) }
    }
    switch announcement {
    case .selection(let rect): numbers(0, [rect.width, rect.height, rect.x, rect.y])
    case .cleared: numbers(1, [])
    case .undone: numbers(2, [])
    case .redone: numbers(3, [])
    case .reset: numbers(4, [])
    case .turned(let turns): numbers(5, [Double(turns)])
    case .mirrored: numbers(6, [])
    case .tilt(let angle): numbers(7, [angle.degrees])
    case .ratio(let ratio): numbers(8, [Double(ratio?.width ?? 0), Double(ratio?.height ?? 0)])
    case .limit: numbers(9, [])
    case .gaveWay(let rule): numbers(10, [Double(rule.rawValue)])
    case .shape(let shape): numbers(11, [Double(shape.code)])
    }
  }
}
