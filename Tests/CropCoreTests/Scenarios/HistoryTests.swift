import Testing

@testable import CropCore

/// Undo, redo, reset, and what counts as one step.
struct HistoryTests {
  @Test func `every gesture and command is one step, and redo is what undo was`() throws {
    var s = Scenario()
    var states: [CropRecipe?] = [s.session.recipe]
    func did(_ s: Scenario) { states.append(s.session.recipe) }
    s.drag(114, 114, to: 314, 214)
    did(s)
    s.drag(214, 164, to: 264, 194)
    did(s)
    s.drag(364, 244, to: 404, 264)
    did(s)
    s.run(.ratio(.fixed(.square)))
    did(s)
    s.run(.shape(.ellipse))
    did(s)
    s.run(.turn(clockwise: true))
    did(s)
    s.run(.mirror(vertically: true))
    did(s)
    s.run(.tilt(CropAngle(degrees: 7), .once))
    did(s)
    s.run(.center)
    did(s)
    s.run(.selectAll)
    did(s)
    s.key(.delete)
    did(s)
    for state in states.reversed().dropFirst() {
      #expect(s.run(.undo).contains(.recipe))
      #expect(s.session.recipe == state)
      #expect(s.announcements.last == .undone)
    }
    #expect(s.state == SessionState(canRedo: true))
    #expect(s.run(.undo).contains(.refused))
    for state in states.dropFirst() {
      s.run(.redo)
      #expect(s.session.recipe == state)
      #expect(s.announcements.last == .redone)
    }
    #expect(s.run(.redo).contains(.refused))
    #expect(!s.session.canRedo)
  }

  @Test func `a new step forgets what could be done again`() {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    s.run(.undo)
    #expect(s.session.canRedo)
    s.drag(114, 114, to: 214, 214)
    #expect(!s.session.canRedo)
  }

  @Test func `nudges within a second are one step`() {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    for _ in 1...5 { s.key(.right, after: 0.9) }
    #expect(s.selection == rect(105, 100, 200, 100))
    s.key(.right, after: 1.1)
    #expect(s.selection == rect(106, 100, 200, 100))
    s.run(.undo)
    #expect(s.selection == rect(105, 100, 200, 100))
    s.run(.undo)
    #expect(s.selection == rect(100, 100, 200, 100))
  }

  @Test func `steps of another kind in between end a run of nudges`() {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    s.key(.right)
    s.key(.right, .alt)
    s.key(.right)
    #expect(s.selection == rect(102, 100, 201, 100))
    s.run(.undo)
    #expect(s.selection == rect(101, 100, 201, 100))
    s.run(.undo)
    #expect(s.selection == rect(101, 100, 200, 100))
    s.run(.undo)
    #expect(s.selection == rect(100, 100, 200, 100))
  }

  @Test func `a wheel and an arrow are two steps; the wheel's own detents are one`() {
    var s = Scenario(.studio)
    s.drag(814, 614, to: 614, 414)
    s.wait(2)
    for _ in 1...3 { s.wheel(414, 314, dy: -100) }
    let zoomed = s.selection
    s.key(.right)
    s.run(.undo)
    #expect(s.selection == zoomed)
    s.run(.undo)
    #expect(s.selection == rect(0, 0, 600, 400))
    #expect(s.session.canUndo)
  }

  @Test func `tilts typed a minute apart are two steps, without a frame between`() {
    var s = Scenario(.studio)
    s.send(.command(.tilt(CropAngle(degrees: 3), .once), time: s.time))
    s.send(.command(.tilt(CropAngle(degrees: 4), .once), time: s.time + 0.1))
    s.send(.command(.tilt(CropAngle(degrees: 5), .once), time: s.time + 60))
    s.run(.undo)
    #expect(s.session.tilt.degrees == 4)
    s.run(.undo)
    #expect(s.session.tilt.degrees == 0)
    #expect(!s.session.canUndo)
  }

