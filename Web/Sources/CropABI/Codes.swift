// Made by Scripts/interface.mjs of Web/interface.json; change that.

import CropCore

private func whole(_ value: Double) -> Int? { Int(exactly: value) }

/// Two whole numbers, at least 1; nil for others.
private func size(_ a: Double, _ b: Double) -> FrameSize? {
  guard let width = whole(a), let height = whole(b), width > 0, height > 0 else { return nil }
  return FrameSize(width: width, height: height)
}

extension Command {
  /// The command of a code and its two numbers; nil for an unknown code or a number that can't be.
  init?(code: Int32, _ a: Double, _ b: Double) {
    switch code {
    case 0: self = .undo
    case 1: self = .redo
    case 2: self = .reset
    case 3: self = .clear
    case 4: self = .selectAll
    case 5: self = .turn(clockwise: a > 0)
    case 6: self = .mirror(vertically: a != 0)
    case 7:
      guard let phase = whole(b).flatMap(TiltPhase.init(rawValue:)) else { return nil }
      self = .tilt(Angle(degrees: a), phase)
    case 8: self = .ratio(.free)
    case 9: self = .ratio(.original(isSwapped: false))
    case 10:
      guard let ratio = AspectRatio(rounding: a, b) else { return nil }
      self = .ratio(.fixed(ratio))
    case 11: self = .swapRatio
    case 12:
      guard let shape = whole(a).flatMap({ CropShape(code: $0, radius: b) }) else { return nil }
      self = .shape(shape)
    case 13:
      guard let style = whole(a).flatMap(CropStyle.init(rawValue:)) else { return nil }
      self = .style(style)
    case 14:
      guard let cover = whole(a).flatMap(Cover.init(rawValue:)) else { return nil }
      self = .cover(cover)
    case 15:
      let size = size(a, b)
      guard size != nil || (a == 0 && b == 0) else { return nil }
      self = .minimumSize(size)
    case 16:
      let size = size(a, b)
      guard size != nil || (a == 0 && b == 0) else { return nil }
      self = .maximumSize(size)
    case 17: self = .zoom(a)
    case 18: self = .fit
    case 19: self = .center
    case 20: self = .set(.x, a)
    case 21: self = .set(.y, a)
    case 22: self = .set(.width, a)
    case 23: self = .set(.height, a)
    case 24:
      guard let grid = whole(a).flatMap(Grid.init(rawValue:)) else { return nil }
      self = .grid(grid)
    case 25: self = .focus(whole(a).flatMap(ElementKey.init(rawValue:)))
    case 26:
      guard let element = whole(a).flatMap(ElementKey.init(rawValue:)) else { return nil }
      self = .increment(element)
    case 27:
      guard let element = whole(a).flatMap(ElementKey.init(rawValue:)) else { return nil }
      self = .decrement(element)
    case 28: self = .reduceMotion(a != 0)
    case 29: self = .rightToLeft(a != 0)
    case 30: self = .armDraw(a != 0)
    case 31: self = .armLevel(a != 0)
    case 32: self = .cancelGesture
    case 33: self = .crop
    case 34:
      let size = size(a, b)
      guard size != nil || (a == 0 && b == 0) else { return nil }
      self = .outputSize(size)
    case 35: self = .keepsRatio(a != 0)
    case 36: self = .margin(a)
    case 37:
      guard let pixels = whole(a), pixels >= 0 else { return nil }
      self = .longestSide(pixels == 0 ? nil : pixels)
    case 38: self = .viewfinderTop(b != 0 ? a : nil)
    case 45:
      guard let mode = whole(a).flatMap(LosslessMode.init(code:)) else { return nil }
      self = .lossless(mode)
    default: return nil
    }
  }
}

enum ShapeCode {
  static var rectangle: Int { 0 }
  static var ellipse: Int { 1 }
  static var rounded: Int { 2 }
}

enum RatioCode {
  static var free: Int { 0 }
  static var original: Int { 1 }
  static var fixed: Int { 2 }
}

enum LosslessCode {
  static var never: Int { 0 }
  static var exact: Int { 1 }
  static var snap: Int { 2 }
}

enum QuestionCode {
  static var target: Int { 0 }
  static var focusFrame: Int { 1 }
  static var focusOf: Int { 2 }
  static var ratio: Int { 3 }
}

enum AnnouncementCode {
  static var selection: Int { 0 }
  static var cleared: Int { 1 }
  static var undone: Int { 2 }
  static var redone: Int { 3 }
  static var reset: Int { 4 }
  static var turned: Int { 5 }
  static var mirrored: Int { 6 }
  static var tilt: Int { 7 }
  static var ratio: Int { 8 }
  static var limit: Int { 9 }
  static var violatedRule: Int { 10 }
  static var shape: Int { 11 }
}

/// The kinds of a scene's items: a code, and how many numbers follow.
struct ItemCode {
  let code: Int
  let count: Int

  static var picture: Self { Self(code: 0, count: 6) }
  static var shade: Self { Self(code: 1, count: 8) }
  static var stroke: Self { Self(code: 2, count: 8) }
  static var line: Self { Self(code: 3, count: 6) }
  static var bar: Self { Self(code: 4, count: 5) }
  static var label: Self { Self(code: 5, count: 8) }
  static var pictureEdge: Self { Self(code: 6, count: 8) }
  static var magnifier: Self { Self(code: 7, count: 6) }
  static var blocks: Self { Self(code: 8, count: 8) }
}

extension Output {
  /// Writes what the controls around the picture show.
  mutating func appendState(_ session: borrowing CropSession) {
    let ratio = session.ratio.ratio(on: session.frame)
    let plan = session.jpegPlan
    append(session.isValid)
    append(session.cursor.rawValue)
    append(session.canUndo)
    append(session.canRedo)
    append(session.canReset)
    append(session.settings.style.rawValue)
    append(session.ratio.code)
    append(ratio?.width ?? 0)
    append(ratio?.height ?? 0)
    append(session.tilt.degrees)
    append(session.zoom)
    append(session.wantsTicks)
    append(session.frame.width)
    append(session.frame.height)
    append(session.settings.grid.rawValue)
    append(session.shape.code)
    append(session.shape.radius)
    append(session.isGestureActive)
    append(session.needsTouch)
    append(session.armed == .draw ? 1 : session.armed == .level ? 2 : 0)
    append(session.settings.cover.rawValue)
    append(session.settings.keepsRatio)
    append(session.outputSize)
    append(session.settings.lossless.code)
    append(session.jpeg != nil)
    append(plan?.way == .lossless)
    append(plan?.obstacle == .offGrid)
  }

  /// Writes numbers of the core that the page shows or starts from.
  mutating func appendConstants() {
    append(Interaction.margin)
    append(CropRecipe.largestTilt.degrees)
    append(RecipeError.largestOutputSide)
    append(Interaction.keyZoom)
  }
}
