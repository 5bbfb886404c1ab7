import CropCore
import Testing
import UIKit

@testable import CheckedCropUIKit

/// Touches in, delegate calls and recipe out; the image is 800 × 600, one point per pixel, at 14
/// points.
struct CropViewTests {
  private let view = CropView()
  private let listener = Listener()

  private func hand(_ style: CropStyle) -> Hand {
    let hand = Hand(on: view)
    view.style = style
    view.image = .blank(800, 600)
    view.layoutIfNeeded()
    view.delegate = listener
    return hand
  }

  @Test func `a handle dragged by a finger resizes, and the delegate is called for every step`() {
    var hand = hand(.studio)
    #expect(view.recipe == CropRecipe(rect: rect(0, 0, 800, 600)))
    hand.drag(814, 614, to: 614, 414)
    #expect(view.recipe == CropRecipe(rect: rect(0, 0, 600, 400)))
    #expect(listener.recipes.count >= 2 && listener.recipes.last == view.recipe)
    #expect(listener.reported.first == "began" && listener.reported.contains("ended"))
    #expect(view.session.canUndo)
    view.execute(.undo)
    #expect(view.recipe == CropRecipe(rect: rect(0, 0, 800, 600)))
  }

  @Test func `positions are relative to the view, not to the window`() {
    var hand = hand(.marquee)
    view.frame = CGRect(x: 100, y: 50, width: 828, height: 628)
    hand.window.layoutIfNeeded()
    hand.drag(214, 164, to: 414, 264)
    #expect(view.recipe?.rect == rect(100, 100, 200, 100))
  }

  @Test(arguments: [
    (UITouch.TouchType.direct, 22.0), (.pencil, 22.0), (.indirectPointer, 12.0),
  ])
  func `touches of different kinds are distinguished`(type: UITouch.TouchType, reach: Double) {
    var hand = hand(.marquee)
    hand.drag(214, 214, to: 414, 314)
    hand.type = type
    // Just within a finger's reach of the right edge, so it resizes. A pointer's reach is smaller.
    hand.drag(414 + reach - 1, 264, to: 514 + reach - 1, 264)
    #expect(view.recipe?.rect == rect(200, 200, 300, 100))
  }

  @Test func `the secondary button is not the session's`() {
    var hand = hand(.marquee)
    hand.type = .indirectPointer
    hand.down(214, 214, .secondary)
    hand.move(400, 400)
    hand.up(400, 400)
    #expect(view.recipe == nil)
  }

  @Test func `shift keeps the ratio while a touch drags`() {
    var hand = hand(.marquee)
    hand.flags = .shift
    hand.drag(214, 214, to: 414, 300)
    #expect(view.recipe?.rect.map { $0.width == $0.height } == true)
  }

  @Test func `a recipe set before the picture waits for it`() {
    view.recipe = CropRecipe(rect: rect(10, 20, 30, 40), quarterTurns: 1)
    #expect(view.recipe?.quarterTurns == 1)
    _ = hand(.studio)
    #expect(view.recipe == CropRecipe(rect: rect(10, 20, 30, 40), quarterTurns: 1))
  }

  @Test func `a recipe that does not fit changes nothing and is reported`() {
    _ = hand(.studio)
    let before = view.recipe
    view.recipe = CropRecipe(rect: rect(700, 0, 200, 100))
    #expect(view.recipe == before)
    #expect(listener.reported == ["refused"])
  }

  @Test func `no picture, no recipe; another picture restarts with the same settings`()
    async throws
  {
    var hand = hand(.studio)
    view.execute(.ratio(.fixed(.square)))
    hand.drag(400, 300, to: 420, 300)
    view.image = nil
    #expect(view.recipe == nil && !view.session.canUndo)
    #expect(try await view.croppedImage() == nil)
    view.image = .blank(300, 200)
    #expect(view.recipe?.rect == rect(50, 0, 200, 200))
  }

