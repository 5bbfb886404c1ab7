import UIKit

/// Replaces the target that needs Objective-C's selectors.
@MainActor
package enum GestureTarget {
  /// Calls `action` whenever the recognizer's state or position changes.
  package static func add(
    to recognizer: UIGestureRecognizer, _ action: @escaping @MainActor () -> Void
  ) {
    recognizer.actions.append(action)
  }
}
