import Testing

@testable import CropCore

/// Each gesture alone: from its start to a position of the pointer.
@Suite struct GestureTests {
  private let selection = rect(100, 100, 200, 100)

  /// Fingers that went from some points to others.
  private func fingers(_ ways: (from: ViewPoint, to: ViewPoint)...) throws -> Fingers {
    let pointers = ways.enumerated().map { id, way in
      var pointer = ActivePointer(PointerInput(.down, id: id, at: way.from, time: 0), at: 0)
      pointer.move(to: way.to, at: 1)
      return pointer
    }
    return try #require(Fingers(pointers))
  }

  @Test func `drawing selects from the first point to the pointer`() {
    var editor = SessionEditor(.marquee)
    var draw = Gesture.Draw(at: point(114, 114), on: editor)
    draw.move(to: point(214, 164), [], &editor)
    #expect(editor.document.edit.selection == rect(100, 100, 100, 50))
    draw.move(to: point(214, 164), .shift, &editor)
    #expect(editor.document.edit.selection == rect(100, 100, 100, 100))
    draw.move(to: point(64, 64), [], &editor)
    #expect(draw.held == .topLeft && editor.document.edit.selection == rect(50, 50, 50, 50))
    draw.move(to: point(118, 118), [], &editor)
    #expect(editor.document.edit.selection == nil)
  }

  @Test func `resizing moves the handle to the pointer, and snaps to the center line`() {
    var editor = SessionEditor(.marquee, selecting: selection)
    var resize = Gesture.Resize(.right, of: selection, at: point(315, 164), on: editor)
    resize.move(to: point(335, 164), [], &editor)
    #expect(resize.held == .right && resize.snaps == Snaps())
    #expect(editor.document.edit.selection == rect(100, 100, 220, 100))
    // 397 is three points before the middle.
    resize.move(to: point(412, 164), [], &editor)
    #expect(resize.snaps == Snaps(x: 400))
    #expect(editor.document.edit.selection == rect(100, 100, 300, 100))
    resize.move(to: point(412, 164), .command, &editor)
    #expect(editor.document.edit.selection == rect(100, 100, 297, 100))
  }

  @Test func `moving keeps the size and stops at the edge`() throws {
    var editor = SessionEditor(.marquee, selecting: selection)
    var move = try #require(Gesture.Move(at: point(200, 150), on: editor))
    move.move(to: point(230, 160), &editor)
    #expect(editor.document.edit.selection == rect(130, 110, 200, 100))
    move.move(to: point(5000, 160), &editor)
    #expect(move.snaps == Snaps(x: 800))
    #expect(editor.document.edit.selection == rect(600, 110, 200, 100))
    #expect(Gesture.Move(at: point(200, 150), on: SessionEditor(.marquee)) == nil)
  }

  @Test func `the dragged handle is another one after sides have crossed, and drawing has none`() {
    var session = CropSession(style: .marquee)
    _ = session.handle(.resize(ViewSize(width: 828, height: 628)))
    _ = session.open(ImageSize(width: 800, height: 600))
    func send(_ phase: PointerPhase, _ x: Double, _ y: Double, at time: Seconds) {
      _ = session.handle(.pointer(PointerInput(phase, id: 0, at: point(x, y), time: time)))
    }
    send(.down, 314, 214, at: 1)
    send(.move, 414, 314, at: 2)
    #expect(session.isGestureActive && session.activeHandle == nil)
    send(.up, 414, 314, at: 3)
    send(.down, 314, 214, at: 4)
    send(.move, 334, 234, at: 5)
    #expect(session.activeHandle == .topLeft)
    send(.move, 514, 414, at: 6)
    #expect(session.activeHandle == .bottomRight)
    send(.up, 514, 414, at: 7)
    #expect(session.activeHandle == nil)
  }

