import CropCore
import UIKit

/// Replaces the clock that needs a display link: a test triggers each frame.
@MainActor
final class FrameClock {
  private let action: @MainActor (Seconds) -> Void

  /// A stopped clock.
  init(_ action: @escaping @MainActor (Seconds) -> Void) {
    self.action = action
  }

  /// Whether `action` is called with every frame.
  var isRunning = false

  /// Triggers a frame at a time.
  func frame(at time: Seconds) {
    if isRunning { action(time) }
  }
}
