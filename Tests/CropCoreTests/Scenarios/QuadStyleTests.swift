import Testing

@testable import CropCore

/// Four corners on an image that stays still.
struct QuadStyleTests {
  private func corners(_ s: Scenario) -> [Double] {
    guard let quad = s.session.editor.document.edit.quad else { return [] }
    return (0..<4).flatMap { [quad[$0].x, quad[$0].y] }
  }

  private func corner(_ s: Scenario, _ index: Int) -> FramePoint? {
    s.session.editor.document.edit.quad?[index]
  }

  private func size(_ s: Scenario) -> FrameSize? { s.session.resultSize }

  @Test func `at first the corners are the picture's`() {
    let s = Scenario(.quad)
    #expect(corners(s) == [0, 0, 800, 0, 800, 600, 0, 600])
    #expect(s.session.recipe == CropRecipe(rect: rect(0, 0, 800, 600)))
    #expect(!s.session.canReset && !s.session.canUndo)
  }

  @Test(arguments: [PointerKind.mouse, .touch])
  func `a drag of a corner moves only it, and is one step`(kind: PointerKind) {
    var s = Scenario(.quad)
    s.kind = kind
    // Grabbed 3 points beside it, it keeps that distance: no jump.
    s.drag(17, 16, to: 117, 66)
    #expect(corners(s) == [100, 50, 800, 0, 800, 600, 0, 600])
    #expect(s.session.recipe?.quad != nil && s.session.recipe?.rect == nil)
    #expect(s.announcements.last == .selection(rect(0, 0, 800, 600)))
    s.run(.undo)
    #expect(corners(s) == [0, 0, 800, 0, 800, 600, 0, 600])
    #expect(!s.session.canUndo && s.session.canRedo)
  }

  @Test func `a corner near the picture's border snaps to it, with control it does not`() {
    var s = Scenario(.quad)
    s.drag(14, 14, to: 114, 114)
    s.drag(114, 114, to: 18, 64)
    #expect(corner(s, 0) == FramePoint(x: 0, y: 50))
    s.modifiers = .command
    s.drag(14, 64, to: 18, 64)
    #expect(corner(s, 0) == FramePoint(x: 4, y: 50))
  }

  @Test func `a corner is on the grid of 64ths, and at the border at most`() {
    var s = Scenario(.quad)
    s.drag(14, 14, to: 64.01, 94.02)
    #expect(corner(s, 0) == FramePoint(x: 50 + 1.0 / 64, y: 80 + 1.0 / 64))
    s.drag(814, 14, to: 900, 114)
    #expect(corner(s, 1) == FramePoint(x: 800, y: 100))
  }

  @Test func `an edge moves parallel to itself, along the edges beside it`() {
    var s = Scenario(.quad)
    s.drag(814, 314, to: 714, 330)
    #expect(corners(s) == [0, 0, 700, 0, 700, 600, 0, 600])
    // Left edge from (100, 0) to (0, 600); the top edge moves down by 60 and, along the left edge,
    // by 10 to the left.
    s.drag(14, 14, to: 114, 14)
    s.drag(400, 14, to: 400, 74)
    #expect(corners(s) == [90, 60, 700, 60, 700, 600, 0, 600])
    // The left edge stays parallel: both ends move equally along level edges.
    s.drag(59, 344, to: 109, 344)
    let moved = corners(s)
    #expect(near(moved[0] - 90, moved[6], 1.0 / 64) && moved[6] > 49)
    #expect(moved[1] == 60 && moved[7] == 600)
  }