  @Test(arguments: [
    (UIImage.Orientation.up, false), (.down, false), (.left, true), (.right, true),
    (.upMirrored, false), (.downMirrored, false), (.leftMirrored, true), (.rightMirrored, true),
  ])
  func `the picture is upright whatever its orientation`(
    orientation: UIImage.Orientation, isTransposed: Bool
  ) {
    view.image = .blank(40, 30, orientation)
    let size = isTransposed ? rect(0, 0, 30, 40) : rect(0, 0, 40, 30)
    #expect(view.recipe?.rect == size)
  }

  @Test func `pictures stay clear of bars and corners, unless another area was set`() {
    let hand = Hand(on: view, at: CGRect(x: 0, y: 0, width: 428, height: 828))
    view.style = .studio
    view.image = .blank(200, 800)
    view.layoutIfNeeded()
    func picture() -> ViewRect? {
      for case .stroke(let outline, _, .frame) in view.session.scene.items { return outline.rect }
      return nil
    }
    #expect(picture() == ViewRect(x: 114, y: 14, width: 200, height: 800))
    view.safeAreaInsets = UIEdgeInsets(top: 100, left: 0, bottom: 300, right: 0)
    hand.window.layoutIfNeeded()
    #expect(picture() == ViewRect(x: 164, y: 114, width: 100, height: 400))
    view.layoutArea = CGRect(x: 0, y: 0, width: 428, height: 828)
    hand.window.layoutIfNeeded()
    #expect(picture().map { $0.height > 827 } == true)
    view.layoutArea = nil
    view.respectsSafeArea = false
    hand.window.layoutIfNeeded()
    #expect(picture() == ViewRect(x: 114, y: 14, width: 200, height: 800))
  }

