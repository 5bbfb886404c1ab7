#if canImport(UIKit)
  import CropCore
  import UIKit

  /// Passes input to the session.
  extension CropView {
    /// Forwards touches of one phase; those that started with another button are ignored.
    func forward(_ touches: Set<UITouch>, _ event: UIEvent?, as phase: PointerPhase) {
      for touch in touches.sorted(by: { $0.timestamp < $1.timestamp }) {
        let position = ViewPoint(touch.preciseLocation(in: self))
        if phase == .down {
          guard !(event?.buttonMask.contains(.secondary) ?? false) else { continue }
          // Decided before the session receives the touch.
          pointers.isClaimed = !pointers.isEmpty || session.needsTouch(at: position)
          pointers.add(touch)
        }
        guard let number = pointers[touch] else { continue }
        if phase == .up || phase == .cancel { pointers.remove(touch) }
        send(
          .pointer(
            PointerInput(
              phase, id: number, at: position, time: touch.timestamp, kind: touch.type.kind,
              button: event?.buttonMask.pointerButton ?? .primary,
              modifiers: modifiers(event?.modifierFlags ?? []))))
      }
    }

    /// Whether a drag that a surrounding scroll view wants belongs to the session, although the
    /// view has not got its touch yet.
    ///
    /// A scroll view delays touches by default. A fast drag starts its recognizer before that, and
    /// the view would never get the touch.
    func claimsDelayedTouch(of recognizer: UIGestureRecognizer) -> Bool {
      guard pointers.isEmpty, recognizer.numberOfTouches > 0,
        let pan = recognizer as? UIPanGestureRecognizer
      else { return false }
      let (end, way) = (pan.location(in: self), pan.translation(in: self))
      return session.needsTouch(at: ViewPoint(CGPoint(x: end.x - way.x, y: end.y - way.y)))
    }

    /// The modifier keys that are held, including the space bar.
    func modifiers(_ flags: UIKeyModifierFlags) -> Modifiers {
      var modifiers = Modifiers(flags)
      if pointers.isSpaceHeld { modifiers.insert(.space) }
      return modifiers
    }

    /// Forwards a key.
    ///
    /// - Returns: whether the session used it.
    func press(_ press: UIPress, isDown: Bool) -> Bool {
      guard let pressed = press.key, let key = Key(pressed, isDown: isDown) else { return false }
      if key == .spaceDown {
        // Ignores key repeats.
        if pointers.isSpaceHeld { return true }
        pointers.isSpaceHeld = true
      }
      if key == .spaceUp { pointers.isSpaceHeld = false }
      let modifiers = Modifiers(pressed.modifierFlags)
      return send(.key(key, modifiers, time: press.timestamp)).contains(.handled)
    }

    /// Cancels touches whose end will not be reported.
    func letGo() {
      for number in pointers.all {
        send(
          .pointer(PointerInput(.cancel, id: number, at: .zero, time: CACurrentMediaTime())))
      }
      pointers.removeAll()
      releaseSpace()
    }

    /// Releases the space bar if its release will not be reported.
    func releaseSpace() {
      guard pointers.isSpaceHeld else { return }
      pointers.isSpaceHeld = false
      send(.key(.spaceUp, [], time: CACurrentMediaTime()))
    }
  }

  /// The number of each touch, from its start to its end.
  struct PointerNumbers {
    /// Whether the touches belong to the session and not to a surrounding scroll view.
    var isClaimed = false
    /// Whether the space bar is down.
    var isSpaceHeld = false
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var next = 0

    var isEmpty: Bool { numbers.isEmpty }

    /// The numbers of all touches that are down, the oldest first.
    var all: [Int] { numbers.values.sorted() }

    subscript(touch: UITouch) -> Int? { numbers[ObjectIdentifier(touch)] }

    mutating func add(_ touch: UITouch) {
      // A touch whose end was lost keeps its number, so that the session notices.
      guard numbers[ObjectIdentifier(touch)] == nil else { return }
      numbers[ObjectIdentifier(touch)] = next
      next += 1
    }

    mutating func remove(_ touch: UITouch) {
      numbers[ObjectIdentifier(touch)] = nil
      if numbers.isEmpty { isClaimed = false }
    }

    mutating func removeAll() {
      numbers = [:]
      isClaimed = false
    }
  }

  extension UITouch.TouchType {
    /// The kind of the touch, for the session.
    var kind: PointerKind {
      switch self {
      case .indirectPointer: .mouse
      case .pencil: .pen
      default: .touch
      }
    }
  }

  extension UIEvent.ButtonMask {
    var pointerButton: PointerButton { contains(.button(3)) ? .middle : .primary }
  }

  extension Modifiers {
    /// The modifier keys that are held, for the session.
    init(_ flags: UIKeyModifierFlags) {
      self = []
      if flags.contains(.shift) { insert(.shift) }
      if flags.contains(.alternate) { insert(.alt) }
      if flags.contains(.control) || flags.contains(.command) { insert(.command) }
    }
  }
#endif
