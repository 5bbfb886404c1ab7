/// uikit/uimodalpresentationstyle
public enum UIModalPresentationStyle: Int, Sendable {
  /// uikit/uimodalpresentationstyle/fullscreen
  case fullScreen = 0
  /// uikit/uimodalpresentationstyle/pagesheet
  case pageSheet, formSheet
  /// uikit/uimodalpresentationstyle/popover
  case popover = 7
}

/// uikit/uirectedge
public struct UIRectEdge: OptionSet, Sendable {
  /// uikit/uirectedge/rawvalue
  public let rawValue: UInt
  /// uikit/uirectedge/init(rawvalue:)
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// uikit/uirectedge/all
  public static let all = UIRectEdge(rawValue: 15)
}

/// uikit/uiviewcontroller
@MainActor
open class UIViewController: UIResponder {
  /// uikit/uiviewcontroller/view
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return loaded
    }
    set {
      loaded = newValue
      newValue?.controller = self
      applyStyle()
    }
  }
  /// uikit/uiviewcontroller/viewifloaded
  open var viewIfLoaded: UIView? { loaded }
  /// uikit/uiviewcontroller/overrideuserinterfacestyle
  open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified {
    didSet { applyStyle() }
  }
  private func applyStyle() {
    guard overrideUserInterfaceStyle != .unspecified, let loaded else { return }
    loaded.traitCollection = UITraitCollection(userInterfaceStyle: overrideUserInterfaceStyle)
  }
  /// uikit/uiviewcontroller/preferredscreenedgesdeferringsystemgestures
  open var preferredScreenEdgesDeferringSystemGestures: UIRectEdge { [] }
  /// uikit/uiviewcontroller/setneedsupdateofscreenedgesdeferringsystemgestures()
  open func setNeedsUpdateOfScreenEdgesDeferringSystemGestures() {}
  /// uikit/uiviewcontroller/transition
  @available(iOS 18.0, visionOS 2.0, *)
  @MainActor
  open class Transition: NSObject {
    /// uikit/uizoomtransitionoptions
    open class ZoomOptions: NSObject {}
    /// uikit/uizoomtransitionsourceviewprovidercontext
    open class ZoomSourceViewProviderContext: NSObject {}
    let provider: (ZoomSourceViewProviderContext) -> UIView?
    init(_ provider: @escaping (ZoomSourceViewProviderContext) -> UIView?) {
      self.provider = provider
    }
    /// uikit/uiviewcontroller/transition/zoom(options:sourceviewprovider:)
    public static func zoom(
      options: ZoomOptions? = nil,
      sourceViewProvider: @escaping (ZoomSourceViewProviderContext) -> UIView?
    ) -> Transition { Transition(sourceViewProvider) }
    /// uikit/uiviewcontroller/transition/zoom(options:sourcebarbuttonitemprovider:)
    @available(iOS 26.0, visionOS 26.0, *)
    public static func zoom(
      options: ZoomOptions? = nil,
      sourceBarButtonItemProvider: @escaping (ZoomSourceViewProviderContext) -> UIBarButtonItem?
    ) -> Transition { Transition { _ in nil } }
  }
  private var transitionStorage: AnyObject?
  /// uikit/uiviewcontroller/preferredtransition
  @available(iOS 18.0, visionOS 2.0, *)
  open var preferredTransition: Transition? {
    get { transitionStorage as? Transition }
    set { transitionStorage = newValue }
  }
  /// uikit/uiviewcontroller/ismodalinpresentation
  open var isModalInPresentation = false
  /// uikit/uiviewcontroller/presentationcontroller
  public private(set) lazy var presentationController: UIPresentationController? =
    UIPresentationController()
  /// uikit/uiviewcontroller/isbeingdismissed
  /// Only true for the dismissed screen, not for those on top of it or inside it.
  open private(set) var isBeingDismissed = false
  /// uikit/uiviewcontroller/ismovingfromparent
  open fileprivate(set) var isMovingFromParent = false
  /// uikit/uiviewcontroller/parent
  open fileprivate(set) weak var parent: UIViewController?
  /// uikit/uiviewcontroller/navigationcontroller
  open internal(set) weak var navigationController: UINavigationController?
  /// uikit/uiviewcontroller/traitcollection
  open var traitCollection: UITraitCollection { view.traitCollection }
  /// uikit/uiviewcontroller/children
  open private(set) var children: [UIViewController] = []
  /// uikit/uiviewcontroller/addchild(_:)
  open func addChild(_ childController: UIViewController) {
    children.append(childController)
    childController.parent = self
  }
  /// uikit/uiviewcontroller/didmove(toparent:)
  open func didMove(toParent parent: UIViewController?) {}
  /// uikit/uiviewcontroller/title
  open var title: String?
  /// uikit/uiviewcontroller/modalpresentationstyle
  open var modalPresentationStyle = UIModalPresentationStyle.pageSheet
  /// uikit/uiviewcontroller/navigationitem
  public let navigationItem = UINavigationItem()
  /// uikit/uiviewcontroller/presentedviewcontroller
  open private(set) var presentedViewController: UIViewController?
  /// uikit/uiviewcontroller/presentingviewcontroller
  open private(set) weak var presentingViewController: UIViewController?
  /// uikit/uiviewcontroller/popoverpresentationcontroller
  public private(set) lazy var popoverPresentationController: UIPopoverPresentationController? =
    UIPopoverPresentationController()
  private var loaded: UIView?
  private var isLoading = false

  /// uikit/uiviewcontroller/init(nibname:bundle:)
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }
  /// uikit/uiviewcontroller/init()
  public convenience override init() { self.init(nibName: nil, bundle: nil) }
  /// uikit/uiviewcontroller/init(coder:)
  public required init?(coder: NSCoder) { super.init() }

  /// uikit/uiviewcontroller/loadview()
  open func loadView() { view = UIView() }
  /// uikit/uiviewcontroller/loadviewifneeded()
  open func loadViewIfNeeded() {
    guard loaded == nil, !isLoading else { return }
    isLoading = true
    loadView()
    isLoading = false
    viewDidLoad()
  }
  /// uikit/uiviewcontroller/viewdidload()
  open func viewDidLoad() {}
  /// uikit/uiviewcontroller/viewwillappear(_:)
  open func viewWillAppear(_ animated: Bool) {}
  /// uikit/uiviewcontroller/viewdidappear(_:)
  open func viewDidAppear(_ animated: Bool) {}
  /// uikit/uiviewcontroller/viewdiddisappear(_:)
  open func viewDidDisappear(_ animated: Bool) {}
  /// uikit/uiviewcontroller/viewwilllayoutsubviews()
  open func viewWillLayoutSubviews() {}
  /// uikit/uiviewcontroller/viewdidlayoutsubviews()
  open func viewDidLayoutSubviews() {}
  /// uikit/uiviewcontroller/present(_:animated:completion:)
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool,
    completion: (() -> Void)? = nil
  ) {
    // A device logs this.
    guard presentedViewController == nil else { return }
    presentedViewController = viewControllerToPresent
    viewControllerToPresent.presentingViewController = self
    viewControllerToPresent.loadViewIfNeeded()
    viewControllerToPresent.viewWillAppear(flag)
    if let window = loaded?.window {
      window.addSubview(viewControllerToPresent.view)
      // A view that a full screen covers leaves the window.
      if viewControllerToPresent.modalPresentationStyle == .fullScreen { disappear(flag) }
    }
    viewControllerToPresent.viewDidAppear(flag)
    completion?()
  }

  /// Removes the view from the hierarchy, and notifies the controllers whose views are in it.
  private func disappear(_ animated: Bool) {
    loaded?.removeFromSuperview()
    for screen in [self] + shownChildren { screen.viewDidDisappear(animated) }
  }
  private var shownChildren: [UIViewController] {
    let inside = (self as? UINavigationController)?.topViewController.map { [$0] } ?? children
    return inside.flatMap { [$0] + $0.shownChildren }
  }
  /// uikit/uiviewcontroller/dismiss(animated:completion:)
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    if presentedViewController == nil {
      presentingViewController?.dismiss(animated: flag, completion: completion)
      return
    }
    // The controllers above are removed together with the dismissed one.
    let dismissed = presentedViewController
    let gone = sequence(first: dismissed) { $0?.presentedViewController }.compactMap { $0 }
    dismissed?.isBeingDismissed = true
    for screen in gone.reversed() where !screen.isCovered { screen.disappear(flag) }
    dismissed?.isBeingDismissed = false
    for screen in gone {
      screen.presentingViewController?.presentedViewController = nil
      screen.presentingViewController = nil
    }
    completion?()
  }
  /// Whether a full screen removed its view from the window.
  private var isCovered: Bool {
    presentedViewController?.modalPresentationStyle == .fullScreen
      && presentedViewController?.loaded?.superview != nil
  }
  /// uikit/uiviewcontroller/next
  open override var next: UIResponder? { loaded?.superview }
}