  @Test func `every setting outlives the picture`() {
    _ = hand(.viewfinder)
    let settings: [Command] = [
      .cover(.fit), .grid(.golden), .margin(3), .viewfinderTop(0.2), .keepsRatio(true),
      .minimumSize(FrameSize(width: 5, height: 6)), .maximumSize(FrameSize(width: 70, height: 80)),
      .ratio(.fixed(.square)), .shape(.ellipse), .lossless(.outward),
      .guide(.trim(bleed: 0.1)),
    ]
    for setting in settings { view.execute(setting) }
    view.image = nil
    let session = view.session
    #expect(
      session.settings.style == .viewfinder && session.settings.cover == .fit
        && session.settings.grid == .golden)
    #expect(
      session.settings.margin == 3 && session.settings.viewfinderTop == 0.2
        && session.settings.keepsRatio)
    #expect(session.settings.minimum == FrameSize(width: 5, height: 6))
    #expect(session.settings.maximum == FrameSize(width: 70, height: 80))
    #expect(session.ratio == .fixed(.square) && session.shape == .ellipse)
    #expect(session.settings.lossless == .outward)
    #expect(session.settings.guide == .trim(bleed: 0.1))
  }

  @Test func `the display link only runs while the session needs it`() {
    var hand = hand(.viewfinder)
    hand.wait(1, for: view)
    #expect(!view.clock.isRunning)
    for step in 0...3 {
      if step == 0 { hand.down(414, 314) } else { hand.move(414 - 15 * Double(step), 314) }
    }
    hand.up(369, 314, after: 0)
    #expect(view.clock.isRunning)
    hand.wait(4, for: view)
    #expect(!view.clock.isRunning)
  }

  @Test func `a view that leaves its window cancels everything`() {
    var hand = hand(.studio)
    let before = view.recipe
    hand.down(814, 614)
    hand.move(600, 400)
    #expect(view.recipe != before)
    view.removeFromSuperview()
    #expect(view.recipe == before)
    #expect(!view.clock.isRunning && view.pointers.isEmpty)
    // Back in a window, it handles touches again.
    hand.window.addSubview(view)
    hand.drag(814, 614, to: 614, 414)
    #expect(view.recipe?.rect == rect(0, 0, 600, 400))
  }

  @Test func `an enclosing scroll view can scroll next to the image, and not on it`() {
    var hand = Hand(on: view, at: CGRect(x: 0, y: 0, width: 828, height: 1400))
    view.style = .marquee
    view.image = .blank(800, 600)
    view.layoutIfNeeded()
    let pan = UIPanGestureRecognizer()
    hand.window.addGestureRecognizer(pan)
    hand.down(400, 700)
    #expect(!view.gestureRecognizerShouldBegin(pan))
    hand.up(400, 700)
    hand.down(400, 100)
    #expect(view.gestureRecognizerShouldBegin(pan))
    hand.up(400, 100)
    // The view's own recognizers are never blocked.
    #expect(view.gestureRecognizers?.allSatisfy { view.gestureRecognizerShouldBegin($0) } == true)
  }

  @Test func `keys that the session does not use are passed to the next responder`() {
    final class Page: UIView {
      var keys: [String] = []
      override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        keys += presses.compactMap { $0.key?.characters }
      }
    }
    let page = Page(frame: CGRect(x: 0, y: 0, width: 828, height: 628))
    page.addSubview(view)
    let hand = Hand(on: page)
    view.frame = page.bounds
    view.style = .studio
    view.image = .blank(800, 600)
    func press(_ text: String, _ flags: UIKeyModifierFlags = []) {
      let key = UIKey(.keyboardA, text, flags)
      view.pressesBegan([UIPress(key, at: hand.time)], with: nil)
    }
    press("r")
    #expect(view.recipe?.quarterTurns == 1)
    press("z", .command)
    #expect(view.recipe?.quarterTurns == 0)
    press("q")
    press("r", .command)
    #expect(page.keys == ["q", "r"])
  }

  @Test func `Enter asks for the crop`() {
    let hand = hand(.studio)
    let key = UIKey(.keyboardReturnOrEnter, "\r")
    view.pressesBegan([UIPress(key, at: hand.time)], with: nil)
    #expect(listener.reported == ["crop"])
  }

  @Test func `snapping and limits give haptic feedback, unless switched off`() {
    var hand = hand(.marquee)
    view.execute(.minimumSize(FrameSize(width: 50, height: 50)))
    hand.drag(214, 214, to: 414, 334)
    UIFeedbackGenerator.played = []
    hand.drag(314, 264, to: 120, 264)
    #expect(UIFeedbackGenerator.played == ["selection"])
    view.givesHaptics = false
    hand.drag(118, 264, to: 300, 264)
    #expect(UIFeedbackGenerator.played == ["selection"])
    view.givesHaptics = true
    let corner = view.session.elements.first { $0.key == .bottomRight }?.frame.center ?? .zero
    hand.drag(corner.x, corner.y, to: corner.x - 190, corner.y)
    #expect(UIFeedbackGenerator.played == ["selection", "impact"])
  }

  @Test func `reduced motion and right to left follow the user's settings`() {
    let hand = hand(.studio)
    #expect(!view.session.settings.reducesMotion && !view.session.settings.isRightToLeft)
    UIAccessibility.isReduceMotionEnabled = true
    view.semanticContentAttribute = .forceRightToLeft
    view.setNeedsLayout()
    hand.window.layoutIfNeeded()
    #expect(view.session.settings.reducesMotion && view.session.settings.isRightToLeft)
    UIAccessibility.isReduceMotionEnabled = false
  }

  @Test func `names from Interface Builder mean what the web element's mean`() {
    for style in CropStyle.allCases {
      #expect(CropPreset.style(named: CropPreset.name(of: style)) == style)
    }
    #expect(CropPreset.style(named: "?") == .studio)
    #expect(CropPreset.ratio(named: "16:9") == AspectRatio(16, 9).map { .fixed($0) })
    #expect(CropPreset.ratio(named: "square") == .fixed(.square))
    #expect(CropPreset.ratio(named: "1:0") == .free)
    #expect(CropPreset.shape(named: "rounded:24") == .roundedRectangle(radius: 24))
    #expect(CropPreset.shape(named: "rounded:-1") == .rectangle)
    #expect(CropPreset.name(of: .roundedRectangle(radius: 2.5)) == "rounded:2.5")
  }
}
