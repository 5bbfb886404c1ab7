#if canImport(UIKit)
  import UIKit

  extension UIViewController {
    /// Whether this controller, or one that contains or presents it, is being dismissed or removed.
    ///
    /// UIKit sets the flags only on the controller that is dismissed or removed, not on those
    /// inside it or on top of it. They are valid in `viewDidDisappear(_:)`.
    package var isLeaving: Bool {
      holders.contains { $0.isBeingDismissed || $0.isMovingFromParent }
    }

    /// Whether containers and presentations lead from a window's root controller to this one.
    ///
    /// This is also true for a covered controller, whose view has left the window.
    func isHeld(by window: UIWindow?) -> Bool {
      guard let root = window?.rootViewController else { return false }
      return holders.contains { $0 === root }
    }

    /// This controller, then the ones that contain or present it.
    private var holders: some Sequence<UIViewController> {
      sequence(first: self) { $0.parent ?? $0.presentingViewController }
    }
  }
#endif
