/// uikit/uiuserinterfacelayoutdirection
public enum UIUserInterfaceLayoutDirection: Int, Sendable {
  /// uikit/uiuserinterfacelayoutdirection/lefttoright
  case leftToRight, rightToLeft
}

/// uikit/uisemanticcontentattribute
public enum UISemanticContentAttribute: Int, Sendable {
  /// uikit/uisemanticcontentattribute/unspecified
  case unspecified, playback, spatial, forceLeftToRight, forceRightToLeft
}

/// uikit/uiview
@MainActor
open class UIView: UIResponder {
  /// uikit/uiview/contentmode-swift.enum
  public enum ContentMode: Int, Sendable {
    /// uikit/uiview/contentmode-swift.enum/scaletofill
    case scaleToFill, scaleAspectFit, scaleAspectFill
  }

  /// uikit/uiview/animationoptions
  public struct AnimationOptions: OptionSet, Sendable {
    /// uikit/uiview/animationoptions/rawvalue
    public let rawValue: UInt
    /// uikit/uiview/animationoptions/init(rawvalue:)
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// uikit/uiview/animationoptions/transitionflipfromleft
    public static var transitionFlipFromLeft: AnimationOptions {
      AnimationOptions(rawValue: 1 << 20)
    }
  }

  /// uikit/uiview/layerclass
  open class var layerClass: AnyClass { CALayer.self }
  /// uikit/uiview/layoutfittingcompressedsize
  public class var layoutFittingCompressedSize: CGSize { .zero }

  /// uikit/uiview/layer
  open private(set) lazy var layer: CALayer = {
    guard let kind = Self.layerClass as? CALayer.Type else { return CALayer() }
    return kind.init()
  }()

  /// uikit/uiview/center
  open var center = CGPoint.zero
  /// uikit/uiview/bounds
  open var bounds = CGRect.zero {
    didSet {
      guard bounds.size != oldValue.size else { return }
      placeGuides()
      setNeedsLayout()
    }
  }
  /// uikit/uiview/frame
  open var frame: CGRect {
    get {
      CGRect(
        x: center.x - bounds.width / 2, y: center.y - bounds.height / 2, width: bounds.width,
        height: bounds.height)
    }
    set {
      bounds.size = newValue.size
      center = CGPoint(x: newValue.midX, y: newValue.midY)
    }
  }
  /// uikit/uiview/transform
  open var transform = CGAffineTransform.identity
  /// uikit/uiview/alpha
  open var alpha: CGFloat = 1
  /// uikit/uiview/ishidden
  open var isHidden = false
  /// uikit/uiview/isopaque
  open var isOpaque = true
  /// uikit/uiview/clipstobounds
  open var clipsToBounds = false
  /// uikit/uiview/backgroundcolor
  open var backgroundColor: UIColor?
  /// uikit/uiview/tintcolor
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var tintColor: UIColor!
  /// uikit/uiview/contentmode-swift.property
  open var contentMode = ContentMode.scaleToFill
  /// uikit/uiview/accessibilityignoresinvertcolors
  open var accessibilityIgnoresInvertColors = false
  /// uikit/uiview/isuserinteractionenabled
  open var isUserInteractionEnabled = true
  /// uikit/uiview/ismultipletouchenabled
  open var isMultipleTouchEnabled = false
  /// uikit/uiview/semanticcontentattribute
  open var semanticContentAttribute = UISemanticContentAttribute.unspecified
  /// uikit/uiview/translatesautoresizingmaskintoconstraints
  open var translatesAutoresizingMaskIntoConstraints = true
  /// uikit/uilargecontentvieweritem/showslargecontentviewer
  open var showsLargeContentViewer = false
  /// uikit/uilargecontentvieweritem/largecontenttitle
  open var largeContentTitle: String?
  /// uikit/uiview/maximumcontentsizecategory
  open var maximumContentSizeCategory: UIContentSizeCategory?
  /// uikit/uiview/traitcollection
  /// Set by tests.
  open var traitCollection = UITraitCollection() {
    didSet {
      for view in subviews { view.traitCollection = traitCollection }
      for handler in traitHandlers { handler(oldValue) }
    }
  }
  var traitHandlers: [(UITraitCollection) -> Void] = []
  /// uikit/uiview/effectiveuserinterfacelayoutdirection
  open var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection {
    semanticContentAttribute == .forceRightToLeft ? .rightToLeft : .leftToRight
  }

