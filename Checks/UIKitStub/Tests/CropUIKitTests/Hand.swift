import CropCore
import UIKit

@testable import CheckedCropUIKit

/// A finger on a window: its touches go to the view that the window finds, as in UIKit.
struct Hand {
  let window: UIWindow
  var time: Seconds
  var type = UITouch.TouchType.direct
  var flags: UIKeyModifierFlags = []
  private var touch: UITouch?
  private var target: UIView?

  /// A finger on a new window, which contains a view at a position.
  init(on view: UIView, at frame: CGRect = CGRect(x: 0, y: 0, width: 828, height: 628)) {
    // Later than all times that the view has seen.
    time = MediaTime.now + 100
    MediaTime.now = time
    UIAccessibility.isReduceMotionEnabled = false
    window = UIWindow(frame: CGRect(x: 0, y: 0, width: 2000, height: 2000))
    view.frame = frame
    window.addSubview(view)
    window.layoutIfNeeded()
  }

  mutating func down(_ x: Double, _ y: Double, _ buttons: UIEvent.ButtonMask = []) {
    let point = CGPoint(x: x, y: y)
    target = window.hitTest(point, with: nil)
    let touch = UITouch(type)
    self.touch = touch
    send(point, buttons) { $0.touchesBegan([touch], with: $1) }
  }

  mutating func move(_ x: Double, _ y: Double, after wait: Seconds = 0.02) {
    time += wait
    guard let touch else { return }
    send(CGPoint(x: x, y: y)) { $0.touchesMoved([touch], with: $1) }
  }

  mutating func up(_ x: Double, _ y: Double, after wait: Seconds = 0.5) {
    time += wait
    guard let touch else { return }
    send(CGPoint(x: x, y: y)) { $0.touchesEnded([touch], with: $1) }
    self.touch = nil
  }

  mutating func drag(_ x: Double, _ y: Double, to endX: Double, _ endY: Double) {
    time += 1
    down(x, y)
    move((x + endX) / 2, (y + endY) / 2)
    move(endX, endY)
    up(endX, endY)
  }

  mutating func tap(_ x: Double, _ y: Double) {
    time += 1
    down(x, y)
    up(x, y, after: 0.05)
  }

  /// Continues after an `await`, during which other tests may have set the time, forward or back.
  mutating func resume() {
    time = max(time, MediaTime.now)
    MediaTime.now = time
  }

  /// Sends frames to a view that may request them, 60 per second.
  mutating func wait(_ seconds: Seconds, for view: CropView) {
    for _ in 0..<Int(seconds * 60) {
      time += 1.0 / 60
      MediaTime.now = time
      view.clock.frame(at: time)
    }
    window.layoutIfNeeded()
  }

  private func send(
    _ point: CGPoint, _ buttons: UIEvent.ButtonMask = [], _ deliver: (UIView, UIEvent) -> Void
  ) {
    guard let touch, let target else { return }
    MediaTime.now = time
    touch.place(point, in: window, at: time)
    deliver(target, UIEvent(flags, buttons))
    window.layoutIfNeeded()
  }
}

/// Lets other tasks run until a condition is true, for at most several minutes.
func settle(_ isSo: () -> Bool) async {
  let end = ContinuousClock.now + .seconds(300)
  while !isSo(), ContinuousClock.now < end {
    await Task.yield()
    try? await Task.sleep(nanoseconds: 100_000)
  }
}

/// Runs everything that is already waiting for the main actor.
func settleMainActor() async { await Task {}.value }

extension UIImage {
  /// An image without content: its upright size depends on `orientation`.
  static func blank(
    _ width: Int, _ height: Int, _ orientation: UIImage.Orientation = .up
  ) -> UIImage {
    UIImage(cgImage: .blank(width, height), scale: 1, orientation: orientation)
  }
}

/// Records the delegate's calls.
final class Listener: CropViewDelegate {
  var reported: [String] = []
  var recipes: [CropRecipe?] = []

  func cropView(_ view: CropView, didChange recipe: CropRecipe?) { recipes.append(recipe) }
  func cropViewDidChangeHistory(_ view: CropView) { reported.append("history") }
  func cropViewDidBeginGesture(_ view: CropView) { reported.append("began") }
  func cropViewDidEndGesture(_ view: CropView) { reported.append("ended") }
  func cropViewDidRequestCrop(_ view: CropView) { reported.append("crop") }
  func cropView(_ view: CropView, didFailWith error: RecipeError) { reported.append("refused") }
}

func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> FrameRect {
  FrameRect(x: x, y: y, width: width, height: height)
}
