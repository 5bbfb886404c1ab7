/// The keyboard. Its events arrive only while the user interface's element has the focus.
extension CropSession {
  mutating func handle(_ key: Key, _ modifiers: Modifiers) {
    if image != nil, uses(key, modifiers) { editor.announcer.changes.insert(.handled) }
  }

  /// Handles a key, and returns whether it was used, so that the surrounding page must not use it.
  private mutating func uses(_ key: Key, _ modifiers: Modifiers) -> Bool {
    let (isCommand, isShift) = (modifiers.contains(.command), modifiers.contains(.shift))
    let isResting = isValid && !isGestureActive
    switch key {
    case .left where isResting: arrow(-1, 0, modifiers)
    case .right where isResting: arrow(1, 0, modifiers)
    case .up where isResting: arrow(0, -1, modifiers)
    case .down where isResting: arrow(0, 1, modifiers)
    case .spaceDown, .spaceUp:
      gestures.isSpaceHeld = key == .spaceDown
      return editor.isVisible
    case .escape where gestures.gesture.isUnderWay: gestures.cancel(&editor)
    case .escape where armed != nil: gestures.armed = nil
    case .escape, .delete:
      guard settings.style == .marquee, isResting else { return false }
      editor.clearSelection()
    case .tab: return isValid && moveFocus(backwards: isShift)
    case .enter where isResting: editor.announcer.changes.insert(.cropWanted)
    case .plus where !isCommand: zoom(by: Interaction.keyZoom)
    case .minus where !isCommand: zoom(by: 1 / Interaction.keyZoom)
    case .zero where !isCommand: handle(Command.fit)
    case .r where !isCommand: handle(Command.turn(clockwise: !isShift))
    case .h where !isCommand: handle(Command.mirror(vertically: false))
    case .v where !isCommand: handle(Command.mirror(vertically: true))
    case .z where isCommand: handle(isShift ? Command.redo : .undo)
    case .y where isCommand: handle(Command.redo)
    case .left, .right, .up, .down, .enter, .plus, .minus, .zero, .r, .h, .v, .z, .y: return false
    }
    return true
  }

  private mutating func arrow(_ dx: Double, _ dy: Double, _ modifiers: Modifiers) {
    let steps = Interaction.keySteps
    let step =
      modifiers.contains(.command)
      ? steps.command : modifiers.contains(.shift) ? steps.shift : steps.plain
    let vector = FrameVector(dx: dx * step, dy: dy * step)
    if let handle = focus?.handle {
      editor.resize(handle, by: vector)
    } else if modifiers.contains(.alt) {
      editor.resize(.bottomRight, by: vector)
    } else {
      editor.nudge(by: vector)
    }
  }

  /// Moves the focus from the selection through the handles; beyond either end, the page handles
  /// the key.
  private mutating func moveFocus(backwards: Bool) -> Bool {
    let last = (settings.style == .viewfinder ? ElementKey.selection : .left).rawValue
    let current = focus?.rawValue ?? (backwards ? last + 1 : ElementKey.picture.rawValue)
    let next = current + (backwards ? -1 : 1)
    let isInside = next >= ElementKey.selection.rawValue && next <= last
    editor.focus = isInside ? ElementKey(rawValue: next) : nil
    return isInside
  }
}