  @Test func `a gesture that changes nothing is no step`() {
    var s = Scenario(.studio)
    s.drag(414, 314, to: 414, 314)
    s.drag(814, 614, to: 900, 700)
    s.run(.ratio(.free))
    s.run(.selectAll)
    s.run(.tilt(.zero, .once))
    #expect(s.state == SessionState(selection: rect(0, 0, 800, 600)))
  }

  @Test(arguments: CropStyle.allCases)
  func `reset is a step, is announced, and leaves nothing to reset`(style: CropStyle) {
    var s = Scenario(style)
    let first = s.session.recipe
    #expect(!s.session.canReset)
    s.run(.turn(clockwise: true))
    s.run(.ratio(.fixed(.square)))
    s.run(.tilt(CropAngle(degrees: 12), .once))
    s.wheel(414, 314, dy: -100)
    let changed = s.session.recipe
    #expect(s.session.canReset)
    s.run(.reset)
    #expect(s.session.recipe == first)
    #expect(!s.session.canReset)
    #expect(s.announcements.last == .reset)
    #expect(s.session.canUndo && !s.session.canRedo)
    let before = s.state
    s.run(.reset)
    #expect(s.state == before)
    s.run(.undo)
    #expect(s.session.recipe == changed)
    #expect(s.session.canReset)
  }

  @Test(arguments: [CropStyle.viewfinder, .studio])
  func `a selection cleared in a marquee is restored in another style`(style: CropStyle) {
    var s = Scenario(.marquee)
    s.drag(114, 114, to: 314, 214)
    s.run(.clear)
    s.run(.style(style))
    #expect(s.session.canUndo && !s.session.canReset)
    s.run(.undo)
    // A viewfinder shows the largest square of it.
    #expect(s.selection == (style == .studio ? rect(100, 100, 200, 100) : rect(150, 100, 100, 100)))
    s.run(.redo)
    #expect(s.selection == (style == .studio ? rect(0, 0, 800, 600) : rect(100, 0, 600, 600)))
    s.run(.style(.marquee))
    #expect(s.selection == nil)
    s.run(.undo)
    #expect(s.selection == rect(100, 100, 200, 100))
    s.run(.undo)
    #expect(s.selection == nil && !s.session.canUndo)
  }

  @Test func `a style without a selection returns it to one that has one`() {
    var s = Scenario(.marquee)
    s.drag(114, 114, to: 314, 214)
    s.run(.style(.viewfinder))
    s.drag(414, 314, to: 394, 314)
    let panned = s.selection
    #expect(panned != rect(150, 100, 100, 100))
    s.run(.style(.marquee))
    #expect(s.selection == panned)
    s.run(.undo)
    #expect(s.selection == rect(100, 100, 200, 100))
    s.run(.redo)
    #expect(s.selection == panned)
    s.run(.undo)
    s.run(.style(.viewfinder))
    #expect(s.selection == rect(150, 100, 100, 100))
    s.run(.style(.marquee))
    #expect(s.selection == rect(100, 100, 200, 100))
  }

  @Test func `a whole photo drawn by hand is still drawn after another style`() {
    var s = Scenario(.marquee)
    s.run(.selectAll)
    s.run(.style(.viewfinder))
    #expect(!s.session.canReset)
    s.run(.style(.marquee))
    #expect(s.selection == rect(0, 0, 800, 600))
  }

  @Test func `steps that look the same in a style are undone together`() {
    var s = Scenario(.marquee)
    s.run(.selectAll)
    s.run(.clear)
    s.drag(114, 114, to: 314, 214)
    s.run(.style(.viewfinder))
    s.run(.undo)
    #expect(s.selection == rect(100, 0, 600, 600))
    // The complete photo and no selection look the same here.
    #expect(!s.session.canUndo)
    #expect(s.run(.undo).contains(.refused))
    s.run(.redo)
    #expect(s.selection == rect(150, 100, 100, 100))
    #expect(!s.session.canRedo)
    s.run(.style(.marquee))
    for expected in [nil, rect(0, 0, 800, 600), nil] {
      s.run(.undo)
      #expect(s.selection == expected)
    }
    #expect(!s.session.canUndo)
  }

