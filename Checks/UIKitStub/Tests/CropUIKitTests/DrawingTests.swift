import CropCore
import Testing
import UIKit

@testable import CheckedCropSamples
@testable import CheckedCropUIKit

/// The scene as layers.
struct DrawingTests {
  private let view = CropView()

  private func hand(_ style: CropStyle = .marquee) -> Hand {
    let hand = Hand(on: view)
    view.style = style
    view.image = .blank(800, 600)
    view.layoutIfNeeded()
    return hand
  }

  /// The visible shape layers, in drawing order.
  private var shapes: [CAShapeLayer] {
    (view.layers.marks.root.sublayers ?? []).compactMap { $0 as? CAShapeLayer }
      .filter { !$0.isHidden }
  }

  @Test func `an event moves the picture's layer without redrawing it`() {
    var hand = hand(.viewfinder)
    let drawn = view.layers.picture.contentsSet
    let before = view.layers.picture.affineTransform()
    hand.down(414, 314)
    for step in 1...20 { hand.move(414 - Double(step), 314) }
    #expect(view.layers.picture.affineTransform() != before)
    #expect(view.layers.picture.contentsSet == drawn)
    #expect(view.layers.picture.contents != nil)
  }

  @Test func `the picture's layer has the picture's pixels for its space`() {
    _ = hand()
    #expect(view.layers.picture.bounds == CGRect(x: 0, y: 0, width: 800, height: 600))
    #expect(
      view.layers.picture.affineTransform()
        == CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 14, ty: 14))
  }

  @Test func `the area outside the selection is shaded, on the picture only`() throws {
    var hand = hand()
    hand.drag(114, 114, to: 314, 214)
    hand.wait(2, for: view)
    let shade = try #require(shapes.first { $0.fillRule == .evenOdd })
    #expect(abs(shade.opacity - 0.65) < 1e-6)
    #expect(
      shade.path?.parts == [
        .rect(view.bounds), .rect(CGRect(x: 114, y: 114, width: 200, height: 100)),
      ])
    let edge = (shade.mask as? CAShapeLayer)?.path?.parts.first
    #expect(edge == .move(CGPoint(x: 14, y: 14)))
    // The shade is lighter during a gesture.
    hand.down(200, 150)
    hand.wait(0.2, for: view)
    #expect(abs((shapes.first { $0.fillRule == .evenOdd }?.opacity ?? 0) - 0.35) < 1e-6)
  }

  @Test func `lines and marks share a handful of layers, used again`() {
    var hand = hand()
    hand.drag(114, 114, to: 314, 214)
    hand.wait(2, for: view)
    #expect(shapes.count <= 6)
    let layers = view.layers.marks.root.sublayers?.count
    for step in 0..<50 {
      hand.drag(200, 150, to: 202 + Double(step % 3), 150)
      hand.wait(1, for: view)
    }
    #expect((view.layers.marks.root.sublayers?.count ?? 0) <= (layers ?? 0) + 3)
  }

  @Test func `where edges snap to a JPEG's grid its lines are drawn across the cut`() throws {
    var hand = hand()
    let grid = JPEGGrid(size: BitmapSize(width: 800, height: 600), cellWidth: 16, cellHeight: 8)
    view.apply(view.session.setJPEG(StoredJPEG(grid: grid, orientation: .up)))
    hand.drag(114, 114, to: 314, 214)
    hand.wait(2, for: view)
    let lines = { shapes.first { $0.strokeColor?.components == [1, 1, 1, 0.22] } }
    #expect(lines() == nil, "edges stay where they are")
    view.execute(.lossless(.outward))
    hand.wait(1, for: view)
    // 100 to 300 pixels extend outward to 96 and 304, and 100 to 200 to 96 and 200; the image is at
    // 14.
    var expected: [CGPath.Part] = []
    for x in stride(from: 110.0, through: 318, by: 16) {
      expected += [.move(CGPoint(x: x, y: 110)), .line(CGPoint(x: x, y: 214))]
    }
    for y in stride(from: 110.0, through: 214, by: 8) {
      expected += [.move(CGPoint(x: 110, y: y)), .line(CGPoint(x: 318, y: y))]
    }
    let drawn = try #require(lines())
    #expect(drawn.path?.parts == expected)
    #expect(drawn.lineWidth == 1 && drawn.fillColor == nil)
    // Above the shade, below the frame.
    let place = try #require(shapes.firstIndex { $0 === drawn })
    #expect(shapes.firstIndex { $0.fillRule == .evenOdd } == place - 1)
    view.execute(.lossless(.exact))
    hand.wait(1, for: view)
    #expect(lines() == nil)
  }

  @Test func `without a selection, nothing of the scene remains`() {
    var hand = hand()
    hand.drag(114, 114, to: 314, 214)
    view.execute(.clear)
    hand.wait(1, for: view)
    #expect(shapes.isEmpty && view.layers.label.isHidden)
    view.image = nil
    view.layoutIfNeeded()
    #expect(view.layers.picture.isHidden && view.layers.picture.contents == nil)
  }

  @Test func `the label shows the size in the user's number format`() {
    var hand = hand()
    view.words = .english
    view.execute(.ratio(.fixed(.square)))
    hand.drag(114, 114, to: 314, 314)
    #expect(view.layers.label.text == "\u{2066}200 × 200 · 1:1\u{2069}")
    view.words.locale = Locale(identifier: "de")
    #expect(
      view.words.text(of: .size(FrameSize(width: 2418, height: 1612), nil)).contains(
        "2.418 × 1.612"))
    #expect(view.words.text(of: .angle(CropAngle(degrees: -0.01))) == "0,0°")
  }

  @Test func `a guide tints areas, draws lines and names them, without a change of the crop`()
    throws
  {
    var hand = hand(.studio)
    view.words = .english
    view.execute(.ratio(.fixed(.square)))
    hand.wait(1, for: view)
    let (recipe, layers) = (view.recipe, shapes.count)
    let canUndo = view.session.canUndo
    view.guide = try #require(CropGuide(named: "passport-us"))
    hand.wait(1, for: view)
    #expect(view.layers.notes.texts == ["Top of head", "Eyes", "Chin"])
    let areas = shapes.filter { $0.opacity == Float(view.look.guideOpacity) }
    // Each area is followed by its lines; those of the last one are in a layer with the oval's.
    #expect(areas.count == 3 && shapes.count == layers + 3 * 3)
    #expect(areas.allSatisfy { $0.fillColor?.components == view.look.guide.cgColor.components })
    // The crop is 600 points wide, in the middle of 828: the top of the head is from 3.125% of it.
    let frame = try #require(areas.first?.path?.parts.first)
    #expect(frame == .move(CGPoint(x: 114, y: 14 + 18.75)))
    #expect(view.recipe == recipe && view.session.canUndo == canUndo)
    view.words = .german
    hand.wait(1, for: view)
    #expect(view.layers.notes.texts == ["Oberkopf", "Augen", "Kinn"])
    view.guide = .trim(bleed: 0.03)
    hand.wait(1, for: view)
    #expect(view.layers.notes.texts == ["Schnittkante", "Sicher vor dem Schnitt"])
    view.guide = CropGuide()
    hand.wait(1, for: view)
    #expect(view.layers.notes.texts.isEmpty && shapes.count == layers)
  }

  @Test func `a screen and an editor in SwiftUI have a guide too`() throws {
    let guide = try #require(CropGuide(named: "tiktok"))
    let screen = CropViewController(image: .blank(90, 160))
    screen.guide = guide
    #expect(screen.cropView.guide == guide && screen.guide == guide)
    let editor = CropEditor(image: .blank(90, 160), session: CropEditorSession()).cropGuide(guide)
    editor.update(view, editor.makeCoordinator())
    #expect(view.session.settings.guide == guide)
  }

  @Test func `dark surroundings change the colors`() {
    _ = hand()
    func accent(_ style: UIUserInterfaceStyle) -> [CGFloat]? {
      CropLook().accent.resolved(UITraitCollection(userInterfaceStyle: style)).components
    }
    #expect(accent(.dark) != accent(.light))
    view.traitCollection = UITraitCollection(userInterfaceStyle: .dark)
    view.look = .clipScreen
    #expect(view.backgroundColor?.cgColor.components == [0, 0, 0, 1])
    #expect(view.layers.traits.userInterfaceStyle == .dark)
  }

  @Test func `the lens follows the finger that holds a handle`() {
    var hand = hand()
    hand.drag(114, 114, to: 314, 214)
    hand.down(314, 214)
    hand.move(320, 220)
    hand.move(330, 230)
    #expect(!view.layers.lens.root.isHidden)
    #expect(view.layers.lens.root.position == CGPoint(x: 330, y: 130))
    // The corner, at (314, 214), magnified 2.5 times in the middle of the lens.
    let map = view.layers.lens.picture.affineTransform()
    #expect(map.a == 2.5)
    hand.up(330, 230)
    #expect(view.layers.lens.root.isHidden)
  }

  @Test func `pixels are shown as squares when zoomed in`() {
    _ = hand(.studio)
    #expect(view.layers.picture.magnificationFilter == .linear)
    view.execute(.zoom(6))
    view.layoutIfNeeded()
    #expect(view.session.zoom > 2)
    view.execute(.reduceMotion(true))
    view.execute(.zoom(6))
    view.layoutIfNeeded()
    #expect(view.layers.picture.magnificationFilter == .nearest)
  }
}
