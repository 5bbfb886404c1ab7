import CropCore
import UIKit

/// Stands in for the one that needs a display link: a test says when a frame comes.
@MainActor
final class FrameClock {
  private let action: @MainActor (Seconds) -> Void

  /// A clock that stands still.
  init(_ action: @escaping @MainActor (Seconds) -> Void) {
    self.action = action
  }

  /// Whether `action` is called with every frame.
  var isRunning = false

  /// A frame of the screen at a time.
  func frame(at time: Seconds) {
    if isRunning { action(time) }
  }
}
