import CropCore
import Testing

/// A session's information about the JPEG in which its image is stored.
struct JPEGTests {
  private static let grid = JPEGGrid(
    size: BitmapSize(width: 400, height: 300), cellWidth: 16, cellHeight: 8)

  private func session(
    _ orientation: Orientation = .up, _ mode: LosslessMode = .exact
  ) -> CropSession {
    var session = CropSession(style: .marquee)
    let jpeg = StoredJPEG(grid: Self.grid, orientation: orientation)
    session.open(jpeg.imageSize)
    _ = session.handle(.resize(ViewSize(width: 428, height: 428)))
    session.setJPEG(jpeg)
    _ = session.handle(.command(.lossless(mode)))
    return session
  }

  private func select(
    _ session: inout CropSession, _ x: Double, _ y: Double, _ width: Double, _ height: Double
  ) throws {
    var recipe = session.recipe ?? CropRecipe()
    recipe.rect = FrameRect(x: x, y: y, width: width, height: height)
    _ = try session.restore(recipe)
  }

  private func label(_ session: CropSession) -> FrameSize? {
    for case .label(.size(let size, _), _) in session.scene.items { return size }
    return nil
  }

  @Test func `a selection on the grid is lossless, one off it only where edges snap`() throws {
    for mode in LosslessMode.allCases {
      var session = session(.up, mode)
      #expect(!session.isLossless, "nothing is selected")
      try select(&session, 16, 8, 32, 16)
      #expect(session.isLossless == (mode != .never))
      try select(&session, 17, 9, 32, 16)
      #expect(session.isLossless == (mode == .outward || mode == .snap))
      let stays = mode == .exact || mode == .strict
      #expect(session.jpegPlan?.obstacle == (stays ? .offGrid : nil))
      #expect(
        session.resultSize
          == FrameSize(width: mode == .outward ? 48 : 32, height: mode == .outward ? 24 : 16))
      #expect(label(session) == session.resultSize)
    }
  }

  @Test func `a selection whose last blocks are quantized again is not called lossless`() throws {
    for mode in [LosslessMode.exact, .snap, .strict] {
      var session = session(.up, mode)
      try select(&session, 16, 8, 30, 11)
      #expect(!session.isLossless)
      #expect(session.jpegPlan?.way == (mode == .strict ? .reencoded : .lossless))
    }
  }

  @Test func `a tilt, an outline and a new size need new pixels`() throws {
    var session = session(.up, .outward)
    try select(&session, 16, 8, 160, 80)
    _ = session.handle(.command(.shape(.ellipse)))
    #expect(!session.isLossless && session.jpegPlan == nil)
    _ = session.handle(.command(.undo))
    #expect(session.isLossless)
    _ = session.handle(.command(.longestSide(100)))
    #expect(!session.isLossless)
    _ = session.handle(.command(.longestSide(nil)))
    _ = session.handle(.command(.tilt(CropAngle(degrees: 2), .once)))
    #expect(!session.isLossless)
    for case .blocks in session.scene.items { Issue.record("no lines under a tilt") }
  }

  @Test(arguments: Orientation.allCases, Orientation.allCases)
  func `lines lie where the JPEG's blocks meet, however it is turned`(
    flag: Orientation, turn: Orientation
  ) throws {
    var session = session(flag, .outward)
    var recipe = CropRecipe()
    recipe.orientation = turn
    _ = try session.restore(recipe)
    try select(&session, 33, 35, 101, 103)
    let plan = try #require(session.jpegPlan)
    #expect(plan.way == .lossless && plan.flag == flag.followed(by: turn))
    var found = 0
    for case .blocks(let rect, let first, let step) in session.scene.items {
      found += 1
      // The crop's edges are such lines; the view shows at most 400 pixels in 428 points.
      let isTransposed = plan.flag.isTransposing
      let scale = rect.width / Double(plan.frameRect.width)
      #expect(abs(step.dx - (isTransposed ? 8 : 16) * scale) < 1e-9)
      #expect(abs(step.dy - (isTransposed ? 16 : 8) * scale) < 1e-9)
      func isLine(_ place: Double, _ first: Double, _ step: Double) -> Bool {
        let count = (place - first) / step
        return abs(count - count.rounded()) < 1e-6
      }
      // On two sides, the crop may end at the image's border instead.
      let edges = [
        isLine(rect.minX, first.x, step.dx), isLine(rect.maxX, first.x, step.dx),
        isLine(rect.minY, first.y, step.dy), isLine(rect.maxY, first.y, step.dy),
      ]
      #expect(edges.allSatisfy { $0 })
      #expect(first.x >= rect.minX - 1e-9 && first.x < rect.minX + step.dx)
    }
    #expect(found == 1)
  }

  @Test func `a JPEG of another size is refused, another picture forgets it`() {
    var session = session()
    let other = StoredJPEG(grid: Self.grid, orientation: .right)
    #expect(session.setJPEG(other) == .refused)
    #expect(session.jpeg != nil)
    session.open(ImageSize(width: 400, height: 300))
    #expect(session.jpeg == nil)
  }
}
