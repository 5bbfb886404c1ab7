/// uikit/uicontrol
@MainActor
open class UIControl: UIView {
  /// uikit/uicontrol/event
  public struct Event: OptionSet, Sendable {
    /// uikit/uicontrol/event/rawvalue
    public let rawValue: UInt
    /// uikit/uicontrol/event/init(rawvalue:)
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// uikit/uicontrol/event/touchupinside
    public static var touchUpInside: Event { Event(rawValue: 1 << 6) }
    /// uikit/uicontrol/event/primaryactiontriggered
    public static var primaryActionTriggered: Event { Event(rawValue: 1 << 13) }
  }
  /// uikit/uicontrol/isenabled
  open var isEnabled = true
  private var actions: [UIAction] = []
  /// uikit/uicontrol/addaction(_:for:)
  open func addAction(_ action: UIAction, for controlEvents: Event) { actions.append(action) }
  /// uikit/uicontrol/sendactions(for:)
  open func sendActions(for controlEvents: Event) {
    for action in actions { action.handler(action) }
  }
}

/// uikit/uiactionhandler
public typealias UIActionHandler = (UIAction) -> Void

/// uikit/uiaction
@MainActor
open class UIAction: UIMenuElement {
  let handler: UIActionHandler
  /// uikit/uiaction/init(title:image:handler:)
  public init(
    title: String = "", image: UIImage? = nil, state: UIMenuElement.State = .off,
    handler: @escaping UIActionHandler
  ) {
    self.state = state
    self.handler = handler
    super.init(title: title)
  }
  /// uikit/uiaction/state
  open var state: UIMenuElement.State
  /// Not Apple's: simulates a tap.
  public func choose() { handler(self) }
}

/// uikit/uimenuelement
@MainActor
open class UIMenuElement {
  /// uikit/uimenuelement/state
  public enum State: Int, Sendable {
    /// uikit/uimenuelement/state/off
    case off, on, mixed
  }
  /// uikit/uimenuelement/title
  open var title: String
  init(title: String) { self.title = title }
}

/// uikit/uimenu
@MainActor
open class UIMenu: UIMenuElement {
  /// uikit/uimenu/children
  open private(set) var children: [UIMenuElement]
  /// uikit/uimenu/init(title:children:)
  public init(title: String = "", children: [UIMenuElement] = []) {
    self.children = children
    super.init(title: title)
  }
}

/// uikit/uilargecontentviewerinteraction
@MainActor
open class UILargeContentViewerInteraction: UIInteraction {
  /// uikit/uilargecontentviewerinteraction/init()
  public init() {}
}

/// uikit/uibutton
@MainActor
open class UIButton: UIControl {
  /// uikit/uibutton/configuration-swift.struct
  public struct Configuration {
    /// uikit/uibutton/configuration-swift.struct/title
    public var title: String?
    /// uikit/uibutton/configuration-swift.struct/image
    public var image: UIImage?
    /// uikit/uibutton/configuration-swift.struct/baseforegroundcolor
    public var baseForegroundColor: UIColor?
    /// uikit/uibutton/configuration-swift.struct/showsactivityindicator
    public var showsActivityIndicator = false
    /// uikit/uibutton/configuration-swift.struct/glass()
    @available(iOS 26.0, *)
    @available(visionOS, unavailable)
    public static func glass() -> Configuration { Configuration() }
    /// uikit/uibutton/configuration-swift.struct/prominentglass()
    @available(iOS 26.0, *)
    @available(visionOS, unavailable)
    public static func prominentGlass() -> Configuration { Configuration() }
    /// uikit/uibutton/configuration-swift.struct/plain()
    public static func plain() -> Configuration { Configuration() }
    /// uikit/uibutton/configuration-swift.struct/gray()
    public static func gray() -> Configuration { Configuration() }
    /// uikit/uibutton/configuration-swift.struct/filled()
    public static func filled() -> Configuration { Configuration() }
  }
  /// uikit/uibutton/configuration-swift.property
  open var configuration: Configuration?
  /// uikit/uibutton/menu
  open var menu: UIMenu?
  /// uikit/uibutton/showsmenuasprimaryaction
  open var showsMenuAsPrimaryAction = false
  /// uikit/uibutton/init(configuration:primaryaction:)
  public convenience init(configuration: Configuration, primaryAction: UIAction? = nil) {
    self.init(frame: .zero)
    self.configuration = configuration
    if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
  }
}

