/// uikit/uigesturerecognizer
@MainActor
open class UIGestureRecognizer: NSObject {
  /// uikit/uigesturerecognizer/state-swift.enum
  public enum State: Int, Sendable {
    /// uikit/uigesturerecognizer/state-swift.enum/possible
    case possible, began, changed, ended, cancelled, failed
  }

  /// uikit/uigesturerecognizer/state-swift.property
  open var state = State.possible
  /// uikit/uigesturerecognizer/view
  open internal(set) weak var view: UIView?
  /// uikit/uigesturerecognizer/isenabled
  open var isEnabled = true
  /// uikit/uigesturerecognizer/cancelstouchesinview
  open var cancelsTouchesInView = true
  /// uikit/uigesturerecognizer/allowedtouchtypes
  open var allowedTouchTypes: [NSNumber] = []
  /// uikit/uigesturerecognizer/numberoftouches
  /// Set by tests.
  open var numberOfTouches = 0
  /// uikit/uigesturerecognizer/modifierflags
  open var modifierFlags: UIKeyModifierFlags = []
  /// uikit/uigesturerecognizer/location(in:)
  open func location(in view: UIView?) -> CGPoint {
    guard let view else { return place }
    return view.convert(place, from: nil)
  }
  /// uikit/uigesturerecognizer/touchesbegan(_:with:)
  open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {}

  /// uikit/uigesturerecognizer/init()
  public override init() { super.init() }

  /// Not Apple's, which take a target and a selector: called after changes.
  public var actions: [@MainActor () -> Void] = []
  /// Not Apple's: the position of the gesture in the window.
  public var place = CGPoint.zero

  /// Not Apple's: calls the actions with a new state.
  public func fire(_ state: State) {
    self.state = state
    for action in actions { action() }
  }
}

/// uikit/uiscrolltypemask
public struct UIScrollTypeMask: OptionSet, Sendable {
  /// uikit/uiscrolltypemask/rawvalue
  public let rawValue: Int
  /// uikit/uiscrolltypemask/init(rawvalue:)
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// uikit/uiscrolltypemask/discrete
  public static var discrete: UIScrollTypeMask { UIScrollTypeMask(rawValue: 1) }
  /// uikit/uiscrolltypemask/continuous
  public static var continuous: UIScrollTypeMask { UIScrollTypeMask(rawValue: 2) }
  /// uikit/uiscrolltypemask/all
  public static var all: UIScrollTypeMask { [.discrete, .continuous] }
}

/// uikit/uipangesturerecognizer
@MainActor
open class UIPanGestureRecognizer: UIGestureRecognizer {
  /// uikit/uipangesturerecognizer/allowedscrolltypesmask
  open var allowedScrollTypesMask: UIScrollTypeMask = []
  /// uikit/uipangesturerecognizer/translation(in:)
  open func translation(in view: UIView?) -> CGPoint { way }
  /// uikit/uipangesturerecognizer/settranslation(_:in:)
  open func setTranslation(_ translation: CGPoint, in view: UIView?) { way = translation }
  /// Not Apple's: the translation of the gesture.
  public var way = CGPoint.zero
}

/// uikit/uitapgesturerecognizer
@MainActor
open class UITapGestureRecognizer: UIGestureRecognizer {}

/// uikit/uipinchgesturerecognizer
@MainActor
open class UIPinchGestureRecognizer: UIGestureRecognizer {
  /// uikit/uipinchgesturerecognizer/scale
  open var scale: CGFloat = 1
}

/// uikit/uiinteraction
@MainActor
public protocol UIInteraction: AnyObject {}

/// uikit/uipointerinteractiondelegate
@MainActor
public protocol UIPointerInteractionDelegate: AnyObject {
  /// uikit/uipointerinteractiondelegate/pointerinteraction(_:regionfor:defaultregion:)
  func pointerInteraction(
    _ interaction: UIPointerInteraction, regionFor request: UIPointerRegionRequest,
    defaultRegion: UIPointerRegion
  ) -> UIPointerRegion?
  /// uikit/uipointerinteractiondelegate/pointerinteraction(_:stylefor:)
  func pointerInteraction(
    _ interaction: UIPointerInteraction, styleFor region: UIPointerRegion
  ) -> UIPointerStyle?
  /// uikit/uipointerinteractiondelegate/pointerinteraction(_:willexit:animator:)
  func pointerInteraction(
    _ interaction: UIPointerInteraction, willExit region: UIPointerRegion,
    animator: any UIPointerInteractionAnimating)
}

