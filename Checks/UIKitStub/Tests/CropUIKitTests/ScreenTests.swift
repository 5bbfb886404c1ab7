import CropCore
import Testing
import UIKit

@testable import CheckedCropSamples
@testable import CheckedCropUIKit

/// The square cropper and the clip screen, whose viewfinders are positioned by constraints.
struct ScreenTests {
  private func layOut(_ screen: UIViewController, _ width: Double, _ height: Double) {
    screen.view.frame = CGRect(x: 0, y: 0, width: width, height: height)
    for _ in 0..<2 { screen.view.layoutIfNeeded() }
  }

  private func outline(_ view: CropView) -> ViewRect? {
    for case .stroke(let outline, _, .frame) in view.session.scene.items { return outline.rect }
    return nil
  }

  @Test func `square: the viewfinder is as large as the smaller side, blockers fill the rest`() {
    let screen = SquareCropViewController()
    screen.image = .blank(800, 600)
    layOut(screen, 400, 700)
    #expect(screen.viewfinderGuide.layoutFrame == CGRect(x: 0, y: 150, width: 400, height: 400))
    #expect(
      screen.blockers.map(\.frame) == [
        CGRect(x: 0, y: 0, width: 400, height: 150), CGRect(x: 0, y: 150, width: 0, height: 400),
        CGRect(x: 0, y: 550, width: 400, height: 150),
        CGRect(x: 400, y: 150, width: 0, height: 400),
      ])
    #expect(outline(screen.cropView) == ViewRect(x: 0, y: 150, width: 400, height: 400))
    // They shade, in any color, and the scene does not.
    #expect(
      screen.blockers.allSatisfy { $0.backgroundColor != nil && !$0.isUserInteractionEnabled })
    #expect(screen.cropView.look.shadeOpacity == 0)
    // The shorter side fits the viewfinder.
    #expect(screen.cropView.recipe?.rect == rect(100, 0, 600, 600))
  }

  @Test func `square: turning the device keeps the same part in the viewfinder`() {
    let screen = SquareCropViewController()
    screen.image = .blank(800, 600)
    layOut(screen, 400, 700)
    var hand = Hand(on: screen.view, at: CGRect(x: 0, y: 0, width: 400, height: 700))
    hand.drag(200, 350, to: 240, 350)
    hand.wait(1, for: screen.cropView)
    let part = screen.cropView.recipe
    #expect(part?.rect == rect(40, 0, 600, 600))
    layOut(screen, 700, 400)
    #expect(outline(screen.cropView) == ViewRect(x: 150, y: 0, width: 400, height: 400))
    #expect(screen.cropView.recipe == part)
    layOut(screen, 400, 700)
    #expect(screen.cropView.recipe == part)
  }

  @Test func `square: other constraints move the viewfinder, and the scene with it`() {
    final class Higher: SquareCropViewController {
      override func viewfinderConstraints() -> [NSLayoutConstraint] {
        [
          viewfinderGuide.topAnchor.constraint(equalTo: view.topAnchor, constant: 20),
          viewfinderGuide.leftAnchor.constraint(equalTo: view.leftAnchor, constant: 50),
          viewfinderGuide.widthAnchor.constraint(equalToConstant: 200),
          viewfinderGuide.heightAnchor.constraint(equalTo: viewfinderGuide.widthAnchor),
        ]
      }
    }
    let screen = Higher()
    screen.image = .blank(800, 600)
    layOut(screen, 400, 700)
    #expect(outline(screen.cropView) == ViewRect(x: 50, y: 20, width: 200, height: 200))
  }

  @Test func `square: on a navigation controller Cancel and Crop are in the bar`() async {
    let screen = SquareCropViewController()
    let bar = UINavigationController(rootViewController: screen)
    screen.image = .blank(80, 60)
    layOut(screen, 400, 700)
    var results: [CGSize?] = []
    screen.onFinish = { results.append($0?.size) }
    screen.navigationItem.leftBarButtonItem?.tap()
    #expect(results == [nil] && bar.viewControllers.count == 1)
    #expect(screen.view.subviews.allSatisfy { !($0 is UIButton) })
    #expect(await screen.crop()?.size == CGSize(width: 60, height: 60))
  }

  @Test
  func `square: presented without navigation, it has Cancel, Turn and Crop, closes, then notifies`()
    async
  {
    let presenter = UIViewController()
    let screen = SquareCropViewController()
    screen.words = .english
    screen.imageToCrop = .blank(80, 60)
    presenter.present(screen, animated: false)
    layOut(screen, 400, 700)
    let buttons = screen.view.subviews.compactMap { $0 as? UIButton }
    #expect(buttons.map { $0.configuration?.title } == ["Cancel", "Rotate", "Crop"])
    buttons[1].sendActions(for: .primaryActionTriggered)
    #expect(screen.cropView.recipe?.quarterTurns == 1)
    let reported = await withCheckedContinuation { continuation in
      screen.cropCompletionHandler = { [presenter] square in
        let isClosed = presenter.presentedViewController == nil
        continuation.resume(returning: "\(square.size.width) \(isClosed)")
      }
      buttons[2].sendActions(for: .primaryActionTriggered)
    }
    #expect(reported == "60.0 true")
    // Again, dismissed by a swipe.
    let other = SquareCropViewController()
    var cancelled = 0
    other.cancelCompletionHandler = { cancelled += 1 }
    presenter.present(other, animated: false)
    presenter.dismiss(animated: true)
    #expect(cancelled == 1)
  }

  @Test func `clip: a point from the sides, in the middle; 15 % from the top for a fresh photo`() {
    let screen = ClipViewController()
    screen.image = .blank(600, 800)
    layOut(screen, 400, 800)
    #expect(outline(screen.cropView) == ViewRect(x: 1, y: 201, width: 398, height: 398))
    screen.isFresh = true
    layOut(screen, 400, 800)
    #expect(outline(screen.cropView) == ViewRect(x: 1, y: 120, width: 398, height: 398))
    #expect(screen.cropView.recipe?.rect == rect(0, 100, 600, 600))
  }

  @Test func `clip: a picture lower than the opening gives a square of its height, and shows it`() {
    let screen = ClipViewController()
    screen.image = .blank(800, 600)
    layOut(screen, 400, 800)
    // As wide as the opening, 398 points; its height allows a square of 298.5, centered.
    #expect(outline(screen.cropView) == ViewRect(x: 50.75, y: 250.75, width: 298.5, height: 298.5))
    #expect(screen.cropView.recipe?.rect == rect(100, 0, 600, 600))
  }

  @Test func `clip: Retake and Use`() async throws {
    let screen = ClipViewController()
    screen.image = .blank(800, 600)
    screen.isFresh = true
    layOut(screen, 400, 800)
    var reported: [String] = []
    screen.onRetake = { reported.append("retake") }
    let buttons = screen.view.subviews.compactMap { $0 as? UIButton }
    #expect(buttons.map { $0.configuration?.title } == ["Retake", "Use"])
    buttons[0].sendActions(for: .primaryActionTriggered)
    #expect(reported == ["retake"])
    let used = await withCheckedContinuation { continuation in
      screen.onUse = { continuation.resume(returning: $0.size) }
      buttons[1].sendActions(for: .primaryActionTriggered)
    }
    #expect(used == CGSize(width: 600, height: 600))
  }

  @Test func `clip and square: a failure is shown, and the screen stays`() async throws {
    let impossible = ResultCanvas(.ratio(.square), margin: .percent(60))
    let clip = ClipViewController()
    clip.image = .blank(80, 60)
    clip.cropView.canvas = impossible
    layOut(clip, 400, 800)
    clip.onUse = { _ in Issue.record("there is no result") }
    clip.view.subviews.compactMap { $0 as? UIButton }.last?
      .sendActions(for: .primaryActionTriggered)
    await settle { clip.presentedViewController is UIAlertController }
    #expect(clip.presentedViewController is UIAlertController)
    let square = SquareCropViewController()
    square.image = .blank(80, 60)
    square.cropView.canvas = impossible
    layOut(square, 400, 700)
    square.view.subviews.compactMap { $0 as? UIButton }.last?
      .sendActions(for: .primaryActionTriggered)
    await settle { square.presentedViewController is UIAlertController }
    #expect(square.presentedViewController is UIAlertController)
    #expect(square.cropView.isUserInteractionEnabled)
  }

  @Test func `flash: automatic, on, off, and again`() {
    #expect(FlashMode.allCases.map(\.next) == [.on, .off, .auto])
  }
}
