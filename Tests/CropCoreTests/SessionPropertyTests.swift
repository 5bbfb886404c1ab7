import CropCore
import Foundation
import TestMaterial
import Testing

/// Random scripts of events, and the invariants after each of them.
@Suite struct SessionPropertyTests {
  /// 10⁵ events; 10⁷ in soak tests (`CROPKIT_SOAK`), or as many as in `CROPKIT_EVENTS`.
  static var events: Int {
    let environment = ProcessInfo.processInfo.environment
    return environment["CROPKIT_EVENTS"].flatMap(Int.init)
      ?? (Soak.isOn ? 10_000_000 : Thorough.count(100_000))
  }

  @Test func `whatever happens, the recipe is one the picture can give`() throws {
    var random = Seeded(seed: 0xC20B_0001)
    var script = Script(random: random)
    for _ in 0..<Self.events {
      let input = script.next()
      let before = script.session
      let changes = script.session.handle(input)
      try script.check(after: input, changes, since: before)
    }
    random = script.random
  }

  @Test func `a point of the view goes to the frame and back within a billionth`() throws {
    var random = Seeded(seed: 0xC20B_0004)
    for _ in 0..<Self.events {
      let viewport = Viewport(
        scale: random.double(0.001...50),
        origin: ViewPoint(x: random.double(-1e4...1e4), y: random.double(-1e4...1e4)))
      let place = ViewPoint(x: random.double(-4000...4000), y: random.double(-4000...4000))
      let back = viewport(viewport.inverse(place))
      try #require((back - place).length < 1e-9, "\(random.comment): \(viewport) \(place)")
    }
  }

  @Test func `undo takes back what was done, and redo does it again`() throws {
    var script = Script(random: Seeded(seed: 0xC20B_0002))
    for round in 0..<(Self.events / 50) {
      for _ in 0..<20 { _ = script.session.handle(script.next()) }
      _ = script.session.handle(.command(.cancelGesture))
      script.releaseAll()
      let recipe = script.session.recipe
      guard script.session.canUndo else { continue }
      _ = script.session.handle(.command(.undo))
      let earlier = script.session.recipe
      _ = script.session.handle(.command(.redo))
      try #require(script.session.recipe == recipe, "round \(round), \(script.random.comment)")
      _ = script.session.handle(.command(.undo))
      try #require(script.session.recipe == earlier, "round \(round), \(script.random.comment)")
    }
  }

  @Test(arguments: CropStyle.allCases)
  func `a recipe restored a thousand times stays the same`(style: CropStyle) throws {
    var random = Seeded(seed: 0xC20B_0003)
    for _ in 0..<60 {
      let image = ImageSize(width: random.int(2...9000), height: random.int(2...9000))
      var session = CropSession(style: style)
      session.open(image)
      _ = session.handle(.command(.ratio(.free)))
      _ = session.handle(.resize(ViewSize(width: 800, height: 600)))
      let recipe = try randomRecipe(for: image, &random)
      _ = try session.restore(recipe)
      // A tilted rectangle becomes four corners once.
      let wanted = style == .quad ? session.recipe : recipe.normalized()
      for _ in 0..<1000 / 60 + 1 {
        let seen = try #require(session.recipe)
        try #require(seen == wanted, "\(random.comment)")
        _ = session.handle(
          .resize(ViewSize(width: random.double(200...2000), height: random.double(200...2000))))
        _ = try session.restore(seen)
      }
    }
  }

  private func randomRecipe(for image: ImageSize, _ random: inout Seeded) throws -> CropRecipe {
    var recipe = CropRecipe(
      quarterTurns: random.int(0...3), isMirrored: random.chance(0.5),
      tilt: CropAngle(degrees: random.chance(0.5) ? 0 : random.double(-45...45)))
    let map = OrientationMap<ImageSpace, FrameSpace>(recipe.orientation, of: image)
    let picture = TiltedPicture(frame: map.target, tilt: recipe.tilt)
    let size = Double(random.int(1...3000))
    recipe.rect =
      SelectionRules(bounds: picture).quantized(
        FrameRect(
          x: random.double(0...9000), y: random.double(0...9000), width: size,
          height: random.double(1...3000))
      ).rect
    return recipe
  }
}

/// A session with random user input.
private struct Script {
  var session = CropSession()
  var random: Seeded
  private var time = 0.0
  private var down: [Int] = []

  init(random: Seeded) {
    self.random = random
    session.open(ImageSize(width: 4000, height: 3000))
    _ = session.handle(.resize(ViewSize(width: 828, height: 628)))
  }

  mutating func next() -> Input {
    time += random.element([0, 0.001, 0.016, 0.016, 0.05, 0.4, 1.5])
    switch random.int(0...99) {
    case 0...54: return .pointer(pointer())
    case 55...59:
      return .wheel(
        WheelInput(
          at: point(),
          delta: ViewVector(dx: random.double(-200...200), dy: random.double(-200...200)),
          isPrecise: random.chance(0.5), modifiers: modifiers(), time: time))
    case 60...61: return .magnify(at: point(), factor: random.double(0.2...4), time: time)
    case 62...71:
      return .key(Key(rawValue: random.int(0...17)) ?? .enter, modifiers(), time: time)
    case 72...73:
      return .resize(ViewSize(width: random.double(0...1500), height: random.double(0...1500)))
    case 74...83: return .tick(time)
    default: return .command(command())
    }
  }

