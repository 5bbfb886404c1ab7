#if canImport(UIKit)
  import UIKit

  /// Lets a gesture recognizer, which retains this object, call a closure.
  @MainActor
  package final class GestureTarget: NSObject {
    private let action: @MainActor () -> Void

    private init(_ action: @escaping @MainActor () -> Void) {
      self.action = action
    }

    /// Calls `action` whenever the recognizer's state or position changes.
    package static func add(
      to recognizer: UIGestureRecognizer, _ action: @escaping @MainActor () -> Void
    ) {
      let target = GestureTarget(action)
      recognizer.addTarget(target, action: #selector(GestureTarget.fire))
      // A recognizer does not retain its targets.
      let key = UnsafeRawPointer(Unmanaged.passUnretained(target).toOpaque())
      objc_setAssociatedObject(recognizer, key, target, .OBJC_ASSOCIATION_RETAIN)
    }

    @objc private func fire() {
      action()
    }
  }
#endif