/// uikit/uipresentationcontroller
@MainActor
open class UIPresentationController: NSObject {
  /// uikit/uipresentationcontroller/delegate
  open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
}

/// uikit/uiadaptivepresentationcontrollerdelegate
@MainActor
public protocol UIAdaptivePresentationControllerDelegate: AnyObject {
  /// uikit/uiadaptivepresentationcontrollerdelegate/presentationcontrollerdidattempttodismiss(_:)
  func presentationControllerDidAttemptToDismiss(
    _ presentationController: UIPresentationController)
  /// uikit/uiadaptivepresentationcontrollerdelegate/presentationcontrollerdiddismiss(_:)
  func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
}

// Optional in Objective-C.
extension UIAdaptivePresentationControllerDelegate {
  /// uikit/uiadaptivepresentationcontrollerdelegate/presentationcontrollerdidattempttodismiss(_:)
  public func presentationControllerDidAttemptToDismiss(
    _ presentationController: UIPresentationController
  ) {}
  /// uikit/uiadaptivepresentationcontrollerdelegate/presentationcontrollerdiddismiss(_:)
  public func presentationControllerDidDismiss(
    _ presentationController: UIPresentationController
  ) {}
}

/// uikit/uipopoverpresentationcontroller
@MainActor
open class UIPopoverPresentationController {
  /// uikit/uipopoverpresentationcontroller/sourceview
  open var sourceView: UIView?
  /// uikit/uipopoverpresentationcontroller/sourcerect
  open var sourceRect = CGRect.zero
  /// uikit/uipopoverpresentationcontroller/barbuttonitem
  open var barButtonItem: UIBarButtonItem?
}

