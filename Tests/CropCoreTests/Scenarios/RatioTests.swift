import Testing

@testable import CropCore

/// Ratios, sizes and limits, and which rule takes precedence.
struct RatioTests {
  private func ratio(_ width: Int, _ height: Int) -> RatioChoice {
    .fixed(AspectRatio(width, height) ?? .square)
  }

  @Test(arguments: [
    (1, 1, rect(100, 0, 600, 600)), (5, 4, rect(25, 0, 750, 600)), (4, 3, rect(0, 0, 800, 600)),
    // 7:5: 114 steps of 7 × 5 are 798 × 570; 3:2: 266 steps; 5:3: 160; 16:9: 50; 16:10 = 8:5: 100.
    (7, 5, rect(1, 15, 798, 570)), (3, 2, rect(1, 34, 798, 532)), (5, 3, rect(0, 60, 800, 480)),
    (16, 9, rect(0, 75, 800, 450)), (16, 10, rect(0, 50, 800, 500)),
    // 21:9 = 7:3: 114 steps are 798 × 342.
    (21, 9, rect(1, 129, 798, 342)), (9, 16, rect(233, 4, 333, 592)),
  ])
  func `every preset is exact, also where it fills the picture`(
    width: Int, height: Int, expected: FrameRect
  ) {
    var s = Scenario(.studio)
    s.run(.ratio(ratio(width, height)))
    #expect(s.selection == expected)
    #expect(s.selection.map { $0.width * Double(height) == $0.height * Double(width) } ?? false)
    #expect(s.announcements.last == .ratio(AspectRatio(width, height)))
    s.run(.ratio(.free))
    #expect(s.selection == expected)
  }

  @Test func `original is the picture's ratio to the nearest pixel, and follows a turn`() {
    var s = Scenario(.marquee, 797, 601)
    s.run(.ratio(.original(isSwapped: false)))
    // Fitted: the scale is 600 / 601; (14, 14) is close to the corner. 200 points are 200.3 pixels.
    s.drag(114, 114, to: 314, 160)
    let selection = s.selection ?? rect(0, 0, 1, 1)
    #expect(abs(selection.height - selection.width * 601 / 797) <= 0.5)
    s.run(.turn(clockwise: true))
    #expect(s.selection?.width == selection.height)
    #expect(s.selection?.height == selection.width)
    s.run(.swapRatio)
    let swapped = s.selection ?? rect(0, 0, 1, 1)
    #expect(swapped.width > swapped.height)
  }

  @Test func `each ratio starts from the selection made by hand, whatever ratios came between`() {
    func tried(_ ratios: [(Int, Int)]) -> FrameRect? {
      var s = Scenario()
      s.drag(114, 114, to: 317, 215)
      for (width, height) in ratios { s.run(.ratio(ratio(width, height))) }
      return s.selection
    }
    #expect(tried([(1, 1), (16, 9), (9, 16), (3, 2)]) == tried([(3, 2)]))
  }

  @Test func `free lets the sides go and leaves the selection, moved since or not`() {
    for isMoved in [false, true] {
      var s = Scenario(.studio)
      s.run(.ratio(.fixed(.square)))
      if isMoved { s.key(.right) }
      let square = s.selection
      s.run(.ratio(.free))
      #expect(s.selection == square)
      // The following is derived from it, not from an earlier one.
      s.run(.tilt(CropAngle(degrees: 5), .once))
      #expect((s.selection?.width ?? 0) <= 600)
      s.run(.tilt(.zero, .once))
      #expect(s.selection == square)
      s.run(.ratio(ratio(3, 2)))
      #expect((s.selection?.width ?? 0) <= 600)
      for _ in 0..<(isMoved ? 5 : 4) { s.run(.undo) }
      #expect(s.selection == rect(0, 0, 800, 600))
    }
  }

