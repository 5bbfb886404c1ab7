import CropCore
import Testing

/// A session's canvas around the result.
struct CanvasSessionTests {
  private let square = FilledCanvas(CropCanvas(extent: .ratio(.square)), fill: .blur)

  private func session(_ style: CropStyle = .studio) -> CropSession {
    var session = CropSession(style: style)
    _ = session.handle(.resize(ViewSize(width: 828, height: 628)))
    session.open(ImageSize(width: 4000, height: 3000))
    _ = session.handle(.command(.reduceMotion(true)))
    return session
  }

  private func fit(_ session: inout CropSession, _ canvas: FilledCanvas?) -> Changes {
    session.handle(.command(.canvas(canvas, movesRatio: true)))
  }

  @Test func `fitting a ratio frees the frame, takes the whole picture and is one step`() throws {
    var session = session()
    _ = session.handle(.command(.ratio(.fixed(.square))))
    let before = session.recipe
    let changes = fit(&session, square)
    #expect(changes.isSuperset(of: [.recipe, .scene, .history]))
    #expect(session.canvas == square)
    #expect(session.ratio == .free)
    #expect(session.recipe?.rect == FrameRect(x: 0, y: 0, width: 4000, height: 3000))
    let layout = try #require(session.canvasLayout)
    #expect(layout.size == FrameSize(width: 4000, height: 4000))
    #expect(layout.crop == PixelRect(x: 0, y: 500, width: 4000, height: 3000))
    _ = session.handle(.command(.undo))
    #expect(session.canvas == nil)
    #expect(session.recipe == before)
    #expect(session.ratio == .fixed(.square))
    _ = session.handle(.command(.redo))
    #expect(session.canvas == square)
  }

  @Test func `a frame of another ratio stays as it was made`() throws {
    var session = session()
    _ = try session.restore(CropRecipe(rect: FrameRect(x: 100, y: 200, width: 1000, height: 500)))
    _ = fit(&session, square)
    #expect(session.recipe?.rect == FrameRect(x: 100, y: 200, width: 1000, height: 500))
    #expect(session.canvasLayout?.size == FrameSize(width: 1000, height: 1000))
  }

  @Test func `filling gives the frame the canvas's ratio back`() throws {
    var session = session()
    let wide = try #require(AspectRatio(16, 9))
    _ = fit(&session, FilledCanvas(CropCanvas(extent: .ratio(wide))))
    _ = fit(&session, nil)
    #expect(session.canvas == nil)
    #expect(session.ratio == .fixed(wide))
    #expect(session.recipe?.rect?.width == 4000)
    #expect(session.recipe?.rect?.height == 2250)
  }

  @Test func `without moving the ratio, frame and ratio stay`() {
    var session = session()
    _ = session.handle(.command(.ratio(.fixed(.square))))
    let before = session.recipe
    _ = session.handle(.command(.canvas(square, movesRatio: false)))
    #expect(session.recipe == before)
    #expect(session.ratio == .fixed(.square))
  }

  @Test(arguments: [CropStyle.studio, .marquee, .viewfinder])
  func `the canvas is shown around the frame, inside the view`(style: CropStyle) throws {
    var session = session(style)
    if style == .marquee { _ = session.handle(.command(.selectAll)) }
    _ = fit(&session, FilledCanvas(CropCanvas(extent: .ratio(.square), gravity: .north)))
    var found: (canvas: ViewRect, crop: ViewRect)?
    for case .canvas(let canvas, let outline) in session.scene.items {
      found = (canvas, outline.rect)
    }
    let (canvas, crop) = try #require(found)
    #expect(abs(canvas.width - canvas.height) < 0.01)
    #expect(canvas.y >= 0 && canvas.maxY <= 628 && canvas.x >= 0 && canvas.maxX <= 828)
    #expect(abs(crop.y - canvas.y) < 0.01)
    #expect(abs(crop.width - canvas.width) < 0.01)
    #expect(abs(crop.height - canvas.height * 0.75) < 0.5)
  }

  @Test func `a canvas that shows nothing is not drawn`() {
    var session = session()
    _ = session.handle(
      .command(.canvas(FilledCanvas(CropCanvas(extent: .crop)), movesRatio: false)))
    for case .canvas in session.scene.items { Issue.record("there is nothing of it to see") }
  }

  @Test func `a crop on a canvas is not lossless; one that fills it is`() throws {
    var session = session()
    let grid = JPEGGrid(
      size: BitmapSize(width: 4000, height: 3000), cellWidth: 16, cellHeight: 16)
    session.setJPEG(StoredJPEG(grid: grid, orientation: .up))
    #expect(session.isLossless)
    _ = session.handle(.command(.canvas(square, movesRatio: false)))
    #expect(!session.isLossless)
    let same = try #require(AspectRatio(4, 3))
    _ = session.handle(
      .command(.canvas(FilledCanvas(CropCanvas(extent: .ratio(same))), movesRatio: false)))
    #expect(session.isLossless)
  }

  @Test(arguments: [
    CropCanvas(extent: .size(FrameSize(width: 70_000, height: 10))),
    CropCanvas(extent: .size(FrameSize(width: 0, height: 10))),
    CropCanvas(extent: .crop, margin: .percent(50)), CropCanvas(extent: .crop, margin: .pixels(-1)),
    CropCanvas(extent: .crop, margin: .pixels(.nan)),
  ])
  func `an invalid canvas is rejected`(canvas: CropCanvas) {
    var session = session()
    let before = session
    #expect(fit(&session, FilledCanvas(canvas)).contains(.refused))
    #expect(session.canvas == before.canvas)
    #expect(session.recipe == before.recipe)
  }

  @Test func `consecutive colors are one step`() {
    var session = session()
    _ = fit(&session, FilledCanvas(CropCanvas(extent: .ratio(.square))))
    for red in 0..<5 {
      let color = Background(red: UInt8(red), green: 0, blue: 0)
      _ = session.handle(
        .command(
          .canvas(
            FilledCanvas(CropCanvas(extent: .ratio(.square)), fill: .color(color)),
            movesRatio: false),
          time: 1 + Double(red) / 10))
    }
    _ = session.handle(.command(.undo))
    #expect(session.canvas?.fill == .color(.white))
  }

  @Test func `a recipe leaves the canvas, another picture keeps it`() throws {
    var session = session()
    _ = fit(&session, square)
    _ = try session.restore(CropRecipe(rect: FrameRect(x: 0, y: 0, width: 10, height: 20)))
    #expect(session.canvas == square)
    session.open(ImageSize(width: 50, height: 40))
    #expect(session.canvas == square)
    #expect(!session.canUndo)
  }
}
