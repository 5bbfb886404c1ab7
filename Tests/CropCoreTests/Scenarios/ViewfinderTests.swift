import Testing

@testable import CropCore

/// The image is panned and pinched behind a fixed viewfinder.
///
/// 800 × 600 in a view of 828 × 628: the square viewfinder is (114, 14) to (714, 614), one point
/// per pixel.
struct ViewfinderTests {
  @Test func `at first the largest square is selected and nothing can be undone`() {
    let s = Scenario(.viewfinder)
    #expect(s.state == SessionState(selection: rect(100, 0, 600, 600)))
    #expect(s.session.editor.placement.viewport == Viewport(scale: 1, origin: point(14, 14)))
    #expect(s.outline == Outline(ViewRect(x: 114, y: 14, width: 600, height: 600)))
  }

  @Test func `at first the largest viewfinder of a ratio set before is selected`() throws {
    let wide = try #require(AspectRatio(16, 9))
    let s = Scenario(.viewfinder, before: [.ratio(.fixed(wide))])
    // 800 × 450 has the ratio and is 50 times its terms.
    #expect(s.state == SessionState(selection: rect(0, 75, 800, 450)))
  }

  @Test func `the viewfinder's top may be a share of the view's height, as far as there is room`() {
    let phone = ViewSize(width: 390, height: 700)
    var s = Scenario(.viewfinder, view: phone, before: [.margin(1), .viewfinderTop(0.15)])
    // 388 wide; its top at 0.15 · 700.
    #expect(s.outline?.rect == ViewRect(x: 1, y: 105, width: 388, height: 388))
    #expect(s.selection == rect(100, 0, 600, 600))
    let place = s.shown
    s.wheel(195, 299, dy: -100)
    s.run(.fit)
    s.wait(0.3)
    #expect(s.shown == place)
    // In landscape, the view has no space below: the viewfinder is as close to that position as
    // possible.
    s.resize(700, 390)
    #expect(s.outline?.rect == ViewRect(x: 156, y: 1, width: 388, height: 388))
    #expect(s.selection == rect(100, 0, 600, 600))
    s.run(.viewfinderTop(nil))
    s.resize(390, 700)
    #expect(s.outline?.rect == ViewRect(x: 1, y: 156, width: 388, height: 388))
    s.run(.viewfinderTop(1.5))
    #expect(s.changes.contains(.refused))
  }

  @Test func `a layout area positions the viewfinder, and the same area stays in it`() {
    var s = Scenario(.viewfinder)
    s.drag(400, 300, to: 450, 300)
    let before = s.selection
    s.run(.layoutArea(ViewRect(x: 28, y: 100, width: 300, height: 500)))
    #expect(s.outline?.rect == ViewRect(x: 28, y: 200, width: 300, height: 300))
    #expect(s.selection == before)
    #expect(s.state.canUndo)
    // Space beyond the view does not count; if nothing is left, the setting is ignored.
    s.run(.layoutArea(ViewRect(x: 628, y: 0, width: 400, height: 1000)))
    #expect(s.outline?.rect == ViewRect(x: 628, y: 214, width: 200, height: 200))
    s.run(.layoutArea(ViewRect(x: 900, y: 0, width: 400, height: 1000)))
    #expect(s.outline?.rect == ViewRect(x: 114, y: 14, width: 600, height: 600))
    s.run(.layoutArea(ViewRect(x: 0, y: 0, width: .nan, height: 1000)))
    #expect(s.changes.contains(.refused))
    #expect(s.selection == before)
  }