  @Test(arguments: 0..<4)
  func `a corner that would cross stops on its way`(index: Int) {
    var s = Scenario(.quad)
    s.drag(14, 14, to: 214, 114)
    let before = s.session.editor.document.edit.quad
    let starts = [point(214, 114), point(814, 14), point(814, 614), point(14, 614)]
    let start = starts[index]
    let end = starts[(index + 2) % 4]
    s.time += 1
    s.down(start.x, start.y)
    var last = s.session.editor.document.edit.quad?[index]
    for step in 1...200 {
      let share = Double(step) / 200
      s.move(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
      let quad = s.session.editor.document.edit.quad
      #expect(quad?.fault(in: s.session.frame) == nil)
      if let now = quad?[index], let was = last { #expect((now - was).length < 12) }
      last = quad?[index]
    }
    // It only moves back with the finger.
    s.move(start.x, start.y)
    #expect(s.session.editor.document.edit.quad == before)
    s.up(start.x, start.y)
  }

  @Test func `a drag between the corners moves all, as far as there is room`() {
    var s = Scenario(.quad)
    s.drag(14, 14, to: 114, 64)
    s.drag(814, 614, to: 714, 514)
    s.drag(814, 14, to: 714, 34)
    s.drag(14, 614, to: 94, 534)
    #expect(corners(s) == [100, 50, 700, 20, 700, 500, 80, 520])
    s.drag(400, 300, to: 410, 290)
    #expect(corners(s) == [110, 40, 710, 10, 710, 490, 90, 510])
    s.drag(400, 300, to: 400, 100)
    #expect(corners(s) == [110, 30, 710, 0, 710, 480, 90, 500])
  }

  @Test func `outside the corners a zoomed picture is panned`() {
    var s = Scenario(.quad)
    s.drag(14, 14, to: 314, 214)
    let before = corners(s)
    s.wheel(20, 20, dy: -300)
    let shown = s.session.editor.placement.viewport
    s.drag(30, 30, to: 80, 80)
    #expect(corners(s) == before)
    #expect(s.session.editor.placement.viewport != shown)
  }

  @Test func `Escape takes a drag back`() {
    var s = Scenario(.quad)
    s.time += 1
    s.down(14, 14)
    s.move(114, 114)
    s.key(.escape)
    #expect(corners(s) == [0, 0, 800, 0, 800, 600, 0, 600])
    #expect(!s.session.canUndo)
  }

  @Test func `keys walk through corners and edges and move them`() {
    var s = Scenario(.quad)
    s.key(.tab)
    s.key(.tab)
    #expect(s.session.focus == .topLeft)
    s.key(.right)
    s.key(.down, .shift)
    #expect(corners(s) == [1, 10, 800, 0, 800, 600, 0, 600])
    s.key(.tab)
    s.key(.tab)
    s.key(.tab)
    #expect(s.session.focus == .right)
    s.key(.left, .command)
    #expect(corner(s, 1)?.x == 700 && corner(s, 2)?.x == 700)
    s.key(.tab, .shift)
    // The edge moved along the top edge, which slopes to the left: just over a pixel of space
    // remains.
    for _ in 0..<3 { s.key(.up) }
    #expect(s.announcements.last == .limit)
  }

  @Test func `assistive technology finds each corner and edge where it is`() {
    var s = Scenario(.quad)
    s.drag(14, 14, to: 114, 64)
    let elements = s.session.elements
    #expect(elements.map(\.key.rawValue) == Array(0...9))
    let element = elements[2]
    #expect(element.frame.center == point(114, 64))
    #expect(element.value.x == 100 && element.value.y == 50)
    #expect(elements[3].frame.center == point(464, 39))
    // Positive means outward.
    s.run(.increment(.topLeft))
    #expect(corner(s, 0) == FramePoint(x: 99, y: 49))
  }

  @Test func `from a rectangle and back it is the same, after a change the one around the corners`()
  {
    var s = Scenario(.studio)
    s.run(.set(.width, 400))
    s.run(.set(.height, 300))
    let selection = s.selection
    s.run(.style(.quad))
    #expect(s.session.editor.document.edit.quad == selection.map { Quad($0) })
    s.run(.style(.studio))
    #expect(s.selection == selection)
    s.run(.style(.quad))
    s.run(.focus(.topLeft))
    s.key(.right)
    s.key(.down)
    let changed = s.session.editor.document.edit.quad
    s.run(.style(.studio))
    #expect(s.selection == changed?.bounds)
    // Unchanged since then: the corners are restored.
    s.run(.style(.quad))
    #expect(s.session.editor.document.edit.quad == changed)
  }

  @Test func `a tilted rectangle's corners are those of its area, and the tilt is restored`()
    throws
  {
    var s = Scenario(.studio)
    s.run(.tilt(CropAngle(degrees: 5), .once))
    let recipe = try #require(s.session.recipe)
    s.run(.style(.quad))
    let quad = try #require(s.session.editor.document.edit.quad)
    let picture = TiltedPicture(frame: FrameSize.of(800, 600), tilt: CropAngle(degrees: 5))
    let rect = try #require(recipe.rect)
    for (index, corner) in (0..<4).map({ Quad(rect)[$0] }).enumerated() {
      #expect((picture.turnedBack(corner) - quad[index]).length <= 1.0 / 64)
    }
    #expect(s.session.tilt == .zero)
    s.run(.style(.studio))
    #expect(s.session.recipe == recipe)
  }

  @Test func `a turn turns corners and result, four of them nothing`() {
    var s = Scenario(.quad)
    s.drag(14, 14, to: 114, 64)
    let (before, wide) = (corners(s), size(s))
    s.run(.turn(clockwise: true))
    // The bottom-left corner, (0, 600), moves to the top left of 600 × 800.
    #expect(corners(s) == [0, 0, 550, 100, 600, 800, 0, 800])
    #expect(size(s) == wide?.transposed)
    for _ in 0..<3 { s.run(.turn(clockwise: true)) }
    #expect(corners(s) == before)
    s.run(.mirror(vertically: false))
    #expect(corners(s) == [0, 0, 700, 50, 800, 600, 0, 600])
  }

  @Test func `a ratio is the result's, a tilt is refused`() {
    var s = Scenario(.quad)
    s.drag(14, 14, to: 114, 64)
    let before = corners(s)
    s.run(.ratio(.fixed(.square)))
    #expect(corners(s) == before)
    #expect(size(s) == FrameSize.of(800, 800))
    s.run(.longestSide(403))
    #expect(size(s) == FrameSize.of(403, 403))
    s.run(.ratio(.free))
    s.run(.longestSide(nil))
    #expect(size(s) == FrameSize.of(800, 600))
    #expect(s.run(.tilt(CropAngle(degrees: 3), .once)).contains(.refused))
    #expect(s.session.tilt == .zero)
  }

  @Test func `a fixed ratio has the sheet's format until it is swapped`() {
    var s = Scenario(.quad)
    s.drag(14, 14, to: 114, 64)
    let ratio = AspectRatio(3, 4)
    s.run(.ratio(.fixed(ratio ?? .square)))
    #expect(size(s) == FrameSize.of(800, 600))
    #expect(s.session.resultRatio == AspectRatio(4, 3))
    s.run(.swapRatio)
    #expect(s.session.resultRatio == ratio)
    #expect(size(s) == FrameSize.of(800, 1067))
    #expect(s.session.recipe(maxSide: 100)?.output == .exact(width: 75, height: 100))
    s.run(.undo)
    #expect(s.session.resultRatio == AspectRatio(4, 3))
    s.run(.redo)
    // Choosing a ratio again starts with the sheet's format.
    s.run(.ratio(.fixed(.square)))
    s.run(.ratio(.fixed(ratio ?? .square)))
    #expect(s.session.resultRatio == AspectRatio(4, 3))
  }

  @Test func `a found sheet is one step, and its ratio is chosen`() throws {
    // A4 in front of a camera that is pitched and turned.
    let sheet = Quad(coordinates: [332, 230, 532, 223, 520, 460, 203, 440])
    var s = Scenario(.quad)
    let changes = s.session.setSheet(sheet)
    #expect(changes.contains(.recipe) && !changes.contains(.refused))
    #expect(corners(s) == [332, 230, 532, 223, 520, 460, 203, 440])
    #expect(s.session.sheetRatio != nil)
    #expect(s.session.resultRatio == AspectRatio(210, 297))
    s.run(.undo)
    #expect(corners(s) == [0, 0, 800, 0, 800, 600, 0, 600] && s.session.ratio == .free)
    #expect(!s.session.canUndo)
    // A choice stays, also on a turned image.
    s.run(.ratio(.fixed(.square)))
    s.run(.turn(clockwise: true))
    _ = s.session.setSheet(sheet)
    #expect(s.session.ratio == .fixed(.square))
    #expect(corners(s) == [160, 203, 370, 332, 377, 532, 140, 520])
    #expect(s.session.setSheet(Quad(coordinates: [0, 0, 900, 0, 900, 9, 0, 9])) == .refused)
    s.run(.style(.studio))
    #expect(s.session.setSheet(sheet) == .refused)
  }

  @Test func `the grid is drawn in perspective: its middle is where the diagonals cross`() throws {
    var s = Scenario(.quad)
    s.drag(14, 14, to: 214, 114)
    s.run(.grid(.center))
    var shade: ViewQuad?
    var lines: [(ViewPoint, ViewPoint)] = []
    for item in s.session.scene.items {
      if case .quadShade(let outside, _, true) = item { shade = outside }
      if case .line(let from, let to, _, .grid) = item { lines.append((from, to)) }
    }
    let quad = try #require(shade)
    #expect(
      quad == ViewQuad(a: point(214, 114), b: point(814, 14), c: point(814, 614), d: point(14, 614))
    )
    try #require(lines.count == 2)
    let middle = try #require(crossing(lines[0], lines[1]))
    let wanted = try #require(crossing((quad.a, quad.c), (quad.b, quad.d)))
    #expect((middle - wanted).length < 1e-9)
  }

  private func crossing(_ p: (ViewPoint, ViewPoint), _ q: (ViewPoint, ViewPoint)) -> ViewPoint? {
    let (u, v, w) = (p.1 - p.0, q.1 - q.0, q.0 - p.0)
    let area = u.dx * v.dy - u.dy * v.dx
    return area == 0 ? nil : p.0 + u * ((w.dx * v.dy - w.dy * v.dx) / area)
  }

  @Test func `a finger on a corner has a lens over it`() {
    var s = Scenario(.quad)
    s.kind = .touch
    s.time += 1
    s.down(14, 614)
    s.move(114, 514)
    let lens = s.session.scene.items.compactMap { item -> ImagePoint? in
      if case .magnifier(_, _, let focus, _) = item { focus } else { nil }
    }
    #expect(lens == [ImagePoint(x: 100, y: 500)])
    #expect(s.session.isGestureActive)
  }

  @Test func `a recipe with four corners is shown as it is, one with a rectangle by its corners`()
    throws
  {
    var s = Scenario(.quad)
    let recipe = CropRecipe(
      quarterTurns: 1, output: .exact(width: 210, height: 297),
      quad: Quad(
        topLeft: FramePoint(x: 10, y: 20.5), topRight: FramePoint(x: 500, y: 40),
        bottomRight: FramePoint(x: 520, y: 700), bottomLeft: FramePoint(x: 0, y: 690)))
    _ = try s.session.restore(recipe)
    #expect(s.session.recipe == recipe)
    #expect(size(s) == FrameSize.of(210, 297))
    _ = try s.session.restore(CropRecipe(rect: rect(10, 20, 30, 40)))
    #expect(corners(s) == [10, 20, 40, 20, 40, 60, 10, 60])
    s.run(.undo)
    #expect(s.session.recipe == recipe)
  }

  @Test func `a straightened result is never lossless`() {
    var s = Scenario(.quad)
    let grid = JPEGGrid(size: BitmapSize(width: 800, height: 600), cellWidth: 8, cellHeight: 8)
    s.session.setJPEG(StoredJPEG(grid: grid, orientation: .up))
    s.drag(14, 14, to: 114, 64)
    #expect(s.session.jpegPlan == nil && !s.session.isLossless)
    #expect(s.session.drawnPart == BitmapRect(x: 0, y: 0, width: 800, height: 600))
  }

  @Test func `a tilt of the transform is refused`() {
    var s = Scenario(.quad)
    let before = s.session.recipe
    let tilted = PictureTransform(tilt: CropAngle(degrees: 5))
    #expect(s.session.setTransform(tilted) == .refused)
    #expect(s.session.recipe == before)
    let turned = PictureTransform(orientation: .right)
    #expect(s.session.setTransform(turned).contains(.recipe))
    s.wait(0.1)
    #expect(s.session.tilt == .zero)
  }
}
