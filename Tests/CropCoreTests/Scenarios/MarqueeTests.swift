import Testing

@testable import CropCore

/// Drawing, moving and clearing a rectangle on an image that stays still.
struct MarqueeTests {
  /// A selection of 200 × 100 at (100, 100), drawn by hand.
  private func selected() -> Scenario {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    return s
  }

  @Test func `nothing is selected at first`() {
    let s = Scenario()
    #expect(s.state == SessionState())
    #expect(s.session.recipe == nil)
    #expect(!s.session.isValid)
    // Fitted: one point per pixel, inside the margin of 14 points.
    #expect(s.session.editor.placement.viewport == Viewport(scale: 1, origin: point(14, 14)))
    #expect(s.outline == nil)
  }

  @Test(arguments: [
    (point(114, 114), point(314, 214)), (point(314, 214), point(114, 114)),
    (point(314, 114), point(114, 214)), (point(114, 214), point(314, 114)),
  ])
  func `a drag outside draws in any direction, from the first touch`(
    start: ViewPoint, end: ViewPoint
  ) {
    var s = Scenario()
    s.kind = .touch
    s.drag(start.x, start.y, to: end.x, end.y)
    // View (114, 114) to (314, 214) is frame (100, 100) to (300, 200), whatever the threshold.
    #expect(
      s.state
        == SessionState(selection: rect(100, 100, 200, 100), canUndo: true, canReset: true))
  }

  @Test func `a rectangle drawn past the picture is cut to it`() {
    var s = Scenario()
    s.drag(714, 514, to: 827, 627)
    #expect(s.selection == rect(700, 500, 100, 100))
    s.drag(1, 1, to: 64, 34)
    // View (1, 1) is in the margin: drawing starts at the image's corner.
    #expect(s.selection == rect(0, 0, 50, 20))
  }

  @Test func `a drawn rectangle goes outward to whole pixels`() {
    var s = Scenario(.marquee, 4000, 3000)
    // 0.2 points per pixel: view (100.125, 100.125) is frame (430.625, 430.625), (200.3, 150.3)
    // is (931.5, 681.5): all four edges are rounded outward, to 430 and 932, 430 and 682.
    s.drag(100.125, 100.125, to: 200.3, 150.3)
    #expect(s.selection == rect(430, 430, 502, 252))
  }

  @Test func `a rectangle below 5 points a side counts as none`() {
    var s = selected()
    s.drag(500, 400, to: 504.9, 500)
    #expect(
      s.state == SessionState(selection: nil, canUndo: true))
    s.drag(500, 400, to: 505, 405)
    #expect(s.selection == rect(486, 386, 5, 5))
    #expect(s.session.isValid)
  }

  @Test func `a drag inside moves, keeps the size to the pixel and stops at the edges`() {
    var s = selected()
    // Grabbed in the middle (frame 200, 150), released 37.4 right and 61.6 down.
    s.drag(214, 164, to: 251.4, 225.6)
    #expect(
      s.state
        == SessionState(selection: rect(137, 162, 200, 100), canUndo: true, canReset: true))
    s.drag(251, 226, to: 2000, 2000)
    #expect(s.selection == rect(600, 500, 200, 100))
    s.drag(714, 564, to: -2000, 400)
    #expect(s.selection == rect(0, 336, 200, 100))
  }

  @Test func `a tap inside is swallowed`() {
    var s = selected()
    let before = s.state
    s.tap(214, 164)
    s.wait(1)
    #expect(s.state == before)
  }

  @Test func `a press of 0.3 seconds is a tap, whenever it starts`() {
    for start in [0.1, 100, 1234.1, 1e9 + 0.1] {
      var s = Scenario()
      s.drag(114, 114, to: 314, 214)
      s.time = start + 200
      s.down(500, 500)
      s.up(500, 500, after: 0.3)
      s.wait(0.5)
      #expect(s.selection == nil)
    }
  }

  @Test func `a tap outside clears after 0.3 seconds, and one undo brings it back`() {
    var s = selected()
    s.tap(600, 500)
    s.wait(0.28)
    #expect(s.selection == rect(100, 100, 200, 100))
    #expect(s.session.wantsTicks)
    s.wait(0.05)
    #expect(
      s.state == SessionState(selection: nil, canUndo: true))
    #expect(s.announcements.last == .cleared)
    s.run(.undo)
    #expect(
      s.state
        == SessionState(
          selection: rect(100, 100, 200, 100), canUndo: true, canRedo: true, canReset: true))
  }

  @Test func `a press longer than 0.3 seconds outside is no tap`() {
    var s = selected()
    s.time += 1
    s.down(600, 500)
    s.up(600, 500, after: 0.31)
    s.wait(1)
    #expect(s.selection == rect(100, 100, 200, 100))
  }

  @Test(arguments: [(PointerKind.mouse, 0.9, 1.0), (.touch, 5.9, 6.0), (.pen, 5.9, 6.0)])
  func `a drag starts at the threshold of its pointer`(
    kind: PointerKind, below: Double, at: Double
  ) {
    var s = selected()
    s.kind = kind
    s.time += 1
    s.down(214, 164)
    s.move(214 + below, 164)
    #expect(!s.session.isGestureActive)
    #expect(s.selection == rect(100, 100, 200, 100))
    s.move(214 + at, 164)
    #expect(s.session.isGestureActive)
    // The movement up to the threshold counts.
    #expect(s.selection == rect(100 + at, 100, 200, 100))
    #expect(s.changes.contains(.gestureStarted))
  }

  @Test func `Draw, once armed, draws inside the selection, and only once`() {
    var s = selected()
    s.run(.armDraw(true))
    #expect(s.session.armed == .draw)
    s.drag(214, 164, to: 264, 194)
    #expect(s.selection == rect(200, 150, 50, 30))
    #expect(s.session.armed != .draw)
    s.drag(239, 179, to: 249, 179)
    #expect(s.selection == rect(210, 150, 50, 30))
  }

  @Test func `with a ratio a drawn rectangle has it exactly`() {
    var s = Scenario()
    s.run(.ratio(.fixed(AspectRatio(3, 2) ?? .square)))
    // 100 right, 30 down: the width determines the size; 102 is the next width with a whole third.
    s.drag(114, 114, to: 214, 144)
    #expect(s.selection == rect(100, 100, 102, 68))
    // Straight down: a height of 60 gives 90 × 60, to the right.
    s.drag(414, 314, to: 414, 374)
    #expect(s.selection == rect(400, 300, 90, 60))
  }

  @Test func `Delete and Backspace clear; Escape clears when no gesture is under way`() {
    for key in [Key.delete, .escape] {
      var s = selected()
      s.key(key)
      #expect(s.changes.contains(.handled))
      #expect(s.state == SessionState(selection: nil, canUndo: true))
      // Without a selection, the page gets the key.
      s.key(key)
      #expect(!s.changes.contains(.handled))
    }
  }
}
