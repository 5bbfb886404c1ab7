import Testing

@testable import CropCore

/// The document without a view: edits, rules and history.
@Suite struct DocumentTests {
  private func document(_ style: CropStyle = .marquee, selecting rect: FrameRect? = nil) -> Document
  {
    var document = Document()
    document.settings.style = style
    document.open(ImageSize(width: 400, height: 300))
    if let rect { document.select(rect) }
    return document
  }

  @Test func `opening selects what the style requires, and closing keeps the ratio`() {
    #expect(document().edit.selection == nil)
    #expect(document(.studio).edit.selection == rect(0, 0, 400, 300))
    // A viewfinder without a ratio is square.
    #expect(document(.viewfinder).edit.selection == rect(50, 0, 300, 300))
    #expect(document(.quad).edit.quad == Quad(rect(0, 0, 400, 300)))
    var closed = document(.studio)
    closed.edit.ratio = .fixed(.square)
    closed.close()
    #expect(closed.image == nil && closed.edit.ratio == .fixed(.square) && closed.recipe == nil)
  }

  @Test func `only changes are steps, which can be undone and redone`() {
    var document = document(.studio)
    #expect(!document.step(.command, at: 0) { $0.selectAll() })
    #expect(!document.canUndo)
    #expect(document.step(.command, at: 1) { $0.select(rect(10, 20, 100, 50)) })
    #expect(document.canUndo && document.canReset)
    let isUndone = document.walk(forward: false)
    #expect(isUndone && document.edit.selection == rect(0, 0, 400, 300))
    let isRedone = document.walk(forward: true)
    #expect(isRedone && document.edit.selection == rect(10, 20, 100, 50))
    #expect(!document.canRedo)
  }

  @Test func `turns and mirrors keep the same part selected`() {
    var document = document(selecting: rect(10, 20, 100, 50))
    // 300 − 20 − 50 from the left, 10 from the top.
    document.orient(by: .right)
    #expect(document.frame == .of(300, 400))
    #expect(document.edit.selection == rect(230, 10, 50, 100))
    document.orient(by: .upMirrored)
    #expect(document.edit.selection == rect(20, 10, 50, 100))
    #expect(document.recipe?.orientation == document.edit.orientation)
  }

  @Test func `changing the tilt back restores the selection`() {
    var document = document(selecting: rect(0, 0, 400, 300))
    document.tilt(to: CropAngle(degrees: 10))
    #expect(document.edit.selection?.width ?? 400 < 350)
    document.tilt(to: .zero)
    #expect(document.edit.selection == rect(0, 0, 400, 300))
    #expect(!document.allowsTilt(CropAngle(degrees: 46), in: .up))
  }

  @Test func `four corners have no tilt`() {
    #expect(!document(.quad).allowsTilt(CropAngle(degrees: 1), in: .up))
    #expect(document(.quad).allowsTilt(.zero, in: .right))
  }

  @Test func `what a frame shows is selected, and panning keeps its size`() {
    var document = document(.studio)
    document.select(visible: rect(10.4, 20.2, 99.5, 50), keeping: nil)
    #expect(document.edit.selection == rect(10, 20, 100, 51))
    document.select(visible: rect(11, 21, 99.5, 50), keeping: rect(10, 20, 100, 51))
    #expect(document.edit.selection?.width == 100 && document.edit.selection?.height == 51)
  }
}
