import CropCore
import UIKit

@testable import CheckedCropUIKit

/// A finger on a window: its touches go where the window finds a view, as UIKit brings them.
struct Hand {
  let window: UIWindow
  var time: Seconds
  var type = UITouch.TouchType.direct
  var flags: UIKeyModifierFlags = []
  private var touch: UITouch?
  private var target: UIView?

  /// A finger on a window of its own, in which a view lies at a place.
  init(on view: UIView, at frame: CGRect = CGRect(x: 0, y: 0, width: 828, height: 628)) {
    // Later than whatever the view has seen.
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

  /// Lets frames come 60 times a second, to a view that may want them.
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

/// Lets everything else run until something is so: for minutes, which only what never happens needs.
func settle(_ isSo: () -> Bool) async {
  let end = ContinuousClock.now + .seconds(300)
  while !isSo(), ContinuousClock.now < end {
    await Task.yield()
    try? await Task.sleep(nanoseconds: 100_000)
  }
}

/// Lets everything run that waits for the main actor already.
func settleMainActor() async { await Task {}.value }

extension UIImage {
  /// A picture without content: its upright size after `orientation` depends on both.
  static func blank(
    _ width: Int, _ height: Int, _ orientation: UIImage.Orientation = .up
  ) -> UIImage {
    UIImage(cgImage: .blank(width, height), scale: 1, orientation: orientation)
  }
}

/// Notes what a delegate is told.
final class Listener: CropViewDelegate {
  var told: [String] = []
  var recipes: [CropRecipe?] = []

  func cropView(_ view: CropView, changed recipe: CropRecipe?) { recipes.append(recipe) }
  func cropViewChangedHistory(_ view: CropView) { told.append("history") }
  func cropViewBeganGesture(_ view: CropView) { told.append("began") }
  func cropViewEndedGesture(_ view: CropView) { told.append("ended") }
  func cropViewWantsCrop(_ view: CropView) { told.append("crop") }
  func cropView(_ view: CropView, refused error: RecipeError) { told.append("refused") }
}

func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> FrameRect {
  FrameRect(x: x, y: y, width: width, height: height)
}
