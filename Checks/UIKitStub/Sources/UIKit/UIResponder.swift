@_exported import CoreGraphics
@_exported import Foundation
@_exported import QuartzCore

/// uikit/uiresponder
@MainActor
open class UIResponder: NSObject {
  /// uikit/uiresponder/init()
  public override init() { super.init() }

  /// uikit/uiresponder/next
  open var next: UIResponder? { nil }
  /// uikit/uiresponder/undomanager
  open var undoManager: UndoManager? { next?.undoManager }
  /// uikit/uiresponder/canbecomefirstresponder
  open var canBecomeFirstResponder: Bool { false }
  /// uikit/uiresponder/isfirstresponder
  open var isFirstResponder: Bool { UIResponder.first === self }

  /// uikit/uiresponder/becomefirstresponder()
  @discardableResult
  open func becomeFirstResponder() -> Bool {
    guard canBecomeFirstResponder else { return false }
    if UIResponder.first !== self, UIResponder.first?.resignFirstResponder() == false {
      return false
    }
    UIResponder.first = self
    return true
  }

  /// uikit/uiresponder/resignfirstresponder()
  @discardableResult
  open func resignFirstResponder() -> Bool {
    if UIResponder.first === self { UIResponder.first = nil }
    return true
  }

  /// uikit/uiresponder/touchesbegan(_:with:)
  open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
    next?.touchesBegan(touches, with: event)
  }
  /// uikit/uiresponder/touchesmoved(_:with:)
  open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
    next?.touchesMoved(touches, with: event)
  }
  /// uikit/uiresponder/touchesended(_:with:)
  open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
    next?.touchesEnded(touches, with: event)
  }
  /// uikit/uiresponder/touchescancelled(_:with:)
  open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
    next?.touchesCancelled(touches, with: event)
  }
  /// uikit/uiresponder/pressesbegan(_:with:)
  open func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
    next?.pressesBegan(presses, with: event)
  }
  /// uikit/uiresponder/pressesended(_:with:)
  open func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
    next?.pressesEnded(presses, with: event)
  }
  /// uikit/uiresponder/pressescancelled(_:with:)
  open func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
    next?.pressesCancelled(presses, with: event)
  }

  // On Apple's platforms, these belong to NSObject.
  /// uikit/uiresponder/isaccessibilityelement
  open var isAccessibilityElement = false
  /// uikit/uiresponder/accessibilitylabel
  open var accessibilityLabel: String?
  /// uikit/uiresponder/accessibilityhint
  open var accessibilityHint: String?
  /// uikit/uiresponder/accessibilityvalue
  open var accessibilityValue: String?
  /// uikit/uiresponder/accessibilitytraits
  open var accessibilityTraits: UIAccessibilityTraits = []
  /// uikit/uiresponder/accessibilityelementshidden
  open var accessibilityElementsHidden = false
  /// uikit/uiresponder/accessibilityelements
  open var accessibilityElements: [Any]?
  /// uikit/uiresponder/accessibilitycustomactions
  open var accessibilityCustomActions: [UIAccessibilityCustomAction]?
  /// uikit/uiresponder/accessibilityincrement()
  open func accessibilityIncrement() {}
  /// uikit/uiresponder/accessibilitydecrement()
  open func accessibilityDecrement() {}
  /// uikit/uiresponder/accessibilityactivate()
  open func accessibilityActivate() -> Bool { false }
  /// uikit/uiresponder/accessibilityperformescape()
  open func accessibilityPerformEscape() -> Bool { false }
  /// uikit/uiresponder/accessibilityperformmagictap()
  open func accessibilityPerformMagicTap() -> Bool { false }

  /// Not Apple's: the responder with keyboard focus.
  public internal(set) static weak var first: UIResponder?
}
