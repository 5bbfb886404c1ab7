import Testing

@testable import CropCore

/// Quarter turns, mirrors, tilt, and levelling with a line.
struct TurnTests {
  private func selected() -> Scenario {
    var s = Scenario()
    s.drag(114, 64, to: 314, 164)
    return s
  }

  @Test func `a turn keeps the same part selected`() {
    var s = selected()
    #expect(s.selection == rect(100, 50, 200, 100))
    s.run(.turn(clockwise: true))
    // Frame 600 × 800: x = 600 − 50 − 100, y = 100.
    #expect(
      s.session.recipe == CropRecipe(rect: rect(450, 100, 100, 200), quarterTurns: 1))
    #expect(s.announcements.last == .turned(quarterTurns: 1))
    s.run(.turn(clockwise: false))
    #expect(s.session.recipe == CropRecipe(rect: rect(100, 50, 200, 100)))
    for _ in 1...4 { s.run(.turn(clockwise: false)) }
    #expect(s.session.recipe == CropRecipe(rect: rect(100, 50, 200, 100)))
  }

  @Test func `a mirror mirrors what is seen, after a turn too`() {
    var s = selected()
    s.run(.mirror(vertically: false))
    #expect(s.session.recipe == CropRecipe(rect: rect(500, 50, 200, 100), isMirrored: true))
    #expect(s.announcements.last == .mirrored)
    s.run(.mirror(vertically: false))
    s.run(.mirror(vertically: true))
    // A top–bottom mirror is a left–right mirror and half a turn.
    #expect(
      s.session.recipe
        == CropRecipe(rect: rect(100, 450, 200, 100), quarterTurns: 2, isMirrored: true))
    s.run(.mirror(vertically: true))
    s.run(.turn(clockwise: true))
    s.run(.mirror(vertically: false))
    #expect(s.selection == rect(50, 100, 100, 200))
    for _ in 1...5 { s.run(.undo) }
    #expect(s.session.recipe == CropRecipe(rect: rect(500, 50, 200, 100), isMirrored: true))
  }

  @Test func `a turn is animated for a quarter of a second, the recipe is immediate`() {
    var s = Scenario(.studio)
    s.run(.turn(clockwise: true))
    let recipe = s.session.recipe
    #expect(recipe == CropRecipe(rect: rect(0, 0, 600, 800), quarterTurns: 1))
    // Not turned yet: the image's right is on the right.
    #expect(s.shown.map { near($0.b, 0, 1e-9) && $0.a > 0 } ?? false)
    s.wait(0.26)
    #expect(s.shown.map { near($0.a, 0, 1e-9) && near($0.b, 0.75) } ?? false)
    #expect(s.session.recipe == recipe)
    #expect(!s.session.wantsTicks)
  }

  @Test func `a locked ratio turns with the picture, or stays when that is chosen`() throws {
    let wide = try #require(AspectRatio(3, 2))
    var s = Scenario()
    s.run(.ratio(.fixed(wide)))
    s.drag(114, 114, to: 264, 214)
    s.run(.turn(clockwise: true))
    #expect(s.session.ratio == .fixed(wide.swapped))
    #expect(s.selection == rect(400, 100, 100, 150))
    s.run(.turn(clockwise: false))
    s.run(.keepsRatio(true))
    s.run(.turn(clockwise: true))
    #expect(s.session.ratio == .fixed(wide))
    // The largest 3:2 rectangle in the previous selection: 100 wide, 99 × 66.
    let turned = s.selection ?? rect(0, 0, 1, 1)
    #expect(2 * turned.width == 3 * turned.height)
    #expect(near(turned.width, 100, 2.1))
    s.run(.turn(clockwise: false))
    #expect(s.selection == rect(100, 100, 150, 100))
  }

  @Test func `limits are frame pixels, so a turn may have to cut`() {
    var s = Scenario(before: [.maximumSize(.of(300, 100))])
    s.drag(114, 114, to: 414, 214)
    s.run(.turn(clockwise: true))
    #expect(s.selection.map { $0.width == 100 && $0.height == 100 } ?? false)
  }

  // MARK: Tilt

  @Test func `a tilt shrinks the selection about its middle as much as it must`() {
    var s = Scenario(.studio)
    s.run(.tilt(CropAngle(degrees: 10), .once))
    // 800 × 600 needs 892.0 × 729.8 at 10°: the height limits it, 600 / 729.8 = 0.8222.
    #expect(s.selection.map { $0.width == 657 && $0.height == 493 } ?? false)
    #expect(
      s.selection.map { near($0.midX, 400, 1.0 / 64) && near($0.midY, 300, 1.0 / 64) } ?? false)
    #expect(s.session.canUndo)
    #expect(s.announcements.last == .tilt(CropAngle(degrees: 10)))
    s.run(.undo)
    #expect(s.state == SessionState(selection: rect(0, 0, 800, 600), canRedo: true))
  }

  @Test(arguments: CropStyle.ofRectangles)
  func `no tilt in any style leaves a blank corner, and there and back is the first selection`(
    style: CropStyle
  ) throws {
    var s = Scenario(style)
    if style == .marquee { s.drag(20, 20, to: 500, 400) }
    if style == .studio { s.drag(814, 614, to: 600, 500) }
    let first = s.session.recipe
    let tenths = Array(0...450) + Array((-450...450).reversed()) + Array(-450...0)
    for tenth in tenths {
      s.run(.tilt(CropAngle(degrees: Double(tenth) / 10), .dragging))
      let recipe = try #require(s.session.recipe)
      let resolved = try recipe.resolved(for: ImageSize(width: 800, height: 600))
      #expect(resolved.rect == recipe.rect)
      #expect(s.session.tilt.degrees == Double(tenth) / 10)
    }
    s.run(.tilt(.zero, .ended))
    #expect(s.session.recipe == first)
  }

  @Test func `steps of 0.1°, at most ±45°; a ruler that crosses zero snaps to it and is released`()
  {
    var s = Scenario(.studio)
    func tilt(_ degrees: Double, _ phase: TiltPhase) -> Double {
      s.run(.tilt(CropAngle(degrees: degrees), phase))
      return s.session.tilt.degrees
    }
    #expect(tilt(3.14, .once) == 3.1)
    #expect(tilt(0.2, .once) == 0.2)
    // Snapping to zero takes 0.5° of the drag, which then continues from there; back on its side,
    // nothing snaps.
    #expect(tilt(0.1, .dragging) == 0.1)
    #expect(tilt(-0.25, .dragging) == 0)
    #expect(tilt(-0.5, .dragging) == 0)
    #expect(tilt(-0.6, .dragging) == -0.1)
    #expect(tilt(-2, .dragging) == -1.5)
    #expect(tilt(0.34, .dragging) == 0.3)
    #expect(tilt(-2, .ended) == -1.5)
    // The next drag starts on the other side.
    #expect(tilt(-0.1, .dragging) == -0.1)
    #expect(tilt(0.5, .dragging) == 0)
    #expect(tilt(77, .ended) == 45)
    #expect(tilt(-77, .once) == -45)
  }

  @Test func `a ruler dragged from zero reaches every step immediately`() {
    for sign in [1.0, -1] {
      var s = Scenario(.studio)
      for tenth in [1.0, 2, 3, 2, 1] {
        s.run(.tilt(CropAngle(degrees: sign * tenth / 10), .dragging))
        #expect(s.session.tilt.degrees == sign * tenth / 10)
      }
      s.run(.tilt(.zero, .ended))
      #expect(s.session.tilt == .zero)
    }
  }

  @Test func `one drag of the ruler is one step, the next is another`() {
    var s = Scenario(.studio)
    for tenth in 1...50 { s.run(.tilt(CropAngle(degrees: Double(tenth) / 10), .dragging)) }
    #expect(s.session.wantsTicks)
    s.run(.tilt(CropAngle(degrees: 5), .ended))
    for tenth in 50...70 { s.run(.tilt(CropAngle(degrees: Double(tenth) / 10), .dragging)) }
    s.run(.tilt(CropAngle(degrees: 7), .ended))
    s.run(.undo)
    #expect(s.session.tilt == CropAngle(degrees: 5))
    s.run(.undo)
    #expect(s.state == SessionState(selection: rect(0, 0, 800, 600), canRedo: true))
  }

  @Test func `typed tilts within a second are one step, later ones another`() {
    var s = Scenario(.studio)
    s.run(.tilt(CropAngle(degrees: 1), .once))
    s.wait(0.5)
    s.run(.tilt(CropAngle(degrees: 2), .once))
    s.wait(1.5)
    s.run(.tilt(CropAngle(degrees: 3), .once))
    s.run(.undo)
    #expect(s.session.tilt == CropAngle(degrees: 2))
    s.run(.undo)
    #expect(s.session.tilt == .zero)
  }

  @Test func `a mirror turns the tilt round; tilted, mirrored twice is the same`() {
    var s = Scenario(.studio)
    s.run(.tilt(CropAngle(degrees: 10), .once))
    let recipe = s.session.recipe
    s.run(.mirror(vertically: false))
    #expect(s.session.tilt == CropAngle(degrees: -10))
    s.run(.mirror(vertically: false))
    #expect(s.session.recipe == recipe)
    for _ in 1...4 { s.run(.turn(clockwise: true)) }
    #expect(s.session.recipe == recipe)
    // After a turn, too, removing the tilt restores the first selection.
    s.run(.turn(clockwise: true))
    s.run(.tilt(.zero, .once))
    #expect(s.selection == rect(0, 0, 600, 800))
  }

  @Test func `a zoomed marquee stays zoomed when tilted`() {
    var s = Scenario()
    s.run(.zoom(2))
    s.run(.tilt(CropAngle(degrees: 10), .once))
    #expect(near(s.session.zoom, 2))
    #expect(near(s.session.editor.placement.viewport.inverse(point(414, 314)).x, 400, 1e-6))
  }

  @Test(arguments: [
    // (300, 300) to (500, 317.5): 5.0° down to the right; drawn to the left, it is the same line.
    (point(300, 300), point(500, 317.5), -5.0), (point(500, 317.5), point(300, 300), -5.0),
    (point(300, 317.5), point(500, 300), 5.0),
    // Nearly vertical: it becomes vertical.
    (point(300, 300), point(282.5, 500), -5.0),
    (point(300, 300), point(302, 302), 0.0),
  ])
  func `a line drawn along a horizon becomes level`(
    start: ViewPoint, end: ViewPoint, degrees: Double
  ) {
    for style in CropStyle.ofRectangles {
      var s = Scenario(style)
      s.run(.armLevel(true))
      s.drag(start.x, start.y, to: end.x, end.y)
      #expect(s.session.tilt == CropAngle(degrees: degrees))
      #expect(s.session.armed != .level)
      #expect(s.session.canUndo == (degrees != 0))
      s.run(.undo)
      #expect(s.session.tilt == .zero)
    }
  }

  @Test func `levelling counts from the tilt there is, and a cancelled line changes nothing`() {
    var s = Scenario(.studio)
    s.run(.tilt(CropAngle(degrees: 3), .once))
    s.run(.armLevel(true))
    s.time += 1
    s.down(300, 300)
    s.move(500, 317.5)
    #expect(
      s.session.scene.items.contains(
        .line(from: point(300, 300), to: point(500, 317.5), width: 2, role: .level)))
    s.key(.escape)
    s.up(500, 317.5)
    #expect(s.session.tilt == CropAngle(degrees: 3))
    // The cancelled command can be tried again.
    #expect(s.session.armed == .level)
    s.drag(300, 300, to: 500, 317.5)
    #expect(s.session.tilt == CropAngle(degrees: -2))
  }
}
