import Testing

@testable import CropCore

/// The image continues to move when a finger is lifted in motion.
struct GlideTests {
  /// An image zoomed so far that it can glide for 500 points, panned to the left at 1000 points per
  /// second.
  private func flung(_ style: CropStyle, rest: Seconds = 0) -> Scenario {
    var s = Scenario(style)
    for _ in 1...8 { s.wheel(414, 314, dy: -100) }
    s.kind = .touch
    s.modifiers = style == .marquee ? .space : []
    s.time += 2
    s.down(614, 314)
    for step in 1...10 { s.move(614 - 20 * Double(step), 314) }
    s.up(414, 314, after: rest)
    return s
  }

  @Test(arguments: CropStyle.ofRectangles)
  func `it goes on at the finger's speed, 0.998 of it each millisecond`(style: CropStyle) {
    var s = flung(style)
    let (start, recipe) = (s.shown?.tx ?? 0, s.session.recipe)
    #expect(s.session.wantsTicks)
    var time = 0.0
    for _ in 1...5 {
      s.wait(0.1)
      time += 0.1
      // The integral of 1000 · 0.998^(1000 t), to within the pixel to which the end is rounded.
      let way = 1000 * (1 - LibM.power(0.998, 1000 * time)) / (-1000 * LibM.logarithm(0.998))
      #expect(
        near(start - (s.shown?.tx ?? 0), way, s.session.editor.placement.viewport.scale + 0.5))
      #expect(s.session.recipe == recipe)
    }
    // Down to 30 points a second, half a point a frame, after ln(1000/30)/2.002 = 1.752 s.
    s.wait(1.2)
    #expect(s.session.wantsTicks)
    s.wait(0.1)
    #expect(!s.session.wantsTicks)
    #expect(
      near(start - (s.shown?.tx ?? 0), 970 / 2.002, s.session.editor.placement.viewport.scale + 0.5)
    )
    #expect(s.session.recipe == recipe)
  }

  @Test func `a finger that rested before it went up does not fling`() {
    let s = flung(.viewfinder, rest: 0.15)
    #expect(s.session.editor.placement.motion?.easing != .glide)
  }

  @Test func `a glide settles inside the limits`() {
    var s = Scenario(.viewfinder)
    s.kind = .touch
    s.time += 1
    s.down(414, 314)
    for step in 1...4 { s.move(414 - 20 * Double(step), 314) }
    s.up(334, 314, after: 0)
    // Of the 100 points of space, 80 are used; the glide has 20 more.
    #expect(s.selection == rect(200, 0, 600, 600))
    s.wait(3)
    #expect(near(s.shown?.tx ?? 0, -86))
  }

  @Test(arguments: CropStyle.ofRectangles)
  func `a finger stops it at its visible position, which is not a tap`(style: CropStyle) {
    var s = flung(style)
    s.wait(0.3)
    let shown = s.shown?.tx ?? 0
    s.time += 0.001
    s.down(414, 314)
    #expect(near(s.shown?.tx ?? 0, shown, 2))
    s.up(414, 314, after: 0.05)
    s.wait(0.5)
    #expect(near(s.shown?.tx ?? 0, shown, 2 + s.session.editor.placement.viewport.scale))
    if style != .marquee {
      // The visible area is the crop, and one undo reverts the complete pan.
      let corner = s.session.editor.placement.viewport.inverse(s.outline?.rect.origin ?? .zero)
      #expect(near(corner.x, s.selection?.x ?? 0, 1))
      s.run(.undo)
      s.wait(1)
      s.run(.redo)
      #expect(!s.session.canRedo)
    }
  }

  @Test func `a picture caught on its way back from beyond a limit makes no jump`() {
    for isZoomed in [false, true] {
      var s = Scenario(.viewfinder)
      s.kind = .touch
      s.time += 1
      if isZoomed {
        s.beginPinch(point(314, 314), point(514, 314))
        s.movePinch(point(364, 314), point(464, 314))
        s.up(464, 314, id: 2, after: 0.01)
        s.up(364, 314, id: 1, after: 0)
      } else {
        s.down(414, 314)
        s.move(614, 314)
        s.up(614, 314)
      }
      s.wait(0.1)
      let recipe = s.session.recipe
      s.kind = .mouse
      s.down(414, 314)
      let shown = s.shown
      s.move(415, 314, after: 0)
      #expect(near(s.shown?.tx ?? 0, shown?.tx ?? 1, 1.5))
      #expect(near(s.shown?.a ?? 0, shown?.a ?? 1, 1e-6))
      #expect((s.shown?.tx ?? 0) > (shown?.tx ?? 1))
      s.up(415, 314)
      s.wait(1)
      // While zoomed, the point that was dragged is at a pixel to which the viewfinder moves.
      if !isZoomed { #expect(s.session.recipe == recipe) }
      #expect(near(s.shown?.a ?? 0, 1))
    }
  }

  @Test func `a press while a step is taken back does not spoil it`() {
    var s = Scenario(.studio)
    s.drag(814, 614, to: 614, 414)
    s.wait(2)
    s.run(.undo)
    s.wait(0.1)
    s.down(414, 314)
    s.up(414, 314, after: 0.05)
    s.wait(1)
    #expect(
      s.state == SessionState(selection: rect(0, 0, 800, 600), canRedo: true))
  }

  @Test func `with reduced motion, everything is immediate and no tick is needed`() {
    var s = Scenario(.viewfinder, before: [.reduceMotion(true)])
    s.kind = .touch
    s.time += 1
    s.down(414, 314)
    s.move(814, 314)
    s.up(814, 314, after: 0)
    #expect(!s.session.wantsTicks)
    #expect(near(s.shown?.tx ?? 0, 114))
    for command in [Command.turn(clockwise: true), .zoom(2), .fit, .undo, .ratio(.fixed(.square))] {
      s.run(command)
      #expect(!s.session.wantsTicks)
    }
    // If it is requested during an animation, the animation ends.
    s = Scenario(.viewfinder)
    s.run(.zoom(2))
    #expect(s.session.wantsTicks)
    s.run(.reduceMotion(true))
    #expect(!s.session.wantsTicks)
    #expect(near(s.shown?.a ?? 0, 2))
  }
}
