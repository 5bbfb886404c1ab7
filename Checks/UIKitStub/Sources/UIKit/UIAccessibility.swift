/// uikit/uiaccessibilitytraits
public struct UIAccessibilityTraits: OptionSet, Sendable {
  /// uikit/uiaccessibilitytraits/rawvalue
  public let rawValue: UInt64
  /// uikit/uiaccessibilitytraits/init(rawvalue:)
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// uikit/uiaccessibilitytraits/button
  public static let button = UIAccessibilityTraits(rawValue: 1)
  /// uikit/uiaccessibilitytraits/image
  public static let image = UIAccessibilityTraits(rawValue: 4)
  /// uikit/uiaccessibilitytraits/header
  public static let header = UIAccessibilityTraits(rawValue: 65_536)
  /// uikit/uiaccessibilitytraits/adjustable
  public static let adjustable = UIAccessibilityTraits(rawValue: 4096)
}

/// uikit/uiaccessibilityelement
@MainActor
open class UIAccessibilityElement: UIResponder {
  /// uikit/uiaccessibilityelement/accessibilitycontainer
  open weak var accessibilityContainer: AnyObject?
  /// uikit/uiaccessibilityelement/accessibilityframeincontainerspace
  open var accessibilityFrameInContainerSpace = CGRect.zero

  /// uikit/uiaccessibilityelement/init(accessibilitycontainer:)
  public init(accessibilityContainer container: Any) {
    accessibilityContainer = container as AnyObject
    super.init()
  }
}

/// uikit/uiaccessibilitycustomaction
@MainActor
open class UIAccessibilityCustomAction {
  /// uikit/uiaccessibilitycustomaction/handler
  public typealias Handler = (UIAccessibilityCustomAction) -> Bool
  /// uikit/uiaccessibilitycustomaction/name
  open var name: String
  /// uikit/uiaccessibilitycustomaction/actionhandler
  open var actionHandler: Handler?
  /// uikit/uiaccessibilitycustomaction/init(name:actionhandler:)
  public init(name: String, actionHandler: Handler?) {
    (self.name, self.actionHandler) = (name, actionHandler)
  }
}

/// uikit/uiaccessibility
@MainActor
public enum UIAccessibility {
  /// uikit/uiaccessibility/notification
  public struct Notification: RawRepresentable, Hashable, Sendable {
    /// uikit/uiaccessibility/notification/rawvalue
    public let rawValue: UInt32
    /// uikit/uiaccessibility/notification/init(rawvalue:)
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// uikit/uiaccessibility/notification/screenchanged
    public static let screenChanged = Notification(rawValue: 1000)
    /// uikit/uiaccessibility/notification/layoutchanged
    public static let layoutChanged = Notification(rawValue: 1001)
    /// uikit/uiaccessibility/notification/announcement
    public static let announcement = Notification(rawValue: 1008)
  }

  /// uikit/uiaccessibility/isreducemotionenabled
  /// Set by tests.
  public static var isReduceMotionEnabled = false
  /// uikit/uiaccessibility/isvoiceoverrunning
  /// Set by tests.
  public static var isVoiceOverRunning = false
  /// Not Apple's: the announcements, oldest first.
  public static var posted: [String] = []

  /// uikit/uiaccessibility/post(notification:argument:)
  public static func post(notification: Notification, argument: Any?) {
    if notification == .announcement, let text = argument as? String { posted.append(text) }
  }
}

/// uikit/uifeedbackgenerator
@available(visionOS, unavailable)
@MainActor
open class UIFeedbackGenerator {
  init() {}
  /// Not Apple's: the haptic feedback, oldest first.
  public static var played: [String] = []
  /// uikit/uifeedbackgenerator/prepare()
  open func prepare() {}
}

/// uikit/uiselectionfeedbackgenerator
@available(visionOS, unavailable)
@MainActor
open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
  /// uikit/uiselectionfeedbackgenerator/init()
  public override init() {}
  /// uikit/uiselectionfeedbackgenerator/selectionchanged()
  open func selectionChanged() { Self.played.append("selection") }
}

/// uikit/uiimpactfeedbackgenerator
@available(visionOS, unavailable)
@MainActor
open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
  /// uikit/uiimpactfeedbackgenerator/feedbackstyle
  public enum FeedbackStyle: Int, Sendable {
    /// uikit/uiimpactfeedbackgenerator/feedbackstyle/light
    case light, medium, heavy, soft, rigid
  }
  /// uikit/uiimpactfeedbackgenerator/init(style:)
  public init(style: FeedbackStyle) { super.init() }
  /// uikit/uiimpactfeedbackgenerator/impactoccurred()
  open func impactOccurred() { Self.played.append("impact") }
}
