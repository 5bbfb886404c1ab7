import UIKit

/// Stands in for the one that needs Objective-C's selectors.
@MainActor
enum GestureTarget {
  /// Calls `action` whenever the recogniser's state or place changes.
  static func add(to recognizer: UIGestureRecognizer, _ action: @escaping @MainActor () -> Void) {
    recognizer.actions.append(action)
  }
}