  /// uikit/uiview/subviews
  open private(set) var subviews: [UIView] = []
  /// uikit/uiview/superview
  open private(set) weak var superview: UIView?
  /// uikit/uiview/window
  open var window: UIWindow? { superview?.window }
  /// uikit/uiview/interactions
  open private(set) var interactions: [any UIInteraction] = []
  /// uikit/uiview/gesturerecognizers
  open private(set) var gestureRecognizers: [UIGestureRecognizer]?
  /// uikit/uiview/constraints
  open var constraints: [NSLayoutConstraint] { activeConstraints }
  /// uikit/uiview/layoutguides
  open private(set) var layoutGuides: [UILayoutGuide] = []
  /// uikit/uiview/safearealayoutguide
  public let safeAreaLayoutGuide = UILayoutGuide()
  /// uikit/uiview/layoutmarginsguide
  public let layoutMarginsGuide = UILayoutGuide()
  /// uikit/uiview/safeareainsets
  /// Set by tests.
  open var safeAreaInsets = UIEdgeInsets.zero {
    didSet {
      placeGuides()
      safeAreaInsetsDidChange()
    }
  }
  /// uikit/uiview/safeareainsetsdidchange()
  open func safeAreaInsetsDidChange() {}
  /// uikit/uiview/layoutmargins
  open var layoutMargins = UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8) {
    didSet { placeGuides() }
  }
  /// The margins are inside the safe area.
  func placeGuides() {
    safeAreaLayoutGuide.layoutFrame = bounds.inset(by: safeAreaInsets)
    layoutMarginsGuide.layoutFrame = safeAreaLayoutGuide.layoutFrame.inset(by: layoutMargins)
  }
  weak var controller: UIViewController?
  var activeConstraints: [NSLayoutConstraint] = []
  private var needsLayout = true

  /// uikit/uiview/init(frame:)
  public init(frame: CGRect) {
    super.init()
    prepare()
    self.frame = frame
  }

  /// uikit/uiview/init()
  public convenience override init() { self.init(frame: .zero) }

  /// uikit/uiview/init(coder:)
  public required init?(coder: NSCoder) {
    super.init()
    prepare()
  }

  private func prepare() {
    for guide in [safeAreaLayoutGuide, layoutMarginsGuide] { guide.owningView = self }
    placeGuides()
  }

  /// uikit/uiview/next
  open override var next: UIResponder? { controller ?? superview }

  // MARK: Hierarchy

  /// uikit/uiview/addsubview(_:)
  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
    if view.traitCollection != traitCollection { view.traitCollection = traitCollection }
    layer.addSublayer(view.layer)
    if window != nil { view.movedToWindow() }
    setNeedsLayout()
  }

  /// uikit/uiview/removefromsuperview()
  open func removeFromSuperview() {
    guard let superview else { return }
    let wasInWindow = window != nil
    superview.subviews.removeAll { $0 === self }
    layer.removeFromSuperlayer()
    self.superview = nil
    if wasInWindow { movedToWindow() }
  }

  func movedToWindow() {
    didMoveToWindow()
    for view in subviews { view.movedToWindow() }
  }

  /// uikit/uiview/didmovetowindow()
  open func didMoveToWindow() {}
  /// uikit/uiview/addinteraction(_:)
  open func addInteraction(_ interaction: any UIInteraction) { interactions.append(interaction) }

  /// uikit/uiview/addgesturerecognizer(_:)
  open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
    gestureRecognizers = (gestureRecognizers ?? []) + [gestureRecognizer]
    gestureRecognizer.view = self
  }

  /// uikit/uiview/gesturerecognizershouldbegin(_:)
  open func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }

  /// uikit/uiview/addlayoutguide(_:)
  open func addLayoutGuide(_ layoutGuide: UILayoutGuide) {
    layoutGuides.append(layoutGuide)
    layoutGuide.owningView = self
  }

  // MARK: Geometry

  /// uikit/uiview/convert(_:to:)
  open func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
    let inRoot = CGPoint(x: point.x + offset.x, y: point.y + offset.y)
    guard let view else { return inRoot }
    return CGPoint(x: inRoot.x - view.offset.x, y: inRoot.y - view.offset.y)
  }

  /// uikit/uiview/convert(_:from:)
  open func convert(_ point: CGPoint, from view: UIView?) -> CGPoint {
    let inRoot = CGPoint(x: point.x + (view?.offset.x ?? 0), y: point.y + (view?.offset.y ?? 0))
    return CGPoint(x: inRoot.x - offset.x, y: inRoot.y - offset.y)
  }

  /// The position of the view's origin in its root view; transforms are ignored.
  private var offset: CGPoint {
    guard let superview else { return CGPoint(x: -bounds.minX, y: -bounds.minY) }
    return CGPoint(
      x: superview.offset.x + frame.minX - bounds.minX,
      y: superview.offset.y + frame.minY - bounds.minY)
  }

  /// uikit/uiview/point(inside:with:)
  open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { bounds.contains(point) }

  /// uikit/uiview/hittest(_:with:)
  open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
    guard !isHidden, alpha > 0.01, isUserInteractionEnabled, self.point(inside: point, with: event)
    else { return nil }
    for view in subviews.reversed() {
      if let hit = view.hitTest(convert(point, to: view), with: event) { return hit }
    }
    return self
  }

  // MARK: Layout

  /// uikit/uiview/setneedslayout()
  open func setNeedsLayout() { needsLayout = true }

  /// uikit/uiview/layoutifneeded()
  open func layoutIfNeeded() {
    if needsLayout {
      needsLayout = false
      controller?.viewWillLayoutSubviews()
      layoutSubviews()
      controller?.viewDidLayoutSubviews()
    }
    for view in subviews { view.layoutIfNeeded() }
  }

  /// uikit/uiview/layoutsubviews()
  open func layoutSubviews() {
    ConstraintSolver.layOut(self)
  }

  /// uikit/uiview/intrinsiccontentsize
  open var intrinsicContentSize: CGSize { CGSize(width: -1, height: -1) }
  /// uikit/uiview/invalidateintrinsiccontentsize()
  open func invalidateIntrinsicContentSize() {}
  /// uikit/uiview/systemlayoutsizefitting(_:)
  open func systemLayoutSizeFitting(_ targetSize: CGSize) -> CGSize {
    CGSize(width: 90, height: 22)
  }

  // MARK: Traits

  /// uikit/uiview/traitcollectiondidchange(_:)
  open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}

  // MARK: Animation: immediate

  /// uikit/uiview/animate(withduration:delay:options:animations:completion:)
  open class func animate(
    withDuration duration: TimeInterval, delay: TimeInterval, options: AnimationOptions = [],
    animations: @escaping () -> Void, completion: ((Bool) -> Void)? = nil
  ) {
    animations()
    completion?(true)
  }

  /// uikit/uiview/transition(with:duration:options:animations:completion:)
  open class func transition(
    with view: UIView, duration: TimeInterval, options: AnimationOptions = [],
    animations: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {
    animations?()
    completion?(true)
  }
}