/// uikit/uipointerinteractionanimating
@MainActor
public protocol UIPointerInteractionAnimating: AnyObject {}

/// uikit/uipointerinteraction
@MainActor
open class UIPointerInteraction: UIInteraction {
  /// uikit/uipointerinteraction/delegate
  open private(set) weak var delegate: (any UIPointerInteractionDelegate)?
  /// uikit/uipointerinteraction/init(delegate:)
  public init(delegate: (any UIPointerInteractionDelegate)?) { self.delegate = delegate }
}

/// uikit/uipointerregionrequest
@MainActor
open class UIPointerRegionRequest {
  /// uikit/uipointerregionrequest/location
  open private(set) var location: CGPoint
  /// uikit/uipointerregionrequest/modifiers
  open private(set) var modifiers: UIKeyModifierFlags

  /// Not Apple's.
  public init(_ location: CGPoint, _ modifiers: UIKeyModifierFlags = []) {
    (self.location, self.modifiers) = (location, modifiers)
  }
}

/// uikit/uipointerregion
@MainActor
open class UIPointerRegion {
  /// uikit/uipointerregion/rect
  open private(set) var rect: CGRect
  /// uikit/uipointerregion/identifier
  open private(set) var identifier: AnyHashable?
  /// uikit/uipointerregion/init(rect:identifier:)
  public init(rect: CGRect, identifier: AnyHashable? = nil) {
    (self.rect, self.identifier) = (rect, identifier)
  }
}

/// uikit/uipointershape-swift.enum
public enum UIPointerShape: Sendable {
  /// uikit/uipointershape-swift.enum/roundedrect
  case roundedRect(CGRect, radius: CGFloat)
  /// uikit/uipointershape-swift.enum/verticalbeam
  case verticalBeam(length: CGFloat)
  /// uikit/uipointershape-swift.enum/horizontalbeam
  case horizontalBeam(length: CGFloat)
}

/// uikit/uiaxis
public struct UIAxis: OptionSet, Sendable {
  /// uikit/uiaxis/rawvalue
  public let rawValue: UInt
  /// uikit/uiaxis/init(rawvalue:)
  public init(rawValue: UInt) { self.rawValue = rawValue }
}

/// uikit/uipointerstyle
@MainActor
open class UIPointerStyle {
  /// uikit/uipointerstyle/shape
  open private(set) var shape: UIPointerShape?
  /// uikit/uipointerstyle/accessories
  open var accessories: [UIPointerAccessory] = []
  /// uikit/uipointerstyle/init(shape:constrainedaxes:)
  public convenience init(shape: UIPointerShape, constrainedAxes axes: UIAxis = []) {
    self.init()
    self.shape = shape
  }
  /// uikit/uipointerstyle/system()
  public class func system() -> Self { Self() }
  /// uikit/uipointerstyle/init()
  public required init() {}
}

/// uikit/uipointeraccessory
@MainActor
open class UIPointerAccessory {
  /// uikit/uipointeraccessory/position-swift.struct
  public struct Position: Equatable, Sendable {
    let name: String
    /// uikit/uipointeraccessory/position-swift.struct/top
    public static let top = Position(name: "top"), left = Position(name: "left")
    /// uikit/uipointeraccessory/position-swift.struct/bottom
    public static let bottom = Position(name: "bottom"), right = Position(name: "right")
    /// uikit/uipointeraccessory/position-swift.struct/topleft
    public static let topLeft = Position(name: "topLeft"), topRight = Position(name: "topRight")
    /// uikit/uipointeraccessory/position-swift.struct/bottomleft
    public static let bottomLeft = Position(name: "bottomLeft")
    /// uikit/uipointeraccessory/position-swift.struct/bottomright
    public static let bottomRight = Position(name: "bottomRight")
  }
  /// uikit/uipointeraccessory/position-swift.property
  public let position: Position
  /// uikit/uipointeraccessory/init(_:)
  public required init(_ position: Position) { self.position = position }
  /// uikit/uipointeraccessory/arrow(_:)
  public class func arrow(_ position: Position) -> Self { Self(position) }
}
