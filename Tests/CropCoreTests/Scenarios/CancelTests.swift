import Testing

@testable import CropCore

/// Interrupted gestures and invalid input.
struct CancelTests {
  private func selected() -> Scenario {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    return s
  }

  private let before = SessionState(
    selection: rect(100, 100, 200, 100), canUndo: true, canReset: true)

  /// Draw, move, resize and pan, each in the middle of the gesture.
  private nonisolated static let drags = [
    (point(500, 400), point(600, 500)), (point(214, 164), point(300, 200)),
    (point(314, 214), point(400, 300)),
  ]

  @Test(arguments: drags)
  func `the system's cancel restores what was before`(start: ViewPoint, end: ViewPoint) {
    var s = selected()
    s.time += 1
    s.down(start.x, start.y)
    s.move(end.x, end.y)
    #expect(s.state != before)
    s.time += 0.02
    s.pointer(.cancel, end.x, end.y)
    #expect(s.changes.contains([.recipe, .gestureEnded]))
    #expect(s.state == before)
    // The next gesture works normally.
    s.drag(214, 164, to: 224, 164)
    #expect(s.selection == rect(110, 100, 200, 100))
  }

  @Test(arguments: drags)
  func `the cancel command restores what was before`(start: ViewPoint, end: ViewPoint) {
    var s = selected()
    s.time += 1
    s.down(start.x, start.y)
    s.move(end.x, end.y)
    s.run(.cancelGesture)
    #expect(s.state == before)
    s.move(end.x + 20, end.y)
    s.up(end.x, end.y)
    #expect(s.state == before)
  }

  @Test(arguments: drags)
  func `a second finger takes back what one finger did, and pinches`(
    start: ViewPoint, end: ViewPoint
  ) {
    var s = selected()
    s.kind = .touch
    s.time += 1
    s.down(start.x, start.y, id: 1)
    s.move(end.x, end.y, id: 1)
    s.down(end.x - 100, end.y, id: 2)
    #expect(s.selection == rect(100, 100, 200, 100))
    s.move(end.x - 200, end.y, id: 2)
    // Twice as far apart.
    #expect(near(s.session.editor.placement.viewport.scale, 2))
    s.up(end.x - 200, end.y, id: 2)
    s.up(end.x, end.y, id: 1)
    s.wait(1)
    #expect(s.state == before)
  }

  @Test func `a cancelled or pinched-away drawing leaves Draw armed`() {
    var s = selected()
    s.run(.armDraw(true))
    s.time += 1
    s.down(214, 164)
    s.move(300, 200)
    s.key(.escape)
    s.up(300, 200)
    #expect(s.session.armed == .draw)
    s.pinch(from: point(200, 200), point(300, 200), to: point(190, 200), point(310, 200))
    #expect(s.session.armed == .draw)
    #expect(s.state == before)
  }

  @Test func `a view resized in mid-gesture keeps what was done, and the rest means nothing`() {
    for end in [ViewSize(width: 414, height: 314), ViewSize(width: 0, height: 0)] {
      var s = selected()
      s.time += 1
      s.down(214, 164)
      s.move(234, 164)
      s.send(.resize(end))
      #expect(!s.session.isGestureActive)
      s.move(300, 300)
      s.up(300, 300)
      #expect(s.selection == rect(120, 100, 200, 100))
      s.resize(828, 628)
      // The pointer was released while the view was not on screen.
      s.drag(234, 164, to: 244, 164)
      #expect(s.selection == rect(130, 100, 200, 100))
      s.run(.undo)
      s.run(.undo)
      #expect(s.selection == rect(100, 100, 200, 100))
    }
  }

  @Test func `another picture in mid-gesture ends it`() {
    for style in CropStyle.allCases {
      var s = Scenario(style)
      s.time += 1
      s.down(214, 164)
      s.move(300, 300)
      let changes = s.session.open(ImageSize(width: 400, height: 300))
      #expect(changes.contains(.gestureEnded))
      let first = s.state
      s.move(310, 310)
      s.up(310, 310)
      s.wait(2)
      #expect(s.state == first)
      #expect(!s.session.wantsTicks)
    }
  }

  @Test func `a lost release ends at the next press`() {
    var s = selected()
    s.time += 1
    s.down(214, 164)
    s.move(234, 164)
    // The release is lost; the button is pressed again elsewhere.
    s.time += 5
    s.down(500, 400)
    #expect(s.selection == rect(120, 100, 200, 100))
    s.move(600, 450)
    s.up(600, 450)
    #expect(s.selection == rect(486, 386, 100, 50))
  }

