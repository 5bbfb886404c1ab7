#if canImport(UIKit)
  import UIKit

  extension UIViewController {
    /// Whether this controller is going away, or one that contains or presents it, however far up.
    ///
    /// UIKit sets the flags only on the controller that is dismissed or removed, not on those inside it or
    /// on top of it. They hold in `viewDidDisappear(_:)`.
    var isLeaving: Bool {
      holders.contains { $0.isBeingDismissed || $0.isMovingFromParent }
    }

    /// Whether containers and presentations lead from a window's root to this controller.
    ///
    /// That holds for one that is covered too, whose view has left the window.
    func isHeld(by window: UIWindow?) -> Bool {
      guard let root = window?.rootViewController else { return false }
      return holders.contains { $0 === root }
    }

    /// This controller, the one that contains or presents it, and so on.
    private var holders: some Sequence<UIViewController> {
      sequence(first: self) { $0.parent ?? $0.presentingViewController }
    }
  }
#endif