  @Test func `lifting a limit restores the selection before it`() {
    var s = Scenario(.studio)
    s.drag(814, 614, to: 614, 414)
    s.run(.maximumSize(.of(300, 300)))
    #expect(s.selection?.width == 300)
    s.run(.maximumSize(nil))
    #expect(s.selection == rect(0, 0, 600, 400))
    s.run(.undo)
    #expect(s.selection == rect(0, 0, 800, 600))
  }

  @Test func `another picture has no history`() {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    s.run(.focus(.selection))
    let changes = s.session.open(ImageSize(width: 100, height: 50))
    #expect(changes.contains([.scene, .recipe, .history]))
    #expect(s.state == SessionState())
    #expect(s.session.focus == nil)
  }

  @Test func `a restored recipe is a step that can be taken back`() throws {
    var s = Scenario(.studio)
    let recipe = CropRecipe(
      rect: rect(10, 20, 300, 200), quarterTurns: 1, isMirrored: true, shape: .ellipse)
    let changes = try s.session.restore(recipe)
    #expect(changes.contains([.recipe, .history, .scene]))
    #expect(s.session.recipe == recipe)
    #expect(s.session.canUndo && s.session.canReset)
    s.run(.undo)
    #expect(s.state == SessionState(selection: rect(0, 0, 800, 600), canRedo: true))
    // Choosing the current one is not a step.
    s.run(.redo)
    _ = try s.session.restore(recipe)
    s.run(.undo)
    #expect(!s.session.canUndo)
  }

  @Test func `restoring in the middle of a gesture takes what the gesture did as a step`() throws {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    s.time += 1
    s.down(214, 164)
    s.move(234, 164)
    _ = try s.session.restore(CropRecipe(rect: rect(0, 0, 50, 50)))
    s.up(300, 164)
    #expect(s.selection == rect(0, 0, 50, 50))
    s.run(.undo)
    #expect(s.selection == rect(120, 100, 200, 100))
    s.run(.undo)
    #expect(s.selection == rect(100, 100, 200, 100))
  }

  @Test func `a recipe that does not fit is refused and changes nothing`() {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    let before = s.session
    #expect(throws: RecipeError.self) {
      try s.session.restore(CropRecipe(rect: rect(700, 0, 200, 100)))
    }
    #expect(throws: RecipeError.self) {
      try s.session.restore(CropRecipe(rect: rect(0, 0, 10.5, 10)))
    }
    #expect(s.session == before)
    var empty = CropSession()
    #expect(throws: RecipeError.emptyPicture) { try empty.restore(CropRecipe()) }
  }

  @Test func `recipe, session, recipe is the same a thousand times, through view resizes`() throws {
    let image = ImageSize(width: 4000, height: 3000)
    let recipes = [
      CropRecipe(rect: rect(123, 457, 1001, 777)),
      CropRecipe(rect: rect(3, 5, 3, 5), quarterTurns: 3, isMirrored: true),
      CropRecipe(
        rect: rect(1001 + 1.0 / 64, 900 - 3.0 / 64, 1501, 1203), quarterTurns: 2,
        tilt: CropAngle(degrees: 12.3), shape: .roundedRectangle(radius: 24), output: .maxSide(800)),
      CropRecipe(rect: rect(100, 100, 1200, 630), output: .exact(width: 1200, height: 630)),
    ]
    for style in CropStyle.ofRectangles {
      var s = Scenario(style, image.width, image.height)
      for round in 0..<250 {
        for recipe in recipes {
          _ = try s.session.restore(recipe)
          s.resize(Double(100 + round), Double(700 - 2 * round))
          s.resize(0, 0)
          s.resize(828, 628)
          s.run(.undo)
          s.run(.redo)
          let back = try #require(s.session.recipe)
          #expect(back == recipe)
          _ = try s.session.restore(back)
          #expect(s.session.recipe == recipe)
        }
      }
    }
  }
}