/// uikit/uiinterfaceorientation
public enum UIInterfaceOrientation: Int, Sendable {
  /// uikit/uiinterfaceorientation/unknown
  case unknown, portrait, portraitUpsideDown, landscapeRight, landscapeLeft
}

/// uikit/uiscreen
@available(visionOS, unavailable)
@MainActor
open class UIScreen: NSObject {
  /// uikit/uiscreen/potentialedrheadroom
  /// Set by tests.
  open var potentialEDRHeadroom: CGFloat = 1
}

/// uikit/uiwindowscene
@MainActor
open class UIWindowScene {
  /// uikit/uiwindowscene/interfaceorientation
  @available(visionOS, unavailable)
  open var interfaceOrientation: UIInterfaceOrientation { .portrait }
  /// uikit/uiwindowscene/screen
  @available(visionOS, unavailable)
  open var screen: UIScreen {
    if let screen = screenStorage as? UIScreen { return screen }
    let screen = UIScreen()
    screenStorage = screen
    return screen
  }
  private var screenStorage: AnyObject?
  /// uikit/uiscene/openexternalurloptions
  open class OpenExternalURLOptions: NSObject {}
  /// uikit/uiscene/open(_:options:completionhandler:)
  open func open(
    _ url: URL, options: OpenExternalURLOptions?, completionHandler: ((Bool) -> Void)? = nil
  ) { opened.append(url) }
  /// Not Apple's: the opened URLs.
  public private(set) var opened: [URL] = []
  /// Not Apple's.
  public init() {}
}

/// uikit/uiwindow
@MainActor
open class UIWindow: UIView {
  /// uikit/uiwindow/window
  open override var window: UIWindow? { self }
  /// uikit/uiwindow/windowscene
  open weak var windowScene: UIWindowScene?
  /// uikit/uiwindow/rootviewcontroller
  open var rootViewController: UIViewController? {
    didSet {
      oldValue?.view.removeFromSuperview()
      guard let rootViewController else { return }
      addSubview(rootViewController.view)
      rootViewController.viewWillAppear(false)
      rootViewController.viewDidAppear(false)
    }
  }
}