  @Test func `portrait for landscape`() {
    var s = Scenario()
    s.run(.ratio(ratio(3, 2)))
    s.drag(114, 114, to: 264, 214)
    #expect(s.selection == rect(100, 100, 150, 100))
    s.run(.swapRatio)
    // 2:3 about (175, 150): the same height as before, 66 × 99 in whole steps.
    #expect(s.session.ratio == ratio(2, 3))
    #expect(s.selection.map { 3 * $0.width == 2 * $0.height } ?? false)
    s.run(.swapRatio)
    #expect(s.selection == rect(100, 100, 150, 100))
    // Without a ratio, the sides are swapped about the middle, as far as there is space.
    s.run(.ratio(.free))
    s.run(.swapRatio)
    #expect(s.selection == rect(125, 75, 100, 150))
    s.run(.selectAll)
    s.run(.swapRatio)
    #expect(s.selection == rect(175, 0, 450, 600))
  }

  @Test func `at the picture's corner a locked ratio shrinks to what fits`() {
    var s = Scenario()
    s.run(.ratio(ratio(3, 2)))
    // 100 × 100 pixels of space: 33 steps of 3 × 2.
    s.drag(714, 514, to: 827, 627)
    #expect(s.selection == rect(700, 500, 99, 66))
  }

  @Test func `a size of the result keeps its ratio and makes the result exactly so large`() {
    var s = Scenario(.studio)
    s.run(.outputSize(.of(1200, 630)))
    // 1200:630 is 40:21, twenty steps of which are 800 × 420.
    #expect(
      s.session.recipe
        == CropRecipe(rect: rect(0, 90, 800, 420), output: .exact(width: 1200, height: 630)))
    #expect(s.announcements.last == .ratio(AspectRatio(40, 21)))
    s.drag(814, 314, to: 614, 314)
    #expect(s.session.recipe?.output == .exact(width: 1200, height: 630))
    #expect(s.selection.map { $0.width * 21 == $0.height * 40 } ?? false)
    s.run(.turn(clockwise: true))
    #expect(s.session.recipe?.output == .exact(width: 630, height: 1200))
    s.run(.swapRatio)
    #expect(s.session.recipe?.output == .exact(width: 1200, height: 630))
    s.run(.outputSize(nil))
    #expect(s.session.recipe?.output == nil)
    #expect(s.session.ratio == ratio(40, 21))
    for size in [FrameSize.of(0, 10), .of(65_536, 10), .of(-1, -1)] {
      #expect(s.run(.outputSize(size)).contains(.refused))
    }
    s.run(.undo)
    #expect(s.session.recipe?.output == .exact(width: 1200, height: 630))
  }

  @Test func `a largest side is not lost with another ratio`() throws {
    var s = Scenario(.studio)
    _ = try s.session.restore(CropRecipe(output: .maxSide(400)))
    s.run(.ratio(.fixed(.square)))
    #expect(s.session.recipe?.output == .maxSide(400))
  }

  @Test func `a longest side limits the result, in any ratio, and takes an exact size's place`() {
    var s = Scenario(.studio)
    s.run(.longestSide(400))
    #expect(s.session.recipe?.output == .maxSide(400))
    #expect(s.session.outputSize == .maxSide(400))
    s.run(.ratio(.fixed(.square)))
    #expect(s.session.recipe?.output == .maxSide(400))
    s.run(.outputSize(.of(1200, 630)))
    s.run(.longestSide(1600))
    #expect(s.session.recipe?.output == .maxSide(1600))
    #expect(s.session.ratio == ratio(40, 21))
    s.run(.longestSide(nil))
    #expect(s.session.recipe?.output == nil)
    s.run(.undo)
    #expect(s.session.recipe?.output == .maxSide(1600))
    for side in [0, -1, 65_536] { #expect(s.run(.longestSide(side)).contains(.refused)) }
  }

  @Test func `a shape is announced`() {
    var s = Scenario(.studio)
    s.run(.shape(.ellipse))
    #expect(s.announcements.last == .shape(.ellipse))
  }

  @Test func `a ratio and a shape may be chosen before there is a picture`() {
    let s = Scenario(.studio, before: [.ratio(.fixed(.square)), .shape(.ellipse)])
    #expect(s.state == SessionState(selection: rect(100, 0, 600, 600)))
    #expect(s.session.recipe?.shape == .ellipse)
  }

  // MARK: Limits

  @Test func `handles stop at the smallest and the largest size`() {
    var s = Scenario(before: [.minimumSize(.of(150, 80)), .maximumSize(.of(300, 200))])
    s.drag(114, 114, to: 314, 214)
    #expect(s.selection == rect(100, 100, 200, 100))
    // The bottom-right corner, far out: the opposite corner stays.
    s.drag(314, 214, to: 800, 600)
    #expect(s.selection == rect(100, 100, 300, 200))
    s.drag(414, 314, to: 120, 120)
    #expect(s.selection == rect(100, 100, 150, 80))
    // The left edge stops at the right one.
    s.drag(114, 154, to: 240, 154)
    #expect(s.selection == rect(100, 100, 150, 80))
  }

  @Test func `a drawn rectangle below the smallest size grows from where drawing began`() {
    var s = Scenario(before: [.minimumSize(.of(150, 80))])
    s.drag(114, 114, to: 134, 134)
    #expect(s.selection == rect(100, 100, 150, 80))
    // If there is no space, it slides inside.
    s.drag(804, 604, to: 812, 612)
    #expect(s.selection == rect(650, 520, 150, 80))
  }

  @Test func `the largest size wins over the smallest, which is announced`() {
    var s = Scenario(before: [.minimumSize(.of(400, 400)), .maximumSize(.of(300, 300))])
    s.drag(114, 114, to: 214, 214)
    #expect(s.selection == rect(100, 100, 300, 300))
    #expect(s.session.violatedRule == .minimum)
    #expect(s.announcements.last == .violatedRule(.minimum))
  }

  @Test func `the smallest size wins over the ratio, which is announced`() {
    var s = Scenario(before: [.minimumSize(.of(200, 200)), .maximumSize(.of(250, 250))])
    s.drag(114, 114, to: 334, 334)
    #expect(s.session.violatedRule == nil)
    // 3:2 would need a width of 300 for a height of 200.
    s.run(.ratio(ratio(3, 2)))
    let selection = s.selection ?? rect(0, 0, 1, 1)
    #expect((200...250).contains(selection.width) && (200...250).contains(selection.height))
    #expect(s.session.violatedRule == .ratio)
    #expect(s.announcements.last == .violatedRule(.ratio))
  }

  @Test func `the violated rule is known after every input`() throws {
    var s = Scenario(before: [.maximumSize(.of(250, 250))])
    s.run(.ratio(ratio(3, 2)))
    s.drag(114, 114, to: 234, 194)
    #expect(s.selection == rect(100, 100, 120, 80))
    #expect(s.session.violatedRule == nil)
    // 3:2 would need a width of 300 for a height of 200.
    s.run(.minimumSize(.of(200, 200)))
    #expect(s.session.violatedRule == .ratio)
    s.key(.right)
    #expect(s.session.violatedRule == .ratio)
    s.run(.ratio(.free))
    #expect(s.session.violatedRule == nil)
    s.run(.undo)
    #expect(s.session.violatedRule == .ratio)
    s.key(.z, [.command, .shift])
    #expect(s.session.violatedRule == nil)
    s.run(.undo)
    s.run(.clear)
    #expect(s.session.violatedRule == nil)
    s.run(.undo)
    s.run(.minimumSize(nil))
    #expect(s.session.violatedRule == nil)
    s.key(.right)
    #expect(s.announcements.last == s.selection.map { .selection($0) })
  }

  @Test(arguments: CropStyle.ofRectangles)
  func `a ratio that was violated because of limits is kept again without them`(style: CropStyle)
    throws
  {
    var s = Scenario(
      style, 4000, 3000, before: [.minimumSize(.of(1000, 1000)), .maximumSize(.of(1500, 1500))])
    s.run(.ratio(ratio(16, 9)))
    s.run(.selectAll)
    s.run(.set(.width, 1200))
    #expect(s.session.violatedRule == .ratio)
    s.run(.minimumSize(nil))
    s.run(.maximumSize(nil))
    let selection = try #require(s.selection)
    #expect(9 * selection.width == 16 * selection.height)
    #expect(s.session.violatedRule == nil)
  }

  @Test(arguments: CropStyle.ofRectangles)
  func `a recipe beyond the limits is brought within them`(style: CropStyle) throws {
    var s = Scenario(style, 4000, 3000, before: [.maximumSize(.of(500, 400))])
    _ = try s.session.restore(CropRecipe(rect: rect(100, 100, 1000, 1000)))
    let selection = try #require(s.selection)
    #expect(selection.width <= 500 && selection.height <= 400)
    #expect(s.session.violatedRule == nil)
    s.run(.maximumSize(nil))
    s.run(.minimumSize(.of(600, 300)))
    _ = try s.session.restore(CropRecipe(rect: rect(100, 100, 400, 200)))
    #expect(s.selection.map { $0.width >= 600 && $0.height >= 300 } ?? false)
    // One that fits is unchanged.
    let fits = CropRecipe(rect: rect(11, 13, 601, 307))
    for _ in 1...1000 {
      _ = try s.session.restore(fits)
      #expect(s.session.recipe == fits)
    }
  }

  @Test func `a limit set later applies immediately, also to the history, and is not a step`() {
    var s = Scenario(.studio)
    s.run(.maximumSize(.of(300, 300)))
    #expect(s.state == SessionState(selection: rect(250, 150, 300, 300)))
    s.run(.maximumSize(nil))
    #expect(s.state == SessionState(selection: rect(0, 0, 800, 600)))
    s.drag(814, 614, to: 614, 414)
    s.drag(614, 414, to: 514, 314)
    s.run(.maximumSize(.of(550, 550)))
    #expect(s.selection == rect(0, 0, 500, 300))
    s.run(.undo)
    #expect(s.selection.map { $0.width <= 550 && $0.height <= 550 } ?? false)
    s.run(.reset)
    #expect(s.selection.map { $0.width == 550 && $0.height == 550 } ?? false)
    #expect(!s.session.canReset)
  }

  @Test(arguments: [CropStyle.studio, .viewfinder])
  func `zooming stops at the smallest and the largest size`(style: CropStyle) {
    var s = Scenario(style, before: [.minimumSize(.of(200, 200)), .maximumSize(.of(500, 500))])
    for _ in 1...20 { s.wheel(414, 314, dy: -100) }
    #expect(s.selection.map { min($0.width, $0.height) == 200 } ?? false)
    for _ in 1...20 { s.wheel(414, 314, dy: 100) }
    #expect(s.selection.map { max($0.width, $0.height) == 500 } ?? false)
  }

  // MARK: Numbers

  @Test func `numbers set one side and keep the others`() {
    var s = Scenario()
    s.drag(114, 114, to: 314, 214)
    s.run(.set(.x, 250))
    #expect(s.selection == rect(250, 100, 200, 100))
    s.run(.set(.y, 999))
    #expect(s.selection == rect(250, 500, 200, 100))
    s.run(.set(.width, 120))
    #expect(s.selection == rect(250, 500, 120, 100))
    s.run(.set(.height, 0))
    #expect(s.selection == rect(250, 500, 120, 1))
    #expect(s.announcements.last == .selection(rect(250, 500, 120, 1)))
    s.run(.ratio(ratio(3, 2)))
    s.run(.set(.width, 90))
    #expect(s.selection.map { $0.width == 90 && $0.height == 60 } ?? false)
    s.run(.clear)
    #expect(s.run(.set(.x, 1)).contains(.refused))
  }
}
