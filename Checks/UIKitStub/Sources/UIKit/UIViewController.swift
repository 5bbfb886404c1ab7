/// uikit/uimodalpresentationstyle
public enum UIModalPresentationStyle: Int, Sendable {
  /// uikit/uimodalpresentationstyle/fullscreen
  case fullScreen = 0
  /// uikit/uimodalpresentationstyle/pagesheet
  case pageSheet, formSheet
  /// uikit/uimodalpresentationstyle/popover
  case popover = 7
}

/// uikit/uiviewcontroller
@MainActor
open class UIViewController: UIResponder {
  /// uikit/uiviewcontroller/view
  open var view: UIView {
    get {
      loadViewIfNeeded()
      return loaded ?? UIView()
    }
    set {
      loaded = newValue
      newValue.controller = self
    }
  }
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
  open var popoverPresentationController: UIPopoverPresentationController? { nil }
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
  /// uikit/uiviewcontroller/viewdidlayoutsubviews()
  open func viewDidLayoutSubviews() {}
  /// uikit/uiviewcontroller/present(_:animated:completion:)
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool,
    completion: (() -> Void)? = nil
  ) {
    presentedViewController = viewControllerToPresent
    viewControllerToPresent.presentingViewController = self
    completion?()
  }
  /// uikit/uiviewcontroller/dismiss(animated:completion:)
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    if presentedViewController == nil {
      presentingViewController?.dismiss(animated: flag, completion: completion)
      return
    }
    presentedViewController = nil
    completion?()
  }
  /// uikit/uiviewcontroller/next
  open override var next: UIResponder? { loaded?.superview }
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
  open private(set) var viewControllers: [UIViewController] = []
  /// uikit/uinavigationcontroller/init(rootviewcontroller:)
  public convenience init(rootViewController: UIViewController) {
    self.init(nibName: nil, bundle: nil)
    viewControllers = [rootViewController]
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
  let handler: (@MainActor (UIAlertAction) -> Void)?
  /// uikit/uialertaction/init(title:style:handler:)
  public init(
    title: String?, style: Style, handler: (@MainActor (UIAlertAction) -> Void)? = nil
  ) {
    (self.title, self.handler) = (title, handler)
  }

  /// Not Apple's: what a tap does.
  public func choose() { handler?(self) }
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
  open func addAction(_ action: UIAlertAction) { actions.append(action) }
}

/// uikit/uiapplication
@MainActor
open class UIApplication: UIResponder {
  /// uikit/uiapplication/openexternalurloptionskey
  public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
    /// uikit/uiapplication/openexternalurloptionskey/rawvalue
    public let rawValue: String
    /// uikit/uiapplication/openexternalurloptionskey/init(rawvalue:)
    public init(rawValue: String) { self.rawValue = rawValue }
  }
  /// uikit/uiapplication/shared
  public static let shared = UIApplication()
  /// uikit/uiapplication/opensettingsurlstring
  public nonisolated static let openSettingsURLString = "app-settings:"
  /// uikit/uiapplication/open(_:options:completionhandler:)
  open func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
    completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) {}
}