  mutating func releaseAll() {
    for id in down {
      _ = session.handle(.pointer(PointerInput(.up, id: id, at: .zero, time: time)))
    }
    down = []
    // A delayed tap must not arrive later.
    time += 10
    _ = session.handle(.tick(time))
    _ = session.handle(.tick(time + 10))
    time += 10
  }

  private mutating func point() -> ViewPoint {
    let reach = random.chance(0.02) ? 1e5 : 900.0
    return ViewPoint(x: random.double(-60...reach), y: random.double(-60...reach))
  }

  private mutating func modifiers() -> Modifiers {
    random.chance(0.7) ? [] : Modifiers(rawValue: random.int(0...15))
  }

  private mutating func pointer() -> PointerInput {
    let kind: PointerKind = random.element([.mouse, .touch, .pen])
    let button: PointerButton = random.chance(0.1) ? .middle : .primary
    if let id = down.randomElement(using: &random), random.chance(0.9) {
      let phase: PointerPhase = random.element([.move, .move, .move, .move, .move, .up])
      if phase == .up {
        down.removeAll { $0 == id }
        if random.chance(0.1) {
          return PointerInput(.cancel, id: id, at: point(), time: time, kind: kind)
        }
      }
      return PointerInput(
        phase, id: id, at: point(), time: time, kind: kind, button: button, modifiers: modifiers())
    }
    let id = random.int(1...4)
    if !down.contains(id) { down.append(id) }
    return PointerInput(
      .down, id: id, at: point(), time: time, kind: kind, button: button, modifiers: modifiers())
  }

  private mutating func command() -> Command {
    let size = FrameSize(width: random.int(1...2500), height: random.int(1...2500))
    switch random.int(0...25) {
    case 0: return .undo
    case 1: return .redo
    case 2: return random.chance(0.2) ? .reset : .undo
    case 3: return .clear
    case 4: return .selectAll
    case 5: return .turn(clockwise: random.chance(0.5))
    case 6: return .mirror(vertically: random.chance(0.5))
    case 7, 8:
      return .tilt(
        CropAngle(degrees: random.double(-60...60)), random.element([.once, .dragging, .ended]))
    case 9: return .ratio(.free)
    case 10: return .ratio(.original(isSwapped: random.chance(0.5)))
    case 11, 12:
      return .ratio(
        AspectRatio(random.int(1...70), random.int(1...70)).map(RatioChoice.fixed) ?? .free)
    case 13: return .swapRatio
    case 14: return .shape(random.element([.rectangle, .ellipse, .roundedRectangle(radius: 20)]))
    case 15: return .style(random.element(CropStyle.allCases))
    case 16: return .cover(random.element([.fill, .fit]))
    case 17: return .minimumSize(random.chance(0.5) ? nil : size)
    case 18: return .maximumSize(random.chance(0.5) ? nil : size)
    case 19:
      return random.chance(0.8)
        ? .zoom(random.double(0.1...5))
        : .largestZoom(random.chance(0.5) ? nil : random.double(1...20))
    case 20: return random.element([.fit, .center])
    case 21:
      return .set(random.element([.x, .y, .width, .height]), random.double(-500...5000))
    case 22: return random.element([.armDraw(true), .armLevel(true), .cancelGesture])
    case 24:
      return random.chance(0.5)
        ? .viewfinderTop(random.chance(0.5) ? nil : random.double(0...1))
        : .layoutArea(
          random.chance(0.5)
            ? nil
            : ViewRect(
              x: random.double(-50...900), y: random.double(-50...900),
              width: random.double(0...900), height: random.double(0...900)))
    case 23: return .focus(ElementKey(rawValue: random.int(0...9)))
    default:
      let key = ElementKey(rawValue: random.int(0...9)) ?? .selection
      return random.chance(0.5) ? .increment(key) : .decrement(key)
    }
  }

  func check(after input: Input, _ changes: Changes, since before: CropSession) throws {
    guard let image = session.image else { return }
    let comment: Comment = "\(random.comment) at \(time): \(input)"
    if !changes.contains(.scene) { try #require(session.scene == before.scene, comment) }
    if !changes.contains(.recipe) { try #require(session.recipe == before.recipe, comment) }
    if !changes.contains(.elements) { try #require(session.elements == before.elements, comment) }
    if let recipe = session.recipe {
      try #require((try? recipe.resolved(for: image)) != nil, "\(comment) → \(recipe)")
      try #require((recipe.rect == nil) == (recipe.quad != nil), comment)
      if session.settings.style != .quad, let rect = recipe.rect,
        let maximum = session.settings.maximum
      {
        try #require(
          rect.width <= Double(maximum.width) && rect.height <= Double(maximum.height),
          "\(comment) → \(rect)")
      }
    }
    for item in session.scene.items {
      if case .picture(let map) = item {
        let isFinite = [map.a, map.b, map.c, map.d, map.tx, map.ty].allSatisfy { $0.isFinite }
        try #require(isFinite, comment)
        // Neither degenerate nor mirrored.
        try #require(abs(map.a * map.d - map.b * map.c) > 0, comment)
      }
      if case .stroke(let outline, _, _) = item { try #require(outline.rect.isProper, comment) }
    }
  }
}
