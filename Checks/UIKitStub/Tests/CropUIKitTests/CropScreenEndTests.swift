import Testing
import UIKit

@testable import CheckedCropUIKit

/// A crop screen that is closed in any other way still returns an answer.
struct CropScreenEndTests {
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 400, height: 800))
  private let root = UIViewController()

  init() { window.rootViewController = root }

  /// Waits until a presenting call has shown its screen; returns both.
  private func cropping(
    from presenter: UIViewController
  ) async throws -> (Task<CropResult?, Never>, CropViewController) {
    let waiting = Task { await CropViewController.crop(UIImage.blank(80, 60), from: presenter) }
    while presenter.presentedViewController == nil { await Task.yield() }
    return (waiting, try #require(presenter.presentedViewController as? CropViewController))
  }

  @Test(.timeLimit(.minutes(5)))
  func `the call returns when an ancestor of its presenter is dismissed`() async throws {
    let presenter = UIViewController()
    root.present(presenter, animated: false)
    let (waiting, screen) = try await cropping(from: presenter)
    root.dismiss(animated: true)
    #expect(await waiting.value == nil)
    #expect(screen.presentingViewController == nil && screen.view.window == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func `the call returns when its screen is dismissed under another that covers it`() async throws {
    let presenter = UIViewController()
    root.present(presenter, animated: false)
    let waiting = try await { () async throws -> Task<CropResult?, Never> in
      let (waiting, screen) = try await cropping(from: presenter)
      let cover = UIViewController()
      cover.modalPresentationStyle = .fullScreen
      screen.present(cover, animated: false)
      #expect(screen.view.window == nil, "covered")
      return waiting
    }()
    // The screen gets no call: it had already disappeared.
    root.dismiss(animated: true)
    #expect(await waiting.value == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func `the call returns when the window gets another root`() async throws {
    let waiting = try await cropping(from: root).0
    let old = root.presentedViewController
    window.rootViewController = UIViewController()
    old?.view.removeFromSuperview()
    old?.viewDidDisappear(false)
    #expect(await waiting.value == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a screen that was covered and reappears has not answered`() async {
    var answers = 0
    let screen = CropViewController(image: .blank(80, 60))
    screen.onFinish = { _ in answers += 1 }
    root.present(screen, animated: false)
    let cover = UIViewController()
    cover.modalPresentationStyle = .fullScreen
    screen.present(cover, animated: false)
    // The screen's delayed check is in the queue before this.
    await settleMainActor()
    #expect(answers == 0 && screen.presentedViewController === cover)
    // UIKit does not call controllers again that have already disappeared.
    root.dismiss(animated: false)
    screen.viewDidDisappear(false)
    while answers == 0 { await Task.yield() }
    #expect(answers == 1)
  }

  @Test func `a screen that is popped, or dismissed with its navigation, answers once`() {
    var answers = 0
    let (first, screen) = (UIViewController(), CropViewController(image: .blank(80, 60)))
    screen.closesItself = false
    screen.onFinish = { _ in answers += 1 }
    let bar = UINavigationController(rootViewController: first)
    bar.pushViewController(screen, animated: false)
    screen.viewWillAppear(false)
    bar.popToViewController(first, animated: false)
    #expect(answers == 1)
    bar.pushViewController(screen, animated: false)
    screen.viewWillAppear(false)
    root.present(bar, animated: false)
    root.dismiss(animated: false)
    #expect(answers == 2)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a screen that was shown and is released answers; one never shown does not`() async {
    var answers = 0
    do {
      let shown = CropViewController(image: .blank(80, 60))
      shown.onFinish = { _ in answers += 1 }
      shown.loadViewIfNeeded()
      shown.viewWillAppear(false)
      let never = CropViewController(image: .blank(80, 60))
      never.onFinish = { _ in answers += 1 }
      never.loadViewIfNeeded()
    }
    while answers == 0 { await Task.yield() }
    await settleMainActor()
    #expect(answers == 1)
  }
}
