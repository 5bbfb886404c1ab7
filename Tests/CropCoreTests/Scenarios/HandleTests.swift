import Testing

@testable import CropCore

/// Handles and edges: where they can be grabbed, and what they do.
struct HandleTests {
  /// A selection of 200 × 100 at (100, 100): (114, 114) to (314, 214) in the view.
  private func selected(_ style: CropStyle = .marquee) -> Scenario {
    var s = Scenario(style)
    s.run(.style(.marquee))
    s.drag(114, 114, to: 314, 214)
    return s
  }

  @Test(arguments: [
    (CropHandle.topLeft, rect(120, 110, 180, 90)), (.top, rect(100, 110, 200, 90)),
    (.topRight, rect(100, 110, 220, 90)), (.right, rect(100, 100, 220, 100)),
    (.bottomRight, rect(100, 100, 220, 110)), (.bottom, rect(100, 100, 200, 110)),
    (.bottomLeft, rect(120, 100, 180, 110)), (.left, rect(120, 100, 180, 100)),
  ])
  func `each handle moves its own sides and no other`(handle: CropHandle, expected: FrameRect) {
    var s = selected()
    let at = ViewRect(x: 114, y: 114, width: 200, height: 100).point(handle)
    // Grabbed a little beside its middle: it does not jump there.
    s.drag(at.x + 3, at.y - 2, to: at.x + 23, at.y + 8)
    #expect(
      s.state == SessionState(selection: expected, canUndo: true, canReset: true))
    s.run(.undo)
    #expect(s.selection == rect(100, 100, 200, 100))
  }

  @Test(arguments: [(PointerKind.mouse, 12.0), (.touch, 22.0), (.pen, 22.0)])
  func `the hit area reaches half its length outward and inward, and the whole edge counts`(
    kind: PointerKind, reach: Double
  ) {
    let s = selected()
    func target(_ x: Double, _ y: Double) -> Target {
      s.target(at: point(x, y), kind: kind)
    }
    #expect(target(314 + reach, 164) == .handle(.right))
    #expect(target(314 + reach + 0.1, 164) == .outside)
    #expect(target(314 - reach + 0.1, 164) == .handle(.right))
    #expect(target(314 - reach, 164) == .inside)
    // Near the top end of the right edge, but not at its corner.
    #expect(target(314, 114 + reach + 1) == .handle(.right))
    #expect(target(314 + reach, 114 - reach) == .handle(.topRight))
    #expect(target(214, 214 + reach) == .handle(.bottom))
  }

  @Test func `in a small selection a third of each side still moves it`() {
    var s = Scenario()
    s.drag(114, 114, to: 144, 144)
    func target(_ x: Double) -> Target { s.target(at: point(x, 129), kind: .touch) }
    // 30 points: a third is 10, so 124 to 134 is the middle.
    #expect(target(123.9) == .handle(.left))
    #expect(target(124) == .inside)
    #expect(target(134) == .inside)
    #expect(target(134.1) == .handle(.right))
    s.kind = .touch
    s.drag(129, 129, to: 159, 149)
    #expect(s.selection == rect(130, 120, 30, 30))
  }

  @Test func `in a marquee corners and edges may cross over`() {
    var s = selected()
    // The bottom-right corner crosses the top-left one, which stays: frame (50, 50) to (100, 100).
    s.drag(314, 214, to: 64, 64)
    #expect(s.selection == rect(50, 50, 50, 50))
    // The left edge (now at view 64) crosses the right one, at 114.
    s.drag(64, 89, to: 164, 89)
    #expect(s.selection == rect(100, 50, 50, 50))
  }

  @Test func `crossing over keeps a ratio`() {
    var s = Scenario()
    s.run(.ratio(.fixed(AspectRatio(3, 2) ?? .square)))
    s.drag(314, 314, to: 464, 414)
    #expect(s.selection == rect(300, 300, 150, 100))
    // To frame (150, 280): the 150 to the left determine the size, and the 100 upwards follow.
    s.drag(464, 414, to: 164, 294)
    #expect(s.selection == rect(150, 200, 150, 100))
  }

  @Test func `the handle under the pointer is the active one, after crossing too`() {
    var s = selected()
    s.kind = .touch
    s.time += 1
    s.down(314, 214)
    s.move(64, 64)
    #expect(s.session.gestures.gesture.appearance.handle == .topLeft)
    // The lens shows the corner being dragged: pixel (50, 50).
    let lens = s.session.scene.items.compactMap { item -> ImagePoint? in
      if case .magnifier(_, _, let focus, _) = item { return focus }
      return nil
    }
    #expect(lens == [ImagePoint(x: 50, y: 50)])
  }

  @Test func `in the studio a handle stops at the side across`() {
    var s = selected()
    s.run(.style(.studio))
    // 200 × 100 fills the width of 800: four points per pixel, (14, 114) to (814, 514).
    #expect(s.session.editor.placement.viewport == Viewport(scale: 4, origin: point(-386, -286)))
    s.drag(814, 514, to: 0, 0)
    #expect(s.selection == rect(100, 100, 1, 1))
  }

  @Test func `shift keeps the ratio the selection has`() {
    var s = selected()
    s.modifiers = .shift
    s.drag(314, 214, to: 334, 214)
    #expect(s.selection == rect(100, 100, 220, 110))
    // Dragging an edge scales the other side about its middle: 160 × 80 about y = 155.
    s.drag(334, 169, to: 274, 169)
    #expect(s.selection == rect(100, 115, 160, 80))
  }

  @Test func `shift while drawing draws a square`() {
    var s = Scenario()
    s.modifiers = .shift
    s.drag(114, 114, to: 214, 144)
    #expect(s.selection == rect(100, 100, 100, 100))
  }

  @Test func `alt resizes about the center`() {
    var s = selected()
    s.modifiers = .alt
    s.drag(314, 214, to: 334, 224)
    #expect(s.selection == rect(80, 90, 240, 120))
    s.drag(334, 164, to: 324, 164)
    #expect(s.selection == rect(90, 90, 220, 120))
  }

  @Test func `alt and shift together keep both`() {
    var s = selected()
    s.modifiers = [.alt, .shift]
    s.drag(314, 214, to: 334, 214)
    #expect(s.selection == rect(80, 90, 240, 120))
  }

  @Test func `the space bar moves what is drawn, then drawing goes on`() {
    var s = Scenario()
    s.time += 1
    s.down(114, 114)
    s.move(214, 164)
    #expect(s.selection == rect(100, 100, 100, 50))
    s.modifiers = .space
    s.move(264, 214)
    #expect(s.selection == rect(150, 150, 100, 50))
    s.modifiers = []
    s.move(284, 234)
    s.up(284, 234)
    #expect(
      s.state == SessionState(selection: rect(150, 150, 120, 70), canUndo: true, canReset: true))
    s.run(.undo)
    #expect(s.selection == nil)
  }

  @Test func `edges snap to the picture's edges and center lines, and the line is shown`() {
    var s = selected()
    s.time += 1
    s.down(314, 164)
    // Frame 395: five points from the center line at 400.
    s.move(409, 164)
    #expect(s.selection == rect(100, 100, 300, 100))
    let lines = s.session.scene.items.filter { item in
      if case .line(_, _, _, .snap) = item { return true }
      return false
    }
    #expect(
      lines == [.line(from: point(414, 14), to: point(414, 614), width: 1, role: .snap)])
    // Frame 393 is seven points away.
    s.move(407, 164)
    #expect(s.selection == rect(100, 100, 293, 100))
    // Control or command disables snapping.
    s.modifiers = .command
    s.move(409, 164)
    #expect(s.selection == rect(100, 100, 295, 100))
  }

  @Test func `moving snaps the selection's middle to the picture's`() {
    var s = selected()
    // The middle moves from frame (200, 150) to (404, 297): within six points of (400, 300).
    s.drag(214, 164, to: 418, 311)
    #expect(s.selection == rect(300, 250, 200, 100))
  }

  @Test func `near the view's edge a drag scrolls a zoomed picture along, and shift is kept`() {
    var s = selected()
    for _ in 1...3 { s.wheel(14, 14, dy: -100) }
    // 1.3³ = 2.197 about the corner: the selection's corner is at 14 + 300 · 2.197 = 673.1, 453.4.
    s.modifiers = .shift
    s.time += 1
    s.down(673.1, 453.4)
    s.move(820, 500)
    #expect(s.session.wantsTicks)
    let before = s.session.editor.placement.viewport
    s.wait(2)
    #expect(s.session.editor.placement.viewport.origin.x < before.origin.x)
    // Scrolled to the end: the complete image to the right of the start, at two to one.
    let selection = s.selection ?? rect(0, 0, 1, 1)
    #expect(selection.width == 2 * selection.height)
    #expect(selection.maxX > 700)
    // It stops away from the edge.
    s.move(400, 300)
    #expect(s.session.gestures.scrollSpeed(s.session.editor) == .zero)
  }
}
