import Testing

@testable import CropCore

/// The position of an 800 × 600 image in a view of 828 × 628, without gestures.
@Suite struct PlacementTests {
  private func parts(_ style: CropStyle) -> (Document, Placement) {
    let editor = SessionEditor(style)
    return (editor.document, editor.placement)
  }

  @Test func `the image rests inside the margin`() {
    let (document, placement) = parts(.marquee)
    #expect(placement.viewport == Viewport(scale: 1, origin: point(14, 14)))
    #expect(placement.cropFrame(of: document) == nil)
  }

  @Test func `moving selects what the crop frame shows`() {
    var (document, placement) = parts(.viewfinder)
    // The frame is 600 × 600, from 114 to 714.
    #expect(placement.cropFrame(of: document) == ViewRect(x: 114, y: 14, width: 600, height: 600))
    placement.move(
      to: placement.viewport.panned(by: ViewVector(dx: 50, dy: 80)), about: point(414, 314),
      zooms: false, &document)
    // There is no room above.
    #expect(placement.viewport == Viewport(scale: 1, origin: point(64, 14)))
    #expect(document.edit.selection == rect(50, 0, 600, 600))
  }

  @Test func `small steps add up although the selection is rounded`() {
    var (document, placement) = parts(.viewfinder)
    for _ in 0..<10 {
      let raw = placement.raw(of: document).panned(by: ViewVector(dx: 0.25, dy: 0))
      placement.move(to: raw, about: point(414, 314), zooms: false, &document)
    }
    #expect(document.edit.selection == rect(98, 0, 600, 600))
  }

  @Test func `an animation starts at the displayed position and ends at the state's`() {
    var (_, placement) = parts(.marquee)
    let start = Viewport(scale: 1, origin: point(114, 14))
    placement.animate(from: start, for: 0.2, .out, at: 5)
    #expect(placement.viewport(at: 5) == start)
    // 1 − (1 − 0.5)³ of the way.
    #expect(near(placement.viewport(at: 5.1).origin.x, 114 - 100 * 0.875, 1e-6))
    #expect(placement.viewport(at: 6) == placement.viewport)
    placement.animate(from: start, for: 0, .out, at: 5)
    #expect(!placement.isMoving)
  }

  @Test func `only a zoomed image scrolls along at the edges of the view`() {
    var (document, placement) = parts(.marquee)
    #expect(placement.scrollSpeed(at: point(0, 300), document) == .zero)
    placement.move(
      to: placement.viewport.zoomed(by: 2, about: point(414, 314)), about: point(414, 314),
      zooms: true, &document)
    #expect(placement.scrollSpeed(at: point(0, 300), document) == ViewVector(dx: 600, dy: 0))
    #expect(placement.scrollSpeed(at: point(414, 314), document) == .zero)
  }
}

extension SessionEditor {
  /// An editor of an 800 × 600 image in a view of 828 × 628: frame (x, y) is shown at view
  /// (x + 14, y + 14).
  init(_ style: CropStyle, selecting rect: FrameRect? = nil) {
    self.init()
    document.settings.style = style
    placement.view = ViewSize(width: 828, height: 628)
    document.open(ImageSize(width: 800, height: 600))
    if let rect { document.select(rect) }
    rest()
  }
}