/// uikit/nstextlayoutaxis
public enum NSTextLayoutAxis: Int, Sendable {
  /// uikit/nstextlayoutaxis/horizontal
  case horizontal, vertical
}

/// uikit/uistackview
@MainActor
open class UIStackView: UIView {
  /// uikit/uistackview/alignment-swift.enum
  public enum Alignment: Int, Sendable {
    /// uikit/uistackview/alignment-swift.enum/fill
    case fill, leading, center, trailing
  }
  /// uikit/uistackview/axis
  open var axis = NSLayoutConstraint.Axis.horizontal
  /// uikit/uistackview/spacing
  open var spacing: CGFloat = 0
  /// uikit/uistackview/alignment-swift.property
  open var alignment = Alignment.fill
  /// uikit/uistackview/distribution-swift.enum
  public enum Distribution: Int, Sendable {
    /// uikit/uistackview/distribution-swift.enum/fill
    case fill, fillEqually, fillProportionally, equalSpacing
  }
  /// uikit/uistackview/distribution-swift.property
  open var distribution = Distribution.fill
  /// uikit/uistackview/addarrangedsubview(_:)
  open func addArrangedSubview(_ view: UIView) { addSubview(view) }
  /// uikit/uistackview/init(arrangedsubviews:)
  public convenience init(arrangedSubviews views: [UIView]) {
    self.init(frame: .zero)
    for view in views { addSubview(view) }
  }
}

extension NSLayoutConstraint {
  /// uikit/nslayoutconstraint/axis
  public enum Axis: Int, Sendable {
    /// uikit/nslayoutconstraint/axis/horizontal
    case horizontal, vertical
  }
}

/// uikit/uiimageview
@MainActor
open class UIImageView: UIView {
  /// uikit/uiimageview/image
  open var image: UIImage?
  /// uikit/uiimageview/init(frame:)
  public override init(frame: CGRect) { super.init(frame: frame) }
  /// uikit/uiimageview/init(image:)
  public init(image: UIImage?) {
    self.image = image
    super.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
    isUserInteractionEnabled = false
  }
  /// uikit/uiimageview/init(image:highlightedimage:)
  public init(image: UIImage?, highlightedImage: UIImage?) {
    self.image = image
    self.highlightedImage = highlightedImage
    super.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
    isUserInteractionEnabled = false
  }
  /// uikit/uiimageview/preferredimagedynamicrange
  @available(iOS 17.0, *)
  open var preferredImageDynamicRange: UIImage.DynamicRange {
    get { UIImage.DynamicRange(rawValue: dynamicRange) ?? .unspecified }
    set { dynamicRange = newValue.rawValue }
  }
  private var dynamicRange = -1
  /// uikit/uiimageview/highlightedimage
  open var highlightedImage: UIImage?
  /// uikit/uiimageview/init(coder:)
  public required init?(coder: NSCoder) { super.init(coder: coder) }
}

/// uikit/uibarbuttonitem
@MainActor
open class UIBarButtonItem {
  /// uikit/uibarbuttonitem/isenabled
  open var isEnabled = true
  /// uikit/uibarbuttonitem/primaryaction
  open var primaryAction: UIAction?
  /// uikit/uibarbuttonitem/init(title:image:primaryaction:)
  public init(
    title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil
  ) {
    self.primaryAction = primaryAction
  }
  /// Not Apple's: simulates a tap.
  public func tap() {
    if let primaryAction { primaryAction.handler(primaryAction) }
  }
}

/// uikit/uinavigationitem
@MainActor
open class UINavigationItem {
  /// uikit/uinavigationitem/leftbarbuttonitem
  open var leftBarButtonItem: UIBarButtonItem?
  /// uikit/uinavigationitem/rightbarbuttonitem
  open var rightBarButtonItem: UIBarButtonItem?
  /// uikit/uinavigationitem/init()
  public init() {}
}
