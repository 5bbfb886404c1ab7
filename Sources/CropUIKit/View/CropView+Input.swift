#if canImport(UIKit)
  import CropCore
  import UIKit

  /// From hands to the session.
  extension CropView {
    /// Forwards touches of one phase; those that came down with another button are left alone.
    func forward(_ touches: Set<UITouch>, _ event: UIEvent?, as phase: PointerPhase) {
      for touch in touches.sorted(by: { $0.timestamp < $1.timestamp }) {
        let position = ViewPoint(touch.preciseLocation(in: self))
        if phase == .down {
          guard !(event?.buttonMask.contains(.secondary) ?? false) else { continue }
          // Asked before the session knows of the touch.
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

    /// The keys held, the space bar among them.
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
        // A held key repeats.
        if pointers.isSpaceHeld { return true }
        pointers.isSpaceHeld = true
      }
      if key == .spaceUp { pointers.isSpaceHeld = false }
      let modifiers = Modifiers(pressed.modifierFlags)
      return send(.key(key, modifiers, time: press.timestamp)).contains(.handled)
    }

    /// Takes back what touches are doing whose way up will not be heard.
    func letGo() {
      for number in pointers.all {
        send(
          .pointer(PointerInput(.cancel, id: number, at: .zero, time: CACurrentMediaTime())))
      }
      pointers.removeAll()
      releaseSpace()
    }

    /// Lets the space bar go where its way up will not be heard.
    func releaseSpace() {
      guard pointers.isSpaceHeld else { return }
      pointers.isSpaceHeld = false
      send(.key(.spaceUp, [], time: CACurrentMediaTime()))
    }
  }

  /// Which number each touch has, from down to up.
  struct PointerNumbers {
    /// Whether the touches belong to the session and not to a scroll view around.
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
      // One whose way up was lost comes down with its number: the session then knows what happened.
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
    /// What touches, as the session calls it.
    var kind: PointerKind {
      switch self {
      case .indirectPointer: .mouse
      case .pencil: .pen
      default: .touch
      }
    }
  }

  extension UIEvent.ButtonMask {
    /// The button, as the session calls it.
    var pointerButton: PointerButton { contains(.button(3)) ? .middle : .primary }
  }

  extension Modifiers {
    /// The keys held, as the session calls them.
    init(_ flags: UIKeyModifierFlags) {
      self = []
      if flags.contains(.shift) { insert(.shift) }
      if flags.contains(.alternate) { insert(.alt) }
      if flags.contains(.control) || flags.contains(.command) { insert(.command) }
    }
  }
#endif
