import Testing

@testable import CropCore

/// Handles resize the frame, the image moves under it, the frame recenters after a pause.
struct StudioTests {
  /// The frame is 600 × 400 at the image's corner, recentered: 4/3 points per pixel, (14, 47⅓) to
  /// (814, 580⅔) in the view.
  private func resized() -> Scenario {
    var s = Scenario(.studio)
    s.drag(814, 614, to: 614, 414)
    s.wait(2)
    return s
  }

  @Test func `at first the whole picture is selected`() {
    let s = Scenario(.studio)
    #expect(s.state == SessionState(selection: rect(0, 0, 800, 600)))
    #expect(s.outline == Outline(ViewRect(x: 14, y: 14, width: 800, height: 600)))
  }

  @Test func `a handle resizes; after 0.8 seconds the frame recenters in 0.5 seconds`() {
    var s = Scenario(.studio)
    s.drag(814, 614, to: 614, 414)
    let recipe = s.session.recipe
    #expect(
      s.state
        == SessionState(selection: rect(0, 0, 600, 400), canUndo: true, canReset: true))
    #expect(s.outline?.rect == ViewRect(x: 14, y: 14, width: 600, height: 400))
    #expect(s.session.wantsTicks)
    s.wait(0.79)
    #expect(s.outline?.rect == ViewRect(x: 14, y: 14, width: 600, height: 400))
    var width = 600.0
    for _ in 1...34 {
      s.wait(1.0 / 60)
      let next = s.outline?.rect.width ?? 0
      // A spring without overshoot only grows.
      #expect(next >= width && next <= 800 + 1e-9)
      width = next
    }
    #expect(
      s.outline.map {
        near($0.rect, ViewRect(x: 14, y: 14 + 100.0 / 3, width: 800, height: 1600.0 / 3), 1e-9)
      } ?? false)
    #expect(!s.session.wantsTicks)
    #expect(s.session.recipe == recipe)
  }

  @Test func `any input stops the recentering, waiting or under way, and changes nothing else`() {
    for wait in [0.5, 1.0] {
      var s = Scenario(.studio)
      s.drag(814, 614, to: 614, 414)
      s.wait(wait)
      let (recipe, frame) = (s.session.recipe, s.outline)
      s.down(300, 200)
      s.up(300, 200, after: 0.05)
      s.wait(2)
      #expect(s.session.recipe == recipe)
      #expect(s.outline == frame)
    }
  }

  @Test func `a drag inside or outside pans the picture under the frame`() {
    for start in [point(414, 314), point(400, 20)] {
      var s = resized()
      let frame = s.outline
      // 40 points to the left are 30 pixels.
      s.drag(start.x, start.y, to: start.x - 40, start.y)
      s.wait(1)
      #expect(
        s.state
          == SessionState(selection: rect(30, 0, 600, 400), canUndo: true, canReset: true))
      #expect(s.outline == frame)
      // One gesture is one step.
      s.run(.undo)
      #expect(s.selection == rect(0, 0, 600, 400))
    }
  }

  @Test func `space and drag, or the middle button, moves the frame`() {
    for isMiddle in [false, true] {
      var s = resized()
      if !isMiddle { s.key(.spaceDown) }
      // 40 points to the left are 30 pixels, 60 points down are 45.
      s.drag(414, 314, to: 454, 374, button: isMiddle ? .middle : .primary)
      if !isMiddle { s.key(.spaceUp) }
      #expect(s.selection == rect(30, 45, 600, 400))
      // The image stayed still until the frame was recentered.
      s.run(.undo)
      #expect(s.selection == rect(0, 0, 600, 400))
    }
  }

  @Test func `Draw, once armed, draws a new frame, and less than 5 points is none`() {
    var s = Scenario(.studio)
    s.run(.armDraw(true))
    s.drag(214, 214, to: 217, 414)
    #expect(s.selection == rect(0, 0, 800, 600))
    #expect(!s.session.canUndo)
    s.run(.armDraw(true))
    s.drag(214, 214, to: 414, 314)
    s.wait(2)
    #expect(
      s.state
        == SessionState(selection: rect(200, 200, 200, 100), canUndo: true, canReset: true))
    // 200 × 100 recentered: four points per pixel.
    #expect(
      near(s.session.editor.placement.viewport, Viewport(scale: 4, origin: point(-786, -686))))
  }

  @Test func `taps and Delete do nothing, Escape is the page's`() {
    var s = resized()
    let before = s.state
    s.tap(414, 314)
    s.tap(5, 5)
    s.wait(1)
    for key in [Key.escape, .delete] {
      s.key(key)
      #expect(!s.changes.contains(.handled))
    }
    #expect(s.state == before)
  }

  @Test func `a second finger takes back a resize and pinches`() {
    var s = Scenario(.studio)
    s.kind = .touch
    s.time += 1
    s.down(814, 614, id: 1)
    s.move(714, 514, id: 1)
    #expect(s.selection == rect(0, 0, 700, 500))
    s.down(514, 314, id: 2)
    #expect(s.selection == rect(0, 0, 800, 600))
    s.up(514, 314, id: 2)
    s.up(714, 514, id: 1)
    s.wait(1)
    #expect(s.state == SessionState(selection: rect(0, 0, 800, 600)))
  }

  @Test func `a pinch zooms about the fingers; what was between them stays there`() {
    var s = Scenario(.studio)
    // Fingers 200 apart about view (414, 314) move 400 apart: twice the zoom.
    s.pinch(from: point(314, 314), point(514, 314), to: point(214, 314), point(614, 314))
    s.wait(1)
    #expect(
      s.state
        == SessionState(selection: rect(200, 150, 400, 300), canUndo: true, canReset: true))
  }

  @Test func `a two-finger drag moves the frame over the picture, which rests; then it recenters`()
  {
    var s = resized()
    let (start, place) = (s.selection, s.shown)
    s.kind = .touch
    s.time += 1
    s.beginPinch(point(314, 314), point(514, 314))
    #expect(s.selection == start)
    s.movePinch(point(334, 324), point(534, 324))
    s.movePinch(point(354, 334), point(554, 333))
    #expect(s.shown == place)
    let scale = s.session.editor.placement.viewport.scale
    // The midpoint of the fingers moved 40 points right and 19.5 down.
    let moved = start.map {
      rect(
        ($0.x + 40 / scale).rounded(), ($0.y + 19.5 / scale).rounded(), $0.width, $0.height)
    }
    #expect(s.selection == moved)
    s.up(554, 333, id: 2)
    // The remaining finger does nothing.
    s.move(100, 100, id: 1)
    s.up(100, 100, id: 1)
    #expect(s.selection == moved)
    #expect(s.shown == place)
    s.wait(2)
    #expect(s.shown != place)
    #expect(s.state == SessionState(selection: moved, canUndo: true, canReset: true))
    s.run(.undo)
    #expect(s.selection == start)
  }

  @Test func `one finger that goes while the other rests pinches`() {
    var s = Scenario(.studio)
    s.kind = .touch
    s.time += 1
    s.beginPinch(point(314, 314), point(514, 314))
    s.move(564, 314, id: 2)
    s.move(614, 314, id: 2)
    s.move(714, 314, id: 2)
    // Twice as far apart, about their midpoint, which moved 100 points: frame (400, 300) is at view
    // (514, 314), and the view from 14 to 814 shows 400 pixels.
    #expect(s.selection == rect(150, 150, 400, 300))
    s.up(714, 314, id: 2)
    s.up(314, 314, id: 1)
  }

  @Test func `a pan that goes on with a second finger stays a pan`() {
    var s = resized()
    s.kind = .touch
    s.time += 1
    s.down(414, 314, id: 1)
    s.move(394, 314, id: 1)
    let place = s.shown
    s.down(514, 314, id: 2)
    s.movePinch(point(374, 314), point(494, 314))
    #expect(s.shown.map { near($0.tx, (place?.tx ?? 0) - 20, 1e-6) } ?? false)
    s.up(494, 314, id: 2)
    s.up(374, 314, id: 1)
  }

  @Test func `a two-finger drag that is cancelled leaves the frame where it was`() {
    var s = resized()
    let before = s.state
    s.kind = .touch
    s.time += 1
    s.beginPinch(point(314, 314), point(514, 314))
    s.movePinch(point(354, 334), point(554, 334))
    #expect(s.state != before)
    s.pointer(.cancel, 554, 334, id: 2)
    s.up(354, 334, id: 1)
    #expect(s.state == before)
  }

  @Test func `a third finger, or another pair of fingers, makes no jump`() {
    var s = resized()
    s.kind = .touch
    s.time += 1
    s.beginPinch(point(314, 314), point(514, 314))
    s.movePinch(point(264, 314), point(564, 314))
    let before = s.shown
    s.down(100, 100, id: 3)
    s.time += 0.02
    s.pointer(.up, 264, 314, id: 1)
    #expect(s.shown.map { near($0.tx, before?.tx ?? 0, 1e-6) } ?? false)
    s.move(564, 314.5, id: 2)
    #expect(s.shown.map { near($0.tx, before?.tx ?? 0, 1) } ?? false)
  }

  @Test func `a twist of 15° locks out zoom and tilts from there, without a jump`() {
    var s = Scenario(.studio)
    s.kind = .touch
    s.time += 1
    s.beginPinch(point(314, 314), point(514, 314))
    func turned(_ degrees: Double, _ length: Double = 100) -> (ViewPoint, ViewPoint) {
      let angle = CropAngle(degrees: degrees)
      let (dx, dy) = (length * angle.cosine, length * angle.sine)
      return (point(414 - dx, 314 - dy), point(414 + dx, 314 + dy))
    }
    for degrees in [5.0, 10, 15, 15.04] {
      let (a, b) = turned(degrees)
      s.movePinch(a, b)
    }
    #expect(s.session.tilt == .zero)
    let (a, b) = turned(20, 150)
    s.movePinch(a, b)
    // Measured from 15°, although the fingers have moved half as far apart again.
    #expect(near(s.session.tilt.degrees, 5, 0.11))
    let selection = s.selection ?? rect(0, 0, 0, 0)
    #expect(s.session.editor.document.picture.contains(selection))
    // 8 lines in each direction while tilting.
    let lines = s.session.scene.items.filter { item in
      if case .line(_, _, _, .grid) = item { return true }
      return false
    }
    #expect(lines.count == 16)
    // The label shows the tilt instead of the size.
    let labels = s.session.scene.items.compactMap { item in
      if case .label(let label, _) = item { return label }
      return nil
    }
    #expect(labels == [.angle(s.session.tilt)])
    // Back again: the first selection.
    let (c, d) = turned(15)
    s.movePinch(c, d)
    #expect(s.session.tilt == .zero)
    #expect(s.selection == rect(0, 0, 800, 600))
  }

  @Test func `a pinch of 1.2 locks out the twist`() {
    var s = Scenario(.studio)
    s.kind = .touch
    s.time += 1
    s.beginPinch(point(314, 314), point(514, 314))
    s.movePinch(point(289, 314), point(539, 314))
    s.movePinch(point(414, 139), point(414, 489))
    #expect(s.session.tilt == .zero)
  }

  @Test func `a twist in another style only zooms`() {
    for style in [CropStyle.marquee, .viewfinder] {
      var s = Scenario(style)
      s.pinch(from: point(314, 314), point(514, 314), to: point(344, 214), point(484, 414))
      #expect(s.session.tilt == .zero)
    }
  }

  @Test func `panning a frame smaller than the largest zoom keeps its size and its scale`() throws {
    var s = Scenario(.studio)
    // 40 points per pixel, where a wheel would stop at 15.
    _ = try s.session.restore(CropRecipe(rect: rect(390, 290, 20, 15)))
    s.drag(414, 314, to: 374, 314)
    s.wait(1)
    #expect(s.selection == rect(391, 290, 20, 15))
    #expect(near(s.session.editor.placement.viewport.scale, 40))
    s.wheel(414, 314, dy: -100)
    #expect(s.selection == rect(391, 290, 20, 15))
    s.wheel(414, 314, dy: 100)
    // 26 × 19.5 about (401, 297.5), rounded outward.
    #expect(s.selection == rect(388, 287, 26, 21))
  }

  @Test func `wheels and rulers do not let the frame creep`() {
    var s = resized()
    let frame = s.outline?.rect
    for _ in 1...12 { s.wheel(414, 314, dy: -100) }
    for _ in 1...200 {
      s.wheel(414, 314, dy: -30)
      s.wheel(414, 314, dy: 30)
    }
    for tenth in Array(0...80) + Array((0...80).reversed()) {
      s.run(.tilt(CropAngle(degrees: Double(tenth) / 10), .dragging))
    }
    s.run(.tilt(.zero, .ended))
    let scale = s.session.editor.placement.viewport.scale
    // At most the pixels by which the selection is larger than what the frame shows.
    #expect(frame.map { near($0, s.outline?.rect ?? $0, 2 * scale) } ?? false)
  }
}