  @Test func `a corner moves alone`() throws {
    var editor = SessionEditor(.quad)
    let quad = try #require(editor.document.edit.quad)
    var corner = Gesture.Corner(.topLeft, of: quad, at: point(14, 14), on: editor)
    corner.move(to: point(24, 34), [], &editor)
    #expect(editor.document.edit.quad?.topLeft == FramePoint(x: 10, y: 20))
    #expect(editor.document.edit.quad?.topRight == quad.topRight)
    corner.move(to: point(16, 34), [], &editor)
    #expect(corner.snaps == Snaps(x: 0))
  }

  @Test func `a pan moves the image behind the frame, and springs back from beyond its limits`()
    throws
  {
    var editor = SessionEditor(.viewfinder)
    var pan = Gesture.Pan(at: point(400, 300), on: editor)
    pan.move(by: try fingers((from: point(400, 300), to: point(450, 310))), &editor)
    #expect(pan.raw == Viewport(scale: 1, origin: point(64, 24)))
    #expect(editor.placement.viewport == Viewport(scale: 1, origin: point(64, 14)))
    #expect(editor.document.edit.selection == rect(50, 0, 600, 600))
    let (duration, easing) = pan.end(speed: .zero, &editor)
    #expect(duration == Interaction.bounceDuration && easing == .bounce)
  }

  @Test func `two fingers zoom by their distance about their middle`() throws {
    var editor = SessionEditor(.marquee)
    let start = try fingers(
      (from: point(364, 314), to: point(364, 314)), (from: point(464, 314), to: point(464, 314)))
    let pan = Gesture.Pan(at: point(414, 314), on: editor)
    var pinch = Gesture.Pinch(pan, start, tilt: .zero, mayMove: false)
    let apart = try fingers(
      (from: point(364, 314), to: point(314, 314)), (from: point(464, 314), to: point(514, 314)))
    pinch.move(by: apart, &editor)
    #expect(near(editor.placement.viewport, Viewport(scale: 2, origin: point(-386, -286))))
  }

  @Test func `fingers that move together move the frame`() throws {
    let editor = SessionEditor(.studio)
    let start = try fingers(
      (from: point(364, 314), to: point(364, 314)), (from: point(464, 314), to: point(464, 314)))
    let pan = Gesture.Pan(at: point(414, 314), on: editor)
    let pinch = Gesture.Pinch(pan, start, tilt: .zero, mayMove: true)
    let together = try fingers(
      (from: point(364, 314), to: point(384, 314)), (from: point(464, 314), to: point(484, 314)))
    #expect(pinch.decided(by: together, haveRested: true) == nil)
    let apart = try fingers(
      (from: point(364, 314), to: point(344, 314)), (from: point(464, 314), to: point(484, 314)))
    #expect(pinch.decided(by: apart, haveRested: false)?.isUndecided == false)
  }

  @Test func `a line becomes level or vertical, whichever is nearer`() {
    let level = Gesture.Level(from: point(0, 0), to: point(0, 0))
    #expect(level.tilt(from: .zero) == nil)
    // The arc tangent of a tenth.
    let flat = level.moved(to: point(100, 10)).tilt(from: .zero)
    #expect(near(flat?.degrees ?? 0, -5.710_593, 1e-6))
    let steep = level.moved(to: point(10, 100)).tilt(from: CropAngle(degrees: 1))
    #expect(near(steep?.degrees ?? 0, 6.710_593, 1e-6))
  }

  @Test func `a ruler stays at zero for half a degree`() {
    var ruler = Ruler()
    func tilt(_ degrees: Double, _ phase: TiltPhase) -> Double {
      ruler.tilt(to: CropAngle(degrees: degrees), phase, from: CropAngle(degrees: 2)).degrees
    }
    #expect(tilt(1, .dragging) == 1)
    #expect(tilt(-0.4, .dragging) == 0)
    #expect(tilt(-1.5, .dragging) == -1)
    #expect(tilt(-1.5, .ended) == -1)
    #expect(tilt(-1.5, .once) == -1.5)
  }
}
