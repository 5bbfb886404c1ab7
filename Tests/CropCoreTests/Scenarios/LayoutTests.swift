import Testing

@testable import CropCore

/// Other view sizes, margins, and changes of style.
struct LayoutTests {
  @Test func `a marquee keeps its selection, its zoom and its middle`() {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    s.run(.zoom(2))
    let state = s.state
    // Half the view: (828 − 28) and (628 − 28) become 386 × 286 inside the margin; 286 / 600 fits.
    s.resize(414, 314)
    #expect(s.state == state)
    #expect(near(s.session.zoom, 2))
    #expect(near(s.session.editor.placement.viewport.scale, 2 * 286.0 / 600))
    let middle = s.session.editor.placement.viewport.inverse(point(207, 157))
    #expect(near(middle.x, 400, 1e-6) && near(middle.y, 300, 1e-6))
  }

  @Test func `the studio shows its selection as large as fits`() {
    var s = Scenario(.studio)
    s.drag(814, 614, to: 614, 414)
    s.wait(2)
    let state = s.state
    s.resize(328, 628)
    #expect(s.state == state)
    // 600 × 400 in 300 × 600: half a point per pixel, centered.
    #expect(
      s.outline.map { near($0.rect, ViewRect(x: 14, y: 214, width: 300, height: 200)) } ?? false)
    #expect(!s.session.wantsTicks)
  }

  @Test func `the margin is an option and shrinks in a small view`() {
    var s = Scenario(.studio, before: [.margin(0)])
    #expect(s.session.editor.layout.area == ViewRect(x: 0, y: 0, width: 828, height: 628))
    s.run(.margin(14))
    #expect(s.outline?.rect == ViewRect(x: 14, y: 14, width: 800, height: 600))
    #expect(!s.session.canUndo)
    // An eighth of the smaller side.
    s.resize(80, 40)
    #expect(s.session.editor.layout.area == ViewRect(x: 5, y: 5, width: 70, height: 30))
  }

  @Test func `a style chosen before anything is done starts as that style does`() {
    var s = Scenario(.marquee)
    s.run(.style(.viewfinder))
    #expect(s.state == SessionState(selection: rect(100, 0, 600, 600)))
    s.run(.style(.studio))
    #expect(s.state == SessionState(selection: rect(0, 0, 800, 600)))
    s.run(.style(.marquee))
    #expect(s.state == SessionState())
  }

  @Test func `a style chosen later keeps the selection as far as it can`() {
    var s = Scenario(.marquee)
    s.drag(114, 114, to: 314, 214)
    s.run(.style(.studio))
    #expect(s.selection == rect(100, 100, 200, 100))
    s.run(.reset)
    #expect(s.state == SessionState(selection: rect(0, 0, 800, 600), canUndo: true))
    s.run(.undo)
    s.run(.style(.viewfinder))
    #expect(s.selection == rect(150, 100, 100, 100))
    s.run(.style(.marquee))
    #expect(s.selection == rect(100, 100, 200, 100))
    s.run(.clear)
    #expect(s.selection == nil)
  }

  @Test func `zoom and pan change no recipe in a marquee, and clear goes back in other styles`() {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    let state = s.state
    s.wheel(300, 200, dy: -300)
    s.wheel(300, 200, dx: 30, dy: 30, isPrecise: true)
    s.run(.fit)
    #expect(s.state == state)
    #expect(near(s.session.editor.placement.viewport, Viewport(scale: 1, origin: point(14, 14))))
    s = Scenario(.studio)
    s.drag(814, 614, to: 614, 414)
    s.run(.clear)
    #expect(s.state == SessionState(selection: rect(0, 0, 800, 600), canUndo: true))
  }

  @Test func `whole picture and center`() {
    var s = Scenario()
    s.drag(114, 114, to: 315, 214)
    s.run(.center)
    // (800 − 201) / 2 = 299.5, rounded away from zero.
    #expect(s.selection == rect(300, 250, 201, 100))
    #expect(s.announcements.last == .selection(rect(300, 250, 201, 100)))
    s.run(.selectAll)
    #expect(s.selection == rect(0, 0, 800, 600))
    #expect(s.announcements.last == .selection(rect(0, 0, 800, 600)))
    s.run(.ratio(.fixed(.square)))
    s.run(.selectAll)
    #expect(s.selection == rect(100, 0, 600, 600))
  }
}
