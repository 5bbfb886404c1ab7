import Testing

@testable import CropCore

/// Wheels, pinches, double taps, glides, and the limits.
struct ZoomTests {
  @Test func `a detent zooms by 1.3 about the pointer, there and back`() {
    var s = Scenario()
    s.wheel(214, 114, dy: -100)
    // About frame (200, 100): the corner moves to 214 − 200 · 1.3, 114 − 100 · 1.3.
    #expect(
      near(s.session.editor.placement.viewport, Viewport(scale: 1.3, origin: point(-46, -16))))
    #expect(s.changes.contains(.handled))
    #expect(s.session.recipe == nil)
    #expect(!s.session.canUndo)
    s.wheel(214, 114, dy: 100)
    #expect(near(s.session.editor.placement.viewport, Viewport(scale: 1, origin: point(14, 14))))
  }

  @Test func `ctrl and wheel zooms by 1.005 a point, a trackpad's scroll pans`() {
    var s = Scenario()
    s.wheel(14, 14, dy: -100, isPrecise: true, .command)
    // 1.005^100
    #expect(near(s.session.editor.placement.viewport.scale, 1.646_668, 1e-6))
    let scale = s.session.editor.placement.viewport.scale
    s.wheel(14, 14, dx: 10, dy: 20, isPrecise: true)
    #expect(near(s.session.editor.placement.viewport, Viewport(scale: scale, origin: point(4, -6))))
  }

  @Test func `a wheel, a scroll and a pinch are used both ways, also where there is no room`() {
    var s = Scenario()
    for delta in [100.0, -100, 20, -20] {
      s.wheel(414, 314, dy: delta, isPrecise: abs(delta) < 100)
      #expect(s.changes.contains(.handled))
      s.wheel(414, 314, dy: delta, .command)
      #expect(s.changes.contains(.handled))
      s.run(.fit)
    }
  }

  @Test func `a finger next to a marquee's image is the page's`() {
    var s = Scenario(.marquee, 800, 600, view: ViewSize(width: 828, height: 1228))
    // The image is between 314 and 914.
    #expect(!s.session.needsTouch)
    #expect(s.session.needsTouch(at: point(414, 614)))
    #expect(s.session.needsTouch(at: point(414, 300)))
    #expect(!s.session.needsTouch(at: point(414, 100)))
    s.run(.armDraw(true))
    #expect(s.session.needsTouch(at: point(414, 100)))
    s.run(.armDraw(false))
    s.wheel(414, 614, dy: -100)
    #expect(s.session.needsTouch(at: point(414, 100)))
    s.run(.fit)
    s.down(414, 614)
    #expect(s.session.needsTouch(at: point(414, 100)))
    s.up(414, 614)
    #expect(!s.session.needsTouch(at: point(414, 100)))
    s.run(.style(.studio))
    #expect(s.session.needsTouch(at: point(414, 100)))
    #expect(!CropSession(style: .studio).needsTouch(at: point(414, 100)))
  }

  @Test(arguments: [CropStyle.studio, .viewfinder])
  func `small steps add up, though the selection has whole pixels`(style: CropStyle) throws {
    var s = Scenario(style)
    let start = rect(350, 250, 100, style == .viewfinder ? 100 : 75)
    _ = try s.session.restore(CropRecipe(rect: start))
    // Eight or six points per pixel: 96 are 12 or 16 pixels. 0.1 points per scroll are less than a
    // hundredth of a pixel.
    let scale = s.session.editor.placement.viewport.scale
    for _ in 1...960 { s.wheel(414, 314, dx: 0.1, isPrecise: true) }
    #expect(s.selection?.x == (350 + 96 / scale).rounded())
    // 1.005^60 = 1.349 and 100 / 1.349 = 74.1, in steps of at most half a pixel.
    for _ in 1...60 { s.wheel(414, 314, dy: -1, isPrecise: true, .command) }
    #expect((75...76).contains(s.selection?.width ?? 0))
    for _ in 1...60 { s.wheel(414, 314, dy: 1, isPrecise: true, .command) }
    #expect((100...101).contains(s.selection?.width ?? 0))
  }

  @Test(arguments: [CropStyle.marquee, .viewfinder, .studio])
  func `a program may limit the zoom`(style: CropStyle) {
    var s = Scenario(style)
    let least = s.session.editor.placement.viewport.scale
    s.run(.largestZoom(2))
    for _ in 1...9 { s.wheel(414, 314, dy: -100) }
    #expect(near(s.session.editor.placement.viewport.scale, 2 * least, 0.02))
    s.run(.largestZoom(nil))
    for _ in 1...9 { s.wheel(414, 314, dy: -100) }
    #expect(s.session.editor.placement.viewport.scale > 9 * least)
    s.run(.largestZoom(0.5))
    #expect(s.changes.contains(.refused))
  }

  @Test func `the largest zoom is 15 times the smallest, or 8 points a pixel`() {
    var s = Scenario()
    for _ in 1...40 { s.wheel(414, 314, dy: -100) }
    #expect(near(s.session.editor.placement.viewport.scale, 15))
    // 8000 × 6000 is fitted at a tenth: 15 times that is 1.5, so the limit is eight.
    s = Scenario(.marquee, 8000, 6000)
    for _ in 1...40 { s.wheel(414, 314, dy: -100) }
    #expect(near(s.session.editor.placement.viewport.scale, 8))
  }

  @Test func `a trackpad's magnify zooms about its point`() {
    var s = Scenario()
    s.send(.magnify(at: point(14, 14), factor: 2, time: s.time))
    #expect(near(s.session.editor.placement.viewport, Viewport(scale: 2, origin: point(14, 14))))
  }

  @Test func `beyond the largest zoom it resists by the power of 0.3, at most twofold`() {
    var s = Scenario()
    for _ in 1...40 { s.wheel(414, 314, dy: -100) }
    s.kind = .touch
    s.time += 1
    s.beginPinch(point(404, 314), point(424, 314))
    s.movePinch(point(384, 314), point(444, 314))
    // Three times the limit: 15 · 3^0.3 = 15 · 1.3904.
    #expect(near(s.shown?.a ?? 0, 15 * 1.390_389, 1e-4))
    s.movePinch(point(14, 314), point(814, 314))
    // Forty times would be 15 · 3.02.
    #expect(near(s.shown?.a ?? 0, 30))
    s.up(814, 314, id: 2)
    s.up(14, 314, id: 1)
    s.wait(0.31)
    #expect(near(s.shown?.a ?? 0, 15))
  }

  @Test func `a double tap zooms to 2.5 times the fit about its point in 0.2 s, again back`() {
    var s = Scenario()
    s.tap(114, 114)
    s.tap(114, 114, after: 0.1)
    #expect(s.session.wantsTicks)
    s.wait(0.21)
    // About frame (100, 100): 114 − 250.
    #expect(s.shown.map { near($0.a, 2.5) && near($0.tx, -136) && near($0.ty, -136) } ?? false)
    s.tap(414, 314)
    s.tap(414, 314, after: 0.1)
    s.wait(0.21)
    #expect(s.shown.map { near($0.a, 1) && near($0.tx, 14) } ?? false)
    #expect(s.state == SessionState())
  }

  @Test func `a double tap outside a marquee's selection zooms and clears nothing`() {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    s.tap(600, 500)
    // The second press follows 0.28 s after the first release, and is held for a while.
    s.time += 0.28
    s.down(602, 501)
    s.up(602, 501, after: 0.2)
    s.wait(1)
    #expect(
      s.state
        == SessionState(selection: rect(100, 100, 200, 100), canUndo: true, canReset: true))
    #expect(near(s.session.editor.placement.viewport.scale, 2.5))
  }

  @Test(arguments: [(0.31, 0.0), (0.1, 30.0)])
  func `a second tap too late or too far away is a separate tap`(
    wait: Seconds, distance: Double
  ) {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    s.tap(600, 500)
    s.tap(600 + distance, 500, after: wait)
    s.wait(1)
    #expect(s.selection == nil)
    #expect(s.session.editor.placement.viewport.scale == 1)
  }

  @Test func `a tap then a long press is only the tap; a tap then a drag draws`() {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    s.tap(600, 500)
    s.time += 0.1
    s.down(600, 500)
    s.wait(0.5)
    #expect(s.selection == rect(100, 100, 200, 100))
    s.up(600, 500)
    s.wait(0.5)
    #expect(s.selection == nil)
    s.run(.undo)
    s.tap(600, 500)
    s.drag(600, 500, to: 700, 550)
    #expect(s.selection == rect(586, 486, 100, 50))
  }

  @Test(arguments: CropStyle.allCases)
  func `a tap that would clear nothing is not held back`(style: CropStyle) {
    var s = Scenario(style)
    s.tap(414, 314)
    s.wait(0.8)
    #expect(!s.session.wantsTicks)
  }

  @Test func `plus, minus and zero zoom, in 0.2 seconds`() {
    var s = Scenario()
    s.key(.plus)
    s.wait(0.21)
    #expect(near(s.shown?.a ?? 0, 1.3))
    s.key(.plus)
    s.wait(0.21)
    #expect(near(s.shown?.a ?? 0, 1.69))
    s.key(.minus)
    #expect(near(s.session.editor.placement.viewport.scale, 1.3))
    s.key(.zero)
    #expect(near(s.session.editor.placement.viewport, Viewport(scale: 1, origin: point(14, 14))))
    s.key(.zero, .command)
    #expect(!s.changes.contains(.handled))
  }

  @Test func `a zoomed marquee is panned by space and drag, the middle button or two fingers`() {
    for way in 0...2 {
      var s = Scenario()
      s.drag(114, 114, to: 314, 214)
      s.wheel(14, 14, dy: -100)
      let before = s.state
      switch way {
      case 0:
        s.modifiers = .space
        s.drag(200, 200, to: 180, 190)
      case 1: s.drag(200, 200, to: 180, 190, button: .middle)
      default:
        s.pinch(from: point(200, 200), point(300, 200), to: point(180, 190), point(280, 190))
      }
      #expect(
        near(s.session.editor.placement.viewport, Viewport(scale: 1.3, origin: point(-6, 4)), 1e-9))
      #expect(s.state == before)
    }
  }
}