/// uikit/uinavigationcontroller
@MainActor
open class UINavigationController: UIViewController {
  /// uikit/uinavigationcontroller/viewcontrollers
  open private(set) var viewControllers: [UIViewController] = [] {
    didSet {
      for screen in viewControllers {
        screen.navigationController = self
        screen.parent = self
      }
      viewControllers.last?.loadViewIfNeeded()
    }
  }
  /// uikit/uinavigationcontroller/topviewcontroller
  open var topViewController: UIViewController? { viewControllers.last }
  /// uikit/uinavigationcontroller/poptoviewcontroller(_:animated:)
  @discardableResult
  open func popToViewController(
    _ viewController: UIViewController, animated: Bool
  ) -> [UIViewController]? {
    guard let index = viewControllers.firstIndex(where: { $0 === viewController }) else {
      return nil
    }
    let popped = Array(viewControllers[(index + 1)...])
    if let top = popped.last {
      top.isMovingFromParent = true
      top.viewDidDisappear(animated)
      top.isMovingFromParent = false
    }
    for screen in popped { (screen.parent, screen.navigationController) = (nil, nil) }
    viewControllers.removeSubrange((index + 1)...)
    return popped
  }
  /// uikit/uinavigationcontroller/init(rootviewcontroller:)
  public convenience init(rootViewController: UIViewController) {
    self.init(nibName: nil, bundle: nil)
    setViewControllers([rootViewController], animated: false)
  }
  /// uikit/uinavigationcontroller/setviewcontrollers(_:animated:)
  open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
    self.viewControllers = viewControllers
  }
  /// uikit/uinavigationcontroller/pushviewcontroller(_:animated:)
  open func pushViewController(_ viewController: UIViewController, animated: Bool) {
    viewControllers.append(viewController)
  }
}

/// uikit/uialertaction
@MainActor
open class UIAlertAction {
  /// uikit/uialertaction/style-swift.enum
  public enum Style: Int, Sendable {
    /// uikit/uialertaction/style-swift.enum/default
    case `default`, cancel, destructive
  }
  /// uikit/uialertaction/title
  open private(set) var title: String?
  let handler: ((UIAlertAction) -> Void)?
  weak var alert: UIAlertController?
  /// uikit/uialertaction/init(title:style:handler:)
  public init(
    title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil
  ) {
    (self.title, self.handler) = (title, handler)
  }

  /// Not Apple's: simulates a tap.
  public func choose() {
    alert?.presentingViewController?.dismiss(animated: false)
    handler?(self)
  }
}

/// uikit/uialertcontroller
@MainActor
open class UIAlertController: UIViewController {
  /// uikit/uialertcontroller/style
  public enum Style: Int, Sendable {
    /// uikit/uialertcontroller/style/actionsheet
    case actionSheet, alert
  }
  /// uikit/uialertcontroller/actions
  open private(set) var actions: [UIAlertAction] = []
  /// uikit/uialertcontroller/message
  open var message: String?
  /// uikit/uialertcontroller/init(title:message:preferredstyle:)
  public convenience init(title: String?, message: String?, preferredStyle: Style) {
    self.init(nibName: nil, bundle: nil)
    self.title = title
    self.message = message
  }
  /// uikit/uialertcontroller/addaction(_:)
  open func addAction(_ action: UIAlertAction) {
    actions.append(action)
    action.alert = self
  }
}

/// uikit/uiapplication
@MainActor
open class UIApplication: UIResponder {
  /// uikit/uiapplication/opensettingsurlstring
  public nonisolated static let openSettingsURLString = "app-settings:"
}
