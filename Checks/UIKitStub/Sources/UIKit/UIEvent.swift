/// uikit/uievent
@MainActor
open class UIEvent {
  /// uikit/uievent/buttonmask
  public struct ButtonMask: OptionSet, Sendable {
    /// uikit/uievent/buttonmask/rawvalue
    public let rawValue: Int
    /// uikit/uievent/buttonmask/init(rawvalue:)
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// uikit/uievent/buttonmask/primary
    public static var primary: ButtonMask { .button(1) }
    /// uikit/uievent/buttonmask/secondary
    public static var secondary: ButtonMask { .button(2) }
    /// uikit/uievent/buttonmask/button(_:)
    public static func button(_ buttonNumber: Int) -> ButtonMask {
      ButtonMask(rawValue: 1 << (buttonNumber - 1))
    }
  }

  /// uikit/uievent/buttonmask
  open var buttonMask: ButtonMask
  /// uikit/uievent/modifierflags
  open var modifierFlags: UIKeyModifierFlags

  /// Not Apple's.
  public init(_ modifierFlags: UIKeyModifierFlags = [], _ buttonMask: ButtonMask = []) {
    (self.modifierFlags, self.buttonMask) = (modifierFlags, buttonMask)
  }
}

/// uikit/uikeymodifierflags
public struct UIKeyModifierFlags: OptionSet, Sendable {
  /// uikit/uikeymodifierflags/rawvalue
  public let rawValue: Int
  /// uikit/uikeymodifierflags/init(rawvalue:)
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// uikit/uikeymodifierflags/alphashift
  public static let alphaShift = UIKeyModifierFlags(rawValue: 1 << 16)
  /// uikit/uikeymodifierflags/shift
  public static let shift = UIKeyModifierFlags(rawValue: 1 << 17)
  /// uikit/uikeymodifierflags/control
  public static let control = UIKeyModifierFlags(rawValue: 1 << 18)
  /// uikit/uikeymodifierflags/alternate
  public static let alternate = UIKeyModifierFlags(rawValue: 1 << 19)
  /// uikit/uikeymodifierflags/command
  public static let command = UIKeyModifierFlags(rawValue: 1 << 20)
}

/// uikit/uitouch
@MainActor
open class UITouch {
  /// uikit/uitouch/touchtype
  public enum TouchType: Int, Sendable {
    /// uikit/uitouch/touchtype/direct
    case direct, indirect, pencil, indirectPointer
  }

  /// uikit/uitouch/timestamp
  open private(set) var timestamp: TimeInterval = 0
  /// uikit/uitouch/type
  open private(set) var type: TouchType
  /// uikit/uitouch/view
  open private(set) weak var view: UIView?
  private var inWindow = CGPoint.zero

  /// uikit/uitouch/location(in:)
  open func location(in view: UIView?) -> CGPoint {
    guard let view else { return inWindow }
    return view.convert(inWindow, from: nil)
  }
  /// uikit/uitouch/preciselocation(in:)
  open func preciseLocation(in view: UIView?) -> CGPoint { location(in: view) }

  /// Not Apple's: a touch that has not started.
  public init(_ type: TouchType = .direct) { self.type = type }

  /// Not Apple's: moves the touch to a position in a view, at a time.
  public func place(_ point: CGPoint, in view: UIView, at time: TimeInterval) {
    inWindow = view.convert(point, to: nil)
    timestamp = time
    if self.view == nil { self.view = view }
  }
}

/// uikit/uipressesevent
@MainActor
open class UIPressesEvent: UIEvent {}

/// uikit/uipress
@MainActor
open class UIPress {
  /// uikit/uipress/key
  open private(set) var key: UIKey?
  /// uikit/uipress/timestamp
  open private(set) var timestamp: TimeInterval

  /// Not Apple's.
  public init(_ key: UIKey, at time: TimeInterval) {
    self.key = key
    timestamp = time
  }
}

/// uikit/uikey
@MainActor
open class UIKey {
  /// uikit/uikey/characters
  open private(set) var characters: String
  /// uikit/uikey/charactersignoringmodifiers
  open private(set) var charactersIgnoringModifiers: String
  /// uikit/uikey/modifierflags
  open private(set) var modifierFlags: UIKeyModifierFlags
  /// uikit/uikey/keycode
  open private(set) var keyCode: UIKeyboardHIDUsage

  /// Not Apple's.
  public init(
    _ keyCode: UIKeyboardHIDUsage, _ characters: String = "", _ flags: UIKeyModifierFlags = []
  ) {
    self.keyCode = keyCode
    self.characters = characters
    charactersIgnoringModifiers = characters
    modifierFlags = flags
  }
}

/// uikit/uikeyboardhidusage
public enum UIKeyboardHIDUsage: Int, Sendable {
  /// uikit/uikeyboardhidusage/keyboarderrorrollover
  case keyboardErrorRollOver = 1
  /// uikit/uikeyboardhidusage/keyboarda
  case keyboardA = 4
  /// uikit/uikeyboardhidusage/keyboardreturnorenter
  case keyboardReturnOrEnter = 40
  /// uikit/uikeyboardhidusage/keyboardescape
  case keyboardEscape = 41
  /// uikit/uikeyboardhidusage/keyboarddeleteorbackspace
  case keyboardDeleteOrBackspace = 42
  /// uikit/uikeyboardhidusage/keyboardtab
  case keyboardTab = 43
  /// uikit/uikeyboardhidusage/keyboardspacebar
  case keyboardSpacebar = 44
  /// uikit/uikeyboardhidusage/keyboarddeleteforward
  case keyboardDeleteForward = 76
  /// uikit/uikeyboardhidusage/keyboardrightarrow
  case keyboardRightArrow = 79
  /// uikit/uikeyboardhidusage/keyboardleftarrow
  case keyboardLeftArrow = 80
  /// uikit/uikeyboardhidusage/keyboarddownarrow
  case keyboardDownArrow = 81
  /// uikit/uikeyboardhidusage/keyboarduparrow
  case keyboardUpArrow = 82
  /// uikit/uikeyboardhidusage/keypadenter
  case keypadEnter = 88
}

extension UITouch: Hashable {
  /// uikit/uitouch/==(a:b:)
  nonisolated public static func == (a: UITouch, b: UITouch) -> Bool { a === b }
  /// uikit/uitouch/hash(into:)
  nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension UIPress: Hashable {
  /// uikit/uipress/==(a:b:)
  nonisolated public static func == (a: UIPress, b: UIPress) -> Bool { a === b }
  /// uikit/uipress/hash(into:)
  nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