  @Test func `a drag anywhere pans the picture; the viewfinder rests`() {
    for start in [point(400, 300), point(20, 20), point(114, 14)] {
      var s = Scenario(.viewfinder)
      s.drag(start.x, start.y, to: start.x + 50, start.y)
      #expect(
        s.state == SessionState(selection: rect(50, 0, 600, 600), canUndo: true, canReset: true))
      #expect(s.outline?.rect == ViewRect(x: 114, y: 14, width: 600, height: 600))
    }
  }

  @Test func `beyond the edge it resists, and the recipe is the one it settles at`() {
    var s = Scenario(.viewfinder)
    s.time += 1
    s.down(400, 300)
    s.move(600, 300)
    // 200 to the right, 100 of them beyond the limit; the rubber band allows
    // (1 − 1 / (100 · 0.55 / 828 + 1)) · 828 = 51.5742…
    let held = s.shown
    #expect(near(held?.tx ?? 0, 114 + 51.5742, 1e-4))
    #expect(near(held?.ty ?? 0, 14))
    let recipe = s.session.recipe
    #expect(recipe?.rect == rect(0, 0, 600, 600))
    s.up(600, 300)
    #expect(s.session.recipe == recipe)
    #expect(s.session.wantsTicks)
    // Cubic ease-out: after half of 0.3 s, (1/2)³ of the way remains.
    s.wait(0.15)
    #expect(near(s.shown?.tx ?? 0, 114 + 51.5742 / 8, 1e-4))
    #expect(s.session.recipe == recipe)
    s.wait(0.16)
    #expect(near(s.shown?.tx ?? 0, 114))
    #expect(s.session.recipe == recipe)
  }

  @Test func `a wheel's detent zooms by 1.3 about the pointer and the square stays exact`() {
    var s = Scenario(.viewfinder)
    s.wheel(414, 314, dy: -100)
    // 600 / 1.3 = 461.54 about (400, 300): 169.23 to 630.77, rounded outward to 169 and 631.
    #expect(
      s.state == SessionState(selection: rect(169, 69, 462, 462), canUndo: true, canReset: true))
    s.wheel(414, 314, dy: 100)
    #expect(s.selection == rect(100, 0, 600, 600))
  }

  @Test func `fill: zoomed out too far it bounces back to cover the viewfinder`() {
    var s = Scenario(.viewfinder)
    s.kind = .touch
    s.time += 1
    s.beginPinch(point(314, 314), point(514, 314))
    s.movePinch(point(364, 314), point(464, 314))
    // Half the zoom is requested; 0.5^0.3 = 0.8123 is shown.
    #expect(near(s.shown?.a ?? 0, 0.8123, 1e-4))
    #expect(s.selection == rect(100, 0, 600, 600))
    s.up(464, 314, id: 2)
    s.up(364, 314, id: 1)
    s.wait(0.4)
    #expect(near(s.shown?.a ?? 0, 1))
    #expect(s.state == SessionState(selection: rect(100, 0, 600, 600)))
  }

  @Test func `fit: the picture starts as wide as the viewfinder, and the frame is what is cut`() {
    var s = Scenario(.viewfinder, before: [.cover(.fit)])
    // 600 / 800 = 0.75 points per pixel, centered: 450 high, from 89 to 539.
    #expect(
      near(s.session.editor.placement.viewport, Viewport(scale: 0.75, origin: point(114, 89))))
    #expect(s.state == SessionState(selection: rect(100, 0, 600, 600)))
    let shades = s.session.scene.items.compactMap { item -> ViewRect? in
      if case .shade(let outline, _, _) = item { return outline.rect }
      return nil
    }
    // The square of the image's height, centered in the viewfinder.
    let cut = ViewRect(x: 189, y: 89, width: 450, height: 450)
    #expect(shades == [cut])
    #expect(s.outline?.rect == cut)
    // Sideways, there is no space; a larger zoom fills the viewfinder: 600 points are 462 pixels.
    s.drag(414, 314, to: 500, 314)
    s.wait(1)
    #expect(s.selection == rect(100, 0, 600, 600))
    for _ in 1...2 { s.wheel(414, 314, dy: -100) }
    // 0.75 · 1.69 = 1.2675: 600 / 1.2675 = 473.37 about (400, 300), 163.3 to 636.7, rounded outward
    // to 474.
    #expect(s.selection == rect(163, 63, 474, 474))
  }

  @Test func `fit: a portrait picture covers the viewfinder and slides along it`() {
    var s = Scenario(.viewfinder, 600, 800, before: [.cover(.fit)])
    // As wide as the viewfinder: one point per pixel; the middle of the height is visible.
    #expect(s.selection == rect(0, 100, 600, 600))
    s.drag(414, 314, to: 414, 364)
    #expect(s.selection == rect(0, 50, 600, 600))
    s.drag(414, 314, to: 414, 664)
    #expect(s.selection == rect(0, 0, 600, 600))
  }

  @Test func `taps do nothing, Delete and Escape are the page's, Draw can't be armed`() {
    var s = Scenario(.viewfinder)
    let before = s.state
    s.tap(414, 314)
    s.tap(20, 20)
    s.wait(1)
    #expect(s.state == before)
    for key in [Key.escape, .delete] {
      s.key(key)
      #expect(!s.changes.contains(.handled))
    }
    s.run(.armDraw(true))
    #expect(s.session.armed != .draw)
    #expect(s.state == before)
  }

  @Test func `Escape cancels a pan`() {
    var s = Scenario(.viewfinder)
    s.time += 1
    s.down(414, 314)
    s.move(450, 314)
    s.key(.escape)
    #expect(s.changes.contains(.handled))
    s.move(460, 314)
    s.up(460, 314)
    s.wait(1)
    #expect(s.state == SessionState(selection: rect(100, 0, 600, 600)))
  }

  @Test func `another device rotation keeps the same part in the viewfinder`() {
    for cover in [Cover.fill, .fit] {
      var s = Scenario(.viewfinder, before: [.cover(cover)])
      s.wheel(414, 314, dy: -100)
      s.drag(414, 314, to: 380, 340)
      let recipe = s.session.recipe
      s.resize(628, 828)
      s.resize(300, 200)
      s.resize(828, 628)
      #expect(s.session.recipe == recipe)
    }
  }

  @Test func `a recipe of another ratio gives the viewfinder its ratio`() throws {
    var s = Scenario(.viewfinder)
    let recipe = CropRecipe(rect: rect(10, 20, 300, 150))
    _ = try s.session.restore(recipe)
    #expect(s.session.recipe == recipe)
    // 2:1 in 800 × 600: 800 × 400, 8/3 points per pixel.
    #expect(
      s.outline.map { near($0.rect, ViewRect(x: 14, y: 114, width: 800, height: 400)) } ?? false)
    s.run(.undo)
    #expect(s.selection == rect(100, 0, 600, 600))
  }

  @Test func `a marquee's step taken back in a viewfinder leaves a selection`() {
    var s = Scenario(.marquee)
    s.drag(114, 114, to: 314, 214)
    s.run(.style(.viewfinder))
    // The largest square about the middle of the previous selection.
    #expect(s.selection == rect(150, 100, 100, 100))
    s.run(.undo)
    #expect(s.selection == rect(100, 0, 600, 600))
    s.run(.redo)
    #expect(s.selection == rect(150, 100, 100, 100))
  }
}
