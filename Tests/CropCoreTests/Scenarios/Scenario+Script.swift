@testable import CropCore

extension Scenario {
  mutating func pointer(
    _ phase: PointerPhase, _ x: Double, _ y: Double, id: Int = 0, button: PointerButton = .primary
  ) {
    send(
      .pointer(
        PointerInput(
          phase, id: id, at: ViewPoint(x: x, y: y), time: time, kind: kind, button: button,
          modifiers: modifiers)))
  }

  mutating func down(_ x: Double, _ y: Double, id: Int = 0, button: PointerButton = .primary) {
    pointer(.down, x, y, id: id, button: button)
  }

  /// Moves a pointer, by default a fiftieth of a second later.
  mutating func move(_ x: Double, _ y: Double, id: Int = 0, after wait: Seconds = 0.02) {
    time += wait
    pointer(.move, x, y, id: id)
  }

  /// Lifts a pointer, by default so late that nothing glides.
  mutating func up(_ x: Double, _ y: Double, id: Int = 0, after wait: Seconds = 0.5) {
    time += wait
    pointer(.up, x, y, id: id)
  }

  /// A press, a move to the middle, a move to the end and a slow release.
  mutating func drag(
    _ x: Double, _ y: Double, to endX: Double, _ endY: Double, button: PointerButton = .primary
  ) {
    time += 1
    down(x, y, button: button)
    move((x + endX) / 2, (y + endY) / 2)
    move(endX, endY)
    up(endX, endY)
  }

  /// A press, and its release a twentieth of a second later.
  mutating func tap(_ x: Double, _ y: Double, after wait: Seconds = 1) {
    time += wait
    down(x, y)
    up(x, y, after: 0.05)
  }

  /// Two fingers move from one pair of points to another in five steps, then both are lifted.
  mutating func pinch(
    from a: ViewPoint, _ b: ViewPoint, to c: ViewPoint, _ d: ViewPoint
  ) {
    time += 1
    kind = .touch
    beginPinch(a, b)
    for step in 1...5 {
      let share = Double(step) / 5
      movePinch(
        ViewPoint(x: a.x + (c.x - a.x) * share, y: a.y + (c.y - a.y) * share),
        ViewPoint(x: b.x + (d.x - b.x) * share, y: b.y + (d.y - b.y) * share))
    }
    up(d.x, d.y, id: 2)
    up(c.x, c.y, id: 1)
  }

  mutating func beginPinch(_ a: ViewPoint, _ b: ViewPoint) {
    down(a.x, a.y, id: 1)
    down(b.x, b.y, id: 2)
  }

  mutating func movePinch(_ a: ViewPoint, _ b: ViewPoint) {
    move(a.x, a.y, id: 1)
    move(b.x, b.y, id: 2, after: 0)
  }

  mutating func key(_ key: Key, _ modifiers: Modifiers = [], after wait: Seconds = 0.1) {
    time += wait
    send(.key(key, modifiers, time: time))
  }

  mutating func wheel(
    _ x: Double, _ y: Double, dx: Double = 0, dy: Double = 0, isPrecise: Bool = false,
    _ modifiers: Modifiers = []
  ) {
    time += 0.02
    send(
      .wheel(
        WheelInput(
          at: ViewPoint(x: x, y: y), delta: ViewVector(dx: dx, dy: dy), isPrecise: isPrecise,
          modifiers: modifiers, time: time)))
  }

  @discardableResult
  mutating func run(_ command: Command) -> Changes { send(.command(command)) }

  /// Ticks 60 times a second.
  mutating func wait(_ seconds: Seconds) {
    let end = time + seconds
    while time < end - 1e-9 {
      time = min(time + 1.0 / 60, end)
      send(.tick(time))
    }
  }

  mutating func resize(_ width: Double, _ height: Double) {
    send(.resize(ViewSize(width: width, height: height)))
  }
}

/// Everything that a user or a page can observe of a session, at rest or during a gesture.
struct SessionState: Equatable {
  var selection: FrameRect?
  var canUndo = false
  var canRedo = false
  var canReset = false
  var isActive = false
}

extension Scenario {
  var state: SessionState {
    SessionState(
      selection: session.recipe?.rect, canUndo: session.canUndo, canRedo: session.canRedo,
      canReset: session.canReset, isActive: session.isGestureActive)
  }

  var selection: FrameRect? { session.recipe?.rect }

  /// The position of the frame in the view as the image is drawn, only from the scene.
  var shown: Affine<ImageSpace, ViewSpace>? {
    for item in session.scene.items {
      if case .picture(let place) = item { return place }
    }
    return nil
  }

  /// What a pointer at a point of the view would drag.
  func target(at point: ViewPoint, kind: PointerKind) -> Target {
    Target(at: point, kind: kind, on: session.editor)
  }

  /// The outline that the scene draws in white.
  var outline: Outline? {
    for item in session.scene.items {
      if case .stroke(let outline, _, .frame) = item { return outline }
    }
    return nil
  }
}

extension CropStyle {
  /// The styles that select a rectangle.
  nonisolated static var ofRectangles: [CropStyle] { allCases.filter { $0 != .quad } }
}

nonisolated func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> FrameRect {
  FrameRect(x: x, y: y, width: width, height: height)
}

nonisolated func point(_ x: Double, _ y: Double) -> ViewPoint { ViewPoint(x: x, y: y) }

extension FrameSize {
  nonisolated static func of(_ width: Int, _ height: Int) -> FrameSize {
    FrameSize(width: width, height: height)
  }
}

/// Whether two lengths are equal except for rounding.
nonisolated func near(_ a: Double, _ b: Double, _ tolerance: Double = 1e-9) -> Bool {
  abs(a - b) <= tolerance
}

nonisolated func near(_ a: ViewRect, _ b: ViewRect, _ tolerance: Double = 1e-9) -> Bool {
  near(a.x, b.x, tolerance) && near(a.y, b.y, tolerance) && near(a.width, b.width, tolerance)
    && near(a.height, b.height, tolerance)
}

nonisolated func near(_ a: Viewport, _ b: Viewport, _ tolerance: Double = 1e-9) -> Bool {
  near(a.scale, b.scale, tolerance) && near(a.origin.x, b.origin.x, tolerance)
    && near(a.origin.y, b.origin.y, tolerance)
}
