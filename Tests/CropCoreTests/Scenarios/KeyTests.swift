import Testing

@testable import CropCore

/// Keyboard input.
struct KeyTests {
  private func selected(_ style: CropStyle = .marquee) -> Scenario {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    s.run(.style(style))
    return s
  }

  @Test(arguments: [
    (Modifiers(), 1.0), (.shift, 10), (.command, 100),
  ])
  func `arrows move by 1, 10 and 100 pixels, in every style`(modifiers: Modifiers, step: Double) {
    for style in [CropStyle.marquee, .studio] {
      var s = selected(style)
      s.key(.right, modifiers)
      #expect(s.selection == rect(100 + step, 100, 200, 100))
      s.key(.down, modifiers)
      #expect(s.selection == rect(100 + step, 100 + step, 200, 100))
      s.key(.left, modifiers)
      s.key(.up, modifiers)
      #expect(s.selection == rect(100, 100, 200, 100))
      #expect(s.changes.contains(.handled))
    }
    var s = Scenario(.viewfinder)
    s.key(.left, modifiers)
    #expect(s.selection == rect(100 - step, 0, 600, 600))
  }

  @Test func `at the edge an arrow says that a limit is reached`() {
    var s = selected()
    s.key(.left, .command)
    #expect(s.announcements.last == .selection(rect(0, 100, 200, 100)))
    s.key(.left)
    #expect(s.announcements.last == .limit)
    #expect(s.changes.contains(.handled))
  }

