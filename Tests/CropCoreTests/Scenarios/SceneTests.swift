import TestMaterial
import Testing

@testable import CropCore

/// The drawing, and the elements for assistive technology.
struct SceneTests {
  private func selected() -> Scenario {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    s.wait(1)
    return s
  }

  private func opacity(_ s: Scenario) -> Double? {
    for item in s.session.scene.items {
      if case .shade(_, let opacity, _) = item { return opacity }
    }
    return nil
  }

  private func gridLines(_ s: Scenario) -> [SceneItem] {
    s.session.scene.items.filter { item in
      if case .line(_, _, _, .grid) = item { return true }
      return false
    }
  }

  @Test func `the whole scene of a selection at rest, in order`() {
    let s = selected()
    let outline = Outline(ViewRect(x: 114, y: 114, width: 200, height: 100))
    let items = s.session.scene.items
    #expect(
      items.prefix(5) == [
        .pictureEdge(
          ViewQuad(a: point(14, 14), b: point(814, 14), c: point(814, 614), d: point(14, 614))),
        .picture(Affine(a: 1, b: 0, c: 0, d: 1, tx: 14, ty: 14)),
        .shade(outside: outline, opacity: 0.65, isClippedToPicture: true),
        .stroke(outline, width: 3, role: .edge), .stroke(outline, width: 1, role: .frame),
      ])
    // Two bars per corner, one per edge, and the label in the middle below: 214 + 3 + 10 + 12.
    #expect(items.count == 5 + 12 + 1)
    #expect(items[5] == .bar(ViewRect(x: 111, y: 111, width: 23, height: 3), role: .handle))
    #expect(items[6] == .bar(ViewRect(x: 111, y: 111, width: 3, height: 23), role: .handle))
    #expect(items[7] == .bar(ViewRect(x: 204, y: 111, width: 20, height: 3), role: .handle))
    #expect(items.last == .label(.size(.of(200, 100), nil), at: point(214, 239)))
  }

  @Test(arguments: 0..<4, [false, true])
  func `a shade is clipped to the picture until the picture covers the view`(
    turns: Int, isMirrored: Bool
  ) {
    func isClipped(_ s: Scenario) -> Bool? {
      for item in s.session.scene.items {
        if case .shade(_, _, let isClipped) = item { return isClipped }
      }
      return nil
    }
    var s = selected()
    for _ in 0..<turns { s.run(.turn(clockwise: true)) }
    if isMirrored { s.run(.mirror(vertically: false)) }
    s.run(.tilt(CropAngle(degrees: 5), .once))
    s.wait(1)
    #expect(isClipped(s) == true)
    s.send(.magnify(at: point(414, 314), factor: 4, time: s.time))
    s.wait(1)
    #expect(isClipped(s) == false)
  }

  @Test func `without a selection a marquee only shows the picture`() {
    let s = Scenario()
    #expect(s.session.scene.items.count == 2)
  }

  @Test func `the shade lightens in 0.05 s, and darkens 0.35 s after the touch, in 0.35 s`() {
    var s = selected()
    s.down(214, 164)
    #expect(opacity(s) == 0.65)
    s.wait(0.025)
    #expect(near(opacity(s) ?? 0, 0.5, 1e-6))
    s.wait(0.03)
    #expect(opacity(s) == 0.35)
    s.move(224, 164)
    s.up(224, 164)
    s.wait(0.34)
    #expect(opacity(s) == 0.35)
    s.wait(0.01 + 0.175)
    #expect(near(opacity(s) ?? 0, 0.5, 1e-6))
    s.wait(0.2)
    #expect(opacity(s) == 0.65)
    // The last frame of the fade is drawn too, then nothing.
    #expect(!s.session.wantsTicks)
    var ended = selected()
    ended.down(214, 164)
    ended.up(214, 164, after: 0.4)
    ended.time += 2
    #expect(ended.send(.tick(ended.time)).contains(.scene))
    #expect(!ended.send(.tick(ended.time + 1)).contains(.scene))
  }

  @Test func `the grid is shown as chosen, thirds while dragging, 8 lines while tilting`() {
    var s = selected()
    #expect(gridLines(s).isEmpty)
    for (grid, count) in [
      (CropGrid.thirds, 4), (.golden, 4), (.center, 2), (.uniform, 16), (.off, 0),
    ] {
      #expect(s.run(.grid(grid)).contains(.scene))
      #expect(gridLines(s).count == count)
    }
    s.down(214, 164)
    s.move(224, 164)
    #expect(gridLines(s).count == 4)
    // A third of 200 from 124: a line from top to bottom.
    #expect(
      gridLines(s).contains(
        .line(
          from: point(124 + 200 * (1.0 / 3), 114), to: point(124 + 200 * (1.0 / 3), 214), width: 1,
          role: .grid)
      ))
    s.up(224, 164)
    s.run(.tilt(CropAngle(degrees: 1), .dragging))
    #expect(gridLines(s).count == 16)
    s.run(.tilt(CropAngle(degrees: 1), .ended))
    #expect(gridLines(s).isEmpty)
  }

  @Test func `settings as they are change nothing`() {
    var s = selected()
    let settings: [Command] = [
      .grid(.off), .margin(14), .layoutArea(nil), .viewfinderTop(nil), .largestZoom(nil),
    ]
    for setting in settings {
      #expect(s.run(setting) == [])
    }
  }

  @Test func `golden lines divide by the golden section`() {
    var s = selected()
    s.run(.grid(.golden))
    // 200 · (1 − 1 / 1.618034) = 76.393 from 114.
    guard case .line(let from, _, _, _) = gridLines(s).first else {
      Issue.record("no line")
      return
    }
    #expect(near(from.x, 190.3932, 1e-4))
  }

  @Test func `shapes are strokes and shades; a radius is in pixels of the picture`() {
    var s = selected()
    s.run(.shape(.ellipse))
    #expect(s.outline?.shape == .ellipse)
    #expect(s.session.recipe?.shape == .ellipse)
    s.run(.shape(.roundedRectangle(radius: 24)))
    s.run(.style(.studio))
    // Four points per pixel.
    #expect(s.outline?.shape == .roundedRectangle(radius: 96))
    s.run(.shape(.roundedRectangle(radius: 999)))
    #expect(s.outline?.shape == .roundedRectangle(radius: 200))
    #expect(s.session.shape == .roundedRectangle(radius: 999))
  }

  @Test func `a finger on a handle has a lens above it, or below where there is no room`() {
    func lens(_ s: Scenario) -> SceneItem? {
      s.session.scene.items.first { item in
        if case .magnifier = item { return true }
        return false
      }
    }
    var s = selected()
    s.drag(214, 164, to: 414, 364)
    s.kind = .touch
    s.time += 1
    s.down(514, 414)
    s.move(534, 424)
    // The corner is at frame (520, 410), the lens 100 points above the finger.
    #expect(
      lens(s)
        == .magnifier(
          center: point(534, 324), radius: 52, focus: ImagePoint(x: 520, y: 410),
          magnification: 2.5))
    s.up(534, 424)
    #expect(lens(s) == nil)
    s.kind = .mouse
    s.time += 1
    s.down(534, 424)
    s.move(544, 424)
    #expect(lens(s) == nil)
    var high = Scenario()
    high.kind = .touch
    high.time += 1
    high.down(214, 100)
    high.move(314, 130)
    #expect(
      lens(high)
        == .magnifier(
          center: point(314, 230), radius: 52, focus: ImagePoint(x: 300, y: 116),
          magnification: 2.5))
  }

  @Test func `neither a finger nor its lens covers the label`() {
    var s = Scenario(.marquee)
    s.kind = .touch
    // A drawn square of 100 points, with the lens level with its upper edge: the label is above the
    // lens.
    s.down(300, 300)
    s.move(400, 400)
    #expect(s.session.scene.items.contains { $0.labelPlace == point(350, 226) })
    for (from, to) in [(300.0, 400.0), (500, 400), (60, 20), (140, 150), (20, 600), (600, 20)] {
      for height in [6.0, 30, 100, 180, 300, 520] {
        for low in [true, false] {
          let (start, end) = low ? (50.0, 50 + height) : (560.0, 560 - height)
          s = Scenario(.marquee)
          s.kind = .touch
          s.time += 1
          s.down(from, start)
          s.move(to, end)
          let items = s.session.scene.items
          guard let label = items.lazy.compactMap(\.labelPlace).first,
            let lens = items.lazy.compactMap(\.lensPlace).first
          else {
            Issue.record("no label or no lens from \(from), \(start) to \(to), \(end)")
            continue
          }
          #expect(label.y >= 12 && label.y <= 616)
          #expect(abs(label.y - end) >= 56)
          #expect(abs(label.y - lens.y) >= 64 || abs(label.x - lens.x) >= 142)
        }
      }
    }
  }

  @Test func `the label says the size that the result will have`() {
    var s = Scenario(.studio)
    s.run(.longestSide(400))
    #expect(s.session.resultSize == .of(400, 300))
    #expect(s.session.scene.items.contains { $0.labelledSize == .of(400, 300) })
    s.run(.longestSide(1600))
    #expect(s.session.resultSize == .of(800, 600))
    s.run(.outputSize(.of(1200, 630)))
    #expect(s.session.resultSize == .of(1200, 630))
  }

  @Test func `the label says the size in pixels and the ratio that is kept`() {
    var s = Scenario(.studio)
    s.run(.ratio(.fixed(AspectRatio(16, 9) ?? .square)))
    #expect(
      s.session.scene.items.contains { item in
        if case .label(.size(.of(800, 450), AspectRatio(16, 9)), _) = item { return true }
        return false
      })
  }

  @Test func `the label avoids controls, though there is space below the frame`() throws {
    var s = Scenario(.studio)
    s.run(.layoutArea(ViewRect(x: 14, y: 100, width: 800, height: 400)))
    let inside = try #require(s.session.scene.items.compactMap(\.labelPlace).first)
    // 24 points high: inside the frame, which is as high as the area.
    #expect(inside.y == 500 - 25)
    s.run(.ratio(.fixed(AspectRatio(4, 1) ?? .square)))
    let below = try #require(s.session.scene.items.compactMap(\.labelPlace).first)
    #expect(below.y == 400 + 25)
  }

  @Test func `the label of four corners covers none of their handles`() throws {
    var s = Scenario(.quad)
    // There is no space below the photo: the label is inside, above the lower edge's handle.
    let before = try #require(s.session.scene.items.compactMap(\.labelPlace).first)
    #expect(before == point(414, 614 - 25))
    // Now the middle of the lower edge would be under it.
    s.drag(14, 614, to: 14, 564)
    s.wait(1)
    let after = try #require(s.session.scene.items.compactMap(\.labelPlace).first)
    // 24 points above it, since 8 and 16 are too few.
    #expect(after == point(414, 614 - 25 - 24))
  }

  @Test(
    arguments: [
      ViewSize(width: 984, height: 414), ViewSize(width: 548, height: 304),
      ViewSize(width: 390, height: 560),
    ], [PointerKind.mouse, .touch])
  func `in low views too, the label covers no handle of four corners, at rest or in a drag`(
    view: ViewSize, kind: PointerKind
  ) throws {
    var random = Seeded(seed: 55)
    for (width, height) in [(800, 600), (450, 800)] {
      var s = Scenario(.quad, width, height, view: view)
      s.kind = kind
      for round in 0..<40 {
        let marks = s.session.scene.items.compactMap(\.markPlace)
        let start = try #require(marks.randomElement(using: &random)).center
        let end = ViewPoint(
          x: .random(in: 0...view.width, using: &random),
          y: .random(in: 0...view.height, using: &random))
        s.time += 1
        s.down(start.x, start.y)
        for step in 1...8 {
          let way = (end - start) * (Double(step) / 8)
          s.move(start.x + way.dx, start.y + way.dy)
          try expectNoMarkUnderTheLabel(of: s, "round \(round), step \(step)")
        }
        s.up(end.x, end.y)
        s.wait(1)
        try expectNoMarkUnderTheLabel(of: s, "after round \(round)")
      }
    }
  }

  private func expectNoMarkUnderTheLabel(of s: Scenario, _ moment: Comment) throws {
    let items = s.session.scene.items
    let place = try #require(items.compactMap(\.labelPlace).first)
    // As wide as a label usually is.
    let label = ViewRect(center: place, width: 150, height: 22)
    for mark in items.compactMap(\.markPlace) {
      let covers =
        mark.minX < label.maxX && mark.maxX > label.minX && mark.minY < label.maxY
        && mark.maxY > label.minY
      #expect(!covers, moment)
    }
  }

  @Test func `the label of a narrow frame as high as the view covers no mark of a corner`() throws {
    var s = Scenario(.studio)
    s.run(.ratio(.fixed(AspectRatio(1, 6) ?? .square)))
    s.wait(1)
    try expectNoMarkUnderTheLabel(of: s, "at rest")
  }

  // MARK: Cursor

  @Test func `the cursor says what a press would do`() {
    var s = selected()
    func cursor(_ x: Double, _ y: Double) -> CropCursor {
      s.move(x, y)
      return s.session.cursor
    }
    #expect(cursor(214, 164) == .move)
    #expect(cursor(500, 400) == .crosshair)
    #expect(cursor(114, 114) == .resizeFalling)
    #expect(cursor(314, 114) == .resizeRising)
    #expect(cursor(314, 164) == .resizeHorizontal)
    #expect(cursor(214, 114) == .resizeVertical)
    s.pointer(.leave, 0, 0)
    #expect(s.session.cursor == .standard)
    s.run(.style(.studio))
    #expect(cursor(414, 314) == .grab)
    s.down(414, 314)
    s.move(424, 314)
    #expect(s.session.cursor == .grabbing)
    s.up(424, 314)
    s.run(.armDraw(true))
    #expect(cursor(414, 315) == .crosshair)
  }

  // MARK: Elements

  @Test func `the picture, the selection and eight handles are elements`() {
    var s = selected()
    let elements = s.session.elements
    #expect(
      elements.map(\.key) == [
        .picture, .selection, .topLeft, .top, .topRight, .right, .bottomRight, .bottom, .bottomLeft,
        .left,
      ])
    #expect(elements[0].frame == ViewRect(x: 14, y: 14, width: 800, height: 600))
    #expect(elements[0].value == rect(0, 0, 800, 600))
    #expect(elements[1].frame == ViewRect(x: 114, y: 114, width: 200, height: 100))
    #expect(elements.dropFirst().allSatisfy { $0.value == rect(100, 100, 200, 100) })
    #expect(
      elements.allSatisfy { $0.actions.contains([.increment, .decrement]) && !$0.isFocused })
    // 44 points about the corner.
    #expect(elements[2].frame == ViewRect(x: 92, y: 92, width: 44, height: 44))
    s.run(.focus(.right))
    #expect(s.session.elements.filter(\.isFocused).map(\.key) == [.right])
    #expect(
      s.session.scene.items.contains(
        .bar(
          ViewRect(x: 314, y: 164 - 100.0 / 6, width: 3, height: 100.0 / 3), role: .activeHandle))
        || s.session.scene.items.contains(
          .bar(ViewRect(x: 314, y: 154, width: 3, height: 20), role: .activeHandle))
    )
    s.key(.delete)
    #expect(s.session.elements.map(\.key) == [.picture])
    #expect(s.session.focus == nil)
  }

  @Test func `a viewfinder has no handles to find`() {
    let s = Scenario(.viewfinder)
    #expect(s.session.elements.map(\.key) == [.picture, .selection])
  }

  @Test func `right to left mirrors nothing of the picture`() {
    var s = selected()
    let (scene, elements) = (s.session.scene, s.session.elements)
    s.run(.rightToLeft(true))
    #expect(s.session.settings.isRightToLeft)
    #expect(s.session.scene == scene)
    #expect(s.session.elements == elements)
    s.key(.right)
    #expect(s.selection == rect(101, 100, 200, 100))
  }
}

extension SceneItem {
  fileprivate var labelledSize: FrameSize? {
    if case .label(.size(let size, _), _) = self { size } else { nil }
  }
  fileprivate var labelPlace: ViewPoint? {
    if case .label(_, let place) = self { place } else { nil }
  }
  fileprivate var markPlace: ViewRect? {
    if case .bar(let rect, _) = self { rect } else { nil }
  }
  fileprivate var lensPlace: ViewPoint? {
    if case .magnifier(let center, _, _, _) = self { center } else { nil }
  }
}