  @Test func `a command in mid-gesture takes what the gesture has done`() {
    var s = selected()
    s.time += 1
    s.down(214, 164)
    s.move(234, 164)
    s.run(.turn(clockwise: true))
    // (120, 100, 200, 100) turned: x = 600 − 100 − 100.
    #expect(s.selection == rect(400, 120, 100, 200))
    s.move(300, 300)
    s.up(300, 300)
    #expect(s.selection == rect(400, 120, 100, 200))
    s.run(.undo)
    #expect(s.selection == rect(120, 100, 200, 100))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e13])
  func `values that are no numbers, or far too large, are rejected and change nothing`(
    bad: Double
  ) {
    for style in CropStyle.allCases {
      var s = Scenario(style)
      s.drag(114, 114, to: 314, 214)
      s.time += 1
      s.down(214, 164)
      s.move(224, 164)
      let session = s.session
      let inputs: [Input] = [
        .pointer(PointerInput(.move, at: point(bad, 1), time: s.time)),
        .pointer(PointerInput(.move, at: point(1, bad), time: s.time)),
        .pointer(PointerInput(.up, at: point(1, 1), time: bad)),
        .wheel(
          WheelInput(
            at: point(1, 1), delta: ViewVector(dx: bad, dy: 0), isPrecise: true, time: s.time)),
        .magnify(at: point(1, 1), factor: bad, time: s.time),
        .magnify(at: point(1, 1), factor: 0, time: s.time),
        .magnify(at: point(1, 1), factor: -1, time: s.time),
        .key(.left, [], time: bad), .tick(bad),
        .resize(ViewSize(width: bad, height: 100)), .resize(ViewSize(width: -1, height: 100)),
        .command(.tilt(CropAngle(degrees: bad), .once)), .command(.zoom(bad)), .command(.zoom(0)),
        .command(.set(.x, bad)), .command(.shape(.roundedRectangle(radius: bad))),
        .command(.shape(.roundedRectangle(radius: -1))), .command(.margin(bad)),
        .command(.margin(-1)), .command(.largestZoom(bad)), .command(.largestZoom(0)),
        .command(.selectAll, time: bad),
      ]
      for input in inputs {
        #expect(s.send(input) == .refused)
        #expect(s.session == session)
      }
    }
  }

  @Test func `an image without a size, or far too large, is rejected`() {
    var s = selected()
    let session = s.session
    for (width, height) in [(0, 1), (1, 0), (-5, 5), (1 << 31, 1)] {
      #expect(s.session.open(ImageSize(width: width, height: height)) == .refused)
      #expect(s.session == session)
    }
  }

  @Test func `without a picture every input is harmless`() {
    var s = CropSession(style: .studio)
    _ = s.handle(.resize(ViewSize(width: 100, height: 100)))
    _ = s.handle(.pointer(PointerInput(.down, at: point(1, 1), time: 1)))
    _ = s.handle(.pointer(PointerInput(.move, at: point(50, 50), time: 1.1)))
    _ = s.handle(.pointer(PointerInput(.up, at: point(50, 50), time: 1.2)))
    _ = s.handle(.key(.right, [], time: 2))
    for command in [Command.undo, .selectAll, .turn(clockwise: true), .fit, .swapRatio] {
      #expect(s.handle(.command(command)).contains(.refused))
    }
    #expect(s.scene.items.isEmpty)
    #expect(s.elements.isEmpty)
    #expect(s.recipe == nil)
    #expect(!s.canUndo && !s.canReset && !s.isValid)
  }

  @Test(arguments: CropStyle.allCases, [(1, 1), (65_535, 1), (1, 65_535), (65_535, 65_535)])
  func `pictures of one pixel and of the greatest side work`(
    style: CropStyle, size: (Int, Int)
  ) throws {
    var s = Scenario(style, size.0, size.1)
    let image = ImageSize(width: size.0, height: size.1)
    // Across the complete view: even a side of a fraction of a point is drawn to its end.
    s.drag(2, 2, to: 826, 626)
    let recipe = try #require(s.session.recipe)
    if style != .viewfinder {
      #expect(recipe.rect == FrameSize.of(size.0, size.1).bounds)
    }
    for command in [
      Command.turn(clockwise: true), .mirror(vertically: true),
      .tilt(CropAngle(degrees: 0.5), .once),
      .ratio(.fixed(.square)), .ratio(.original(isSwapped: true)), .swapRatio, .zoom(1000), .fit,
      .center, .selectAll, .set(.width, 1e8), .increment(.left), .decrement(.selection),
    ] {
      s.run(command)
      s.drag(414, 314, to: 420, 330)
      s.wheel(414, 314, dy: -300)
      s.wait(2)
      // In the marquee style, a drag of less than five points selects nothing.
      if style != .marquee { #expect(s.session.isValid) }
      _ = try s.session.recipe?.resolved(for: image)
    }
    s.run(.reset)
    #expect(!s.session.canReset)
  }

  @Test(arguments: CropStyle.ofRectangles)
  func `a view of no size, or hidden at first, shows nothing and loses nothing`(
    style: CropStyle
  ) throws {
    var s = Scenario(style, view: ViewSize(width: 0, height: 0))
    #expect(s.session.scene.items.isEmpty)
    #expect(s.session.elements.isEmpty)
    s.drag(0, 0, to: 10, 10)
    s.wheel(0, 0, dy: -100)
    _ = try s.session.restore(CropRecipe(rect: rect(100, 100, 200, 200)))
    s.run(.tilt(CropAngle(degrees: 3), .once))
    s.run(.tilt(.zero, .once))
    s.run(.zoom(2))
    #expect(s.selection == rect(100, 100, 200, 200))
    s.resize(828, 628)
    #expect(s.selection == rect(100, 100, 200, 200))
    let shown = try #require(s.outline)
    let expected = style == .marquee ? 200.0 : 600
    #expect(near(shown.rect.width, expected))
  }
}
