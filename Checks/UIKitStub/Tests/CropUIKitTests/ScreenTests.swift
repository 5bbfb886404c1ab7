import CropCore
import Testing
import UIKit

@testable import CheckedCropUIKit

/// The square cropper and the clip screen, whose openings constraints place.
struct ScreenTests {
  private func layOut(_ screen: UIViewController, _ width: Double, _ height: Double) {
    screen.view.frame = CGRect(x: 0, y: 0, width: width, height: height)
    for _ in 0..<2 { screen.view.layoutIfNeeded() }
  }

  private func outline(_ view: CropView) -> ViewRect? {
    for case .stroke(let outline, _, .frame) in view.session.scene.items { return outline.rect }
    return nil
  }

  @Test func `square: the opening is as large as the smaller side, blockers fill the rest`() {
    let screen = SquareCropViewController()
    screen.image = .blank(800, 600)
    layOut(screen, 400, 700)
    #expect(screen.opening.layoutFrame == CGRect(x: 0, y: 150, width: 400, height: 400))
    #expect(
      screen.blockers.map(\.layoutFrame) == [
        CGRect(x: 0, y: 0, width: 400, height: 150), CGRect(x: 0, y: 150, width: 0, height: 400),
        CGRect(x: 0, y: 550, width: 400, height: 150),
        CGRect(x: 400, y: 150, width: 0, height: 400),
      ])
    #expect(outline(screen.cropView) == ViewRect(x: 0, y: 150, width: 400, height: 400))
    // The small side fits the opening.
    #expect(screen.cropView.recipe?.rect == rect(100, 0, 600, 600))
  }

  @Test func `square: turning the device keeps the same part in the opening`() {
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

  @Test func `square: other constraints move the opening, and the scene with it`() {
    final class Higher: SquareCropViewController {
      override func openingConstraints() -> [NSLayoutConstraint] {
        [
          opening.topAnchor.constraint(equalTo: view.topAnchor, constant: 20),
          opening.leftAnchor.constraint(equalTo: view.leftAnchor, constant: 50),
          opening.widthAnchor.constraint(equalToConstant: 200),
          opening.heightAnchor.constraint(equalTo: opening.widthAnchor),
        ]
      }
    }
    let screen = Higher()
    screen.image = .blank(800, 600)
    layOut(screen, 400, 700)
    #expect(outline(screen.cropView) == ViewRect(x: 50, y: 20, width: 200, height: 200))
  }

  @Test func `square: Cancel and Crop`() async {
    let screen = SquareCropViewController()
    screen.image = .blank(80, 60)
    layOut(screen, 400, 700)
    var results: [CGSize?] = []
    screen.onFinish = { results.append($0?.size) }
    screen.navigationItem.leftBarButtonItem?.tap()
    #expect(results == [nil])
    #expect(await screen.crop()?.size == CGSize(width: 60, height: 60))
  }

  @Test func `clip: a point from the sides, in the middle; 15 % from the top for a fresh photo`() {
    let screen = ClipViewController()
    screen.image = .blank(800, 600)
    layOut(screen, 400, 800)
    #expect(outline(screen.cropView) == ViewRect(x: 1, y: 201, width: 398, height: 398))
    screen.isFresh = true
    layOut(screen, 400, 800)
    #expect(outline(screen.cropView) == ViewRect(x: 1, y: 120, width: 398, height: 398))
    // As wide as the opening: a square of the picture's height, in the middle.
    #expect(screen.cropView.recipe?.rect == rect(100, 0, 600, 600))
  }

  @Test func `clip: Retake and Use`() async throws {
    let screen = ClipViewController()
    screen.image = .blank(800, 600)
    layOut(screen, 400, 800)
    var told: [String] = []
    screen.onRetake = { told.append("retake") }
    let buttons = screen.view.subviews.compactMap { $0 as? UIButton }
    #expect(buttons.map { $0.configuration?.title } == ["Retake", "Use"])
    buttons[0].sendActions(for: .primaryActionTriggered)
    #expect(told == ["retake"])
    let used = await withCheckedContinuation { continuation in
      screen.onUse = { continuation.resume(returning: $0.size) }
      buttons[1].sendActions(for: .primaryActionTriggered)
    }
    #expect(used == CGSize(width: 600, height: 600))
  }

  @Test func `camera: without a camera or the permission the screen says what to do`() async {
    let screen = CameraViewController()
    layOut(screen, 400, 800)
    screen.viewWillAppear(false)
    for _ in 0..<100 { await Task.yield() }
    func labels(_ view: UIView) -> [String] {
      guard !view.isHidden else { return [] }
      return ((view as? UILabel)?.text.map { [$0] } ?? []) + view.subviews.flatMap(labels)
    }
    #expect(labels(screen.view).contains(CropWords.preferred.screens.noCameraAccess))
    var results: [UIImage?] = []
    screen.onUse = { results.append($0) }
    let buttons = screen.view.subviews.flatMap { $0.subviews }.compactMap { $0 as? UIButton }
    buttons.last?.sendActions(for: .primaryActionTriggered)
    #expect(results.count == 1)
  }

  @Test func `flash: automatic, on, off, and again`() {
    #expect(FlashMode.allCases.map(\.next) == [.on, .off, .auto])
  }
}