  @Test func `Tab walks from the selection through the handles and back out`() {
    var s = selected()
    var walked: [ElementKey?] = []
    for _ in 1...10 {
      s.key(.tab)
      walked.append(s.session.focus)
      #expect(s.changes.contains(.handled) == (s.session.focus != nil))
    }
    #expect(
      walked == [
        .selection, .topLeft, .top, .topRight, .right, .bottomRight, .bottom, .bottomLeft, .left,
        nil,
      ])
    s.key(.tab, .shift)
    #expect(s.session.focus == .left)
    s.run(.focus(.selection))
    s.key(.tab, .shift)
    #expect(s.session.focus == nil)
    #expect(!s.changes.contains(.handled))
  }

  @Test(arguments: [
    (ElementKey.topLeft, Key.right, rect(110, 100, 190, 100)),
    (.topLeft, .down, rect(100, 110, 200, 90)), (.top, .up, rect(100, 90, 200, 110)),
    (.topRight, .right, rect(100, 100, 210, 100)), (.right, .left, rect(100, 100, 190, 100)),
    (.bottomRight, .down, rect(100, 100, 200, 110)), (.bottom, .down, rect(100, 100, 200, 110)),
    (.bottomLeft, .left, rect(90, 100, 210, 100)), (.left, .right, rect(110, 100, 190, 100)),
    (.left, .down, rect(100, 100, 200, 100)),
  ])
  func `alt and arrows resize by the focused handle`(
    key: ElementKey, arrow: Key, expected: FrameRect
  ) {
    var s = selected()
    s.run(.focus(key))
    s.key(arrow, [.alt, .shift])
    #expect(s.selection == expected)
    #expect(s.session.focus == key)
  }

  @Test func `with a ratio arrows resize by its own steps, outward and inward`() {
    var s = Scenario()
    s.run(.ratio(.fixed(AspectRatio(3, 2) ?? .square)))
    s.drag(114, 114, to: 264, 214)
    s.run(.focus(.bottomRight))
    s.key(.right, .alt)
    #expect(s.selection == rect(100, 100, 153, 102))
    s.key(.left, .alt)
    #expect(s.selection == rect(100, 100, 150, 100))
    s.key(.up, .alt)
    #expect(s.selection == rect(100, 100, 147, 98))
    // Ten pixels are three steps of three.
    s.key(.right, [.alt, .shift])
    #expect(s.selection == rect(100, 100, 156, 104))
    s.run(.focus(.left))
    s.key(.left, .alt)
    // Three wider; the height grows about the middle, 152, by two.
    #expect(s.selection == rect(97, 99, 159, 106))
  }

  @Test func `an element's increment and decrement do what they say, for every element`() {
    for key in (ElementKey.selection.rawValue...ElementKey.left.rawValue)
      .compactMap(ElementKey.init(rawValue:))
    {
      for hasRatio in [false, true] {
        var s = selected()
        if hasRatio { s.run(.ratio(.fixed(AspectRatio(2, 1) ?? .square))) }
        let before = s.selection ?? rect(0, 0, 0, 0)
        s.run(.increment(key))
        let larger = s.selection ?? rect(0, 0, 0, 0)
        #expect(larger.width * larger.height > before.width * before.height)
        #expect(s.announcements.last == .selection(larger))
        s.run(.decrement(key))
        #expect(s.selection == before)
        s.run(.decrement(key))
        let smaller = s.selection ?? rect(0, 0, 0, 0)
        #expect(smaller.width * smaller.height < before.width * before.height)
      }
    }
    var s = selected()
    s.run(.increment(.picture))
    #expect(near(s.session.zoom, 1.3))
    s.run(.decrement(.picture))
    #expect(near(s.session.zoom, 1))
  }

  @Test func `letters turn, mirror, undo and redo`() {
    var s = selected()
    s.key(.r)
    #expect(s.session.recipe?.quarterTurns == 1)
    s.key(.r, .shift)
    #expect(s.session.recipe?.quarterTurns == 0)
    s.key(.h)
    #expect(s.session.recipe?.orientation == .upMirrored)
    s.key(.h)
    s.key(.v)
    #expect(s.session.recipe?.orientation == .downMirrored)
    s.key(.z, .command)
    #expect(s.session.recipe?.orientation == .up)
    s.key(.z, [.command, .shift])
    #expect(s.session.recipe?.orientation == .downMirrored)
    s.key(.z, .command)
    s.key(.y, .command)
    #expect(s.session.recipe?.orientation == .downMirrored)
    // For the page: reload, history, and unused letters.
    for (key, modifiers) in [
      (Key.r, Modifiers.command), (.h, .command), (.v, .command), (.z, []), (.y, []),
      (.plus, .command), (.minus, .command),
    ] {
      let before = s.state
      s.key(key, modifiers)
      #expect(!s.changes.contains(.handled))
      #expect(s.state == before)
    }
  }

  @Test func `Enter asks for the crop when there is one`() {
    var s = Scenario()
    s.key(.enter)
    #expect(!s.changes.contains(.cropWanted) && !s.changes.contains(.handled))
    #expect(s.run(.crop).contains(.refused))
    s.drag(114, 114, to: 314, 214)
    s.key(.enter)
    #expect(s.changes.contains([.cropWanted, .handled]))
    #expect(s.run(.crop).contains(.cropWanted))
  }

  @Test func `Escape first cancels the gesture, then disarms, then clears`() {
    var s = selected()
    s.time += 1
    s.down(214, 164)
    s.move(300, 200)
    s.key(.escape)
    #expect(s.selection == rect(100, 100, 200, 100))
    #expect(!s.session.isGestureActive)
    // Until the pointer is released, its moves have no effect.
    s.move(400, 300)
    s.up(400, 300)
    #expect(
      s.state
        == SessionState(selection: rect(100, 100, 200, 100), canUndo: true, canReset: true))
    s.run(.armDraw(true))
    s.key(.escape)
    #expect(s.session.armed != .draw)
    #expect(s.selection != nil)
    s.key(.escape)
    #expect(s.selection == nil)
    s.key(.escape)
    #expect(!s.changes.contains(.handled))
  }

  @Test func `Escape on a press that has not moved leaves the selection`() {
    var s = selected()
    s.time += 1
    s.down(214, 164)
    s.key(.escape)
    s.up(214, 164, after: 0.05)
    s.wait(1)
    #expect(s.selection == rect(100, 100, 200, 100))
  }

  @Test func `the space bar is the session's, so that the page does not scroll`() {
    for style in CropStyle.allCases {
      var s = Scenario(style)
      s.key(.spaceDown)
      #expect(s.changes.contains(.handled))
      // A key counts as released when the focus is lost.
      s.run(.focus(nil))
      #expect(!s.session.gestures.isSpaceHeld)
    }
  }
}
