#if canImport(UIKit)
  import CropCore
  import UIKit

  @MainActor
  extension Key {
    /// The key for the session; nil for a key that it does not handle. Only the space bar is
    /// reported when it is released.
    init?(_ key: UIKey, isDown: Bool) {
      if key.keyCode == .keyboardSpacebar {
        self = isDown ? .spaceDown : .spaceUp
        return
      }
      guard isDown, let known = Self(code: key.keyCode) ?? Self(letter: key) else { return nil }
      self = known
    }

    /// A key that is at the same place on every keyboard.
    private init?(code: UIKeyboardHIDUsage) {
      switch code {
      case .keyboardLeftArrow: self = .left
      case .keyboardRightArrow: self = .right
      case .keyboardUpArrow: self = .up
      case .keyboardDownArrow: self = .down
      case .keyboardReturnOrEnter, .keypadEnter: self = .enter
      case .keyboardEscape: self = .escape
      case .keyboardDeleteOrBackspace, .keyboardDeleteForward: self = .delete
      case .keyboardTab: self = .tab
      default: return nil
      }
    }

    /// A key by its printed letter, independent of its place.
    private init?(letter key: UIKey) {
      switch key.charactersIgnoringModifiers.lowercased() {
      case "+", "=": self = .plus
      case "-": self = .minus
      case "0": self = .zero
      case "r": self = .r
      case "h": self = .h
      case "v": self = .v
      case "z": self = .z
      case "y": self = .y
      default: return nil
      }
    }
  }
#endif
