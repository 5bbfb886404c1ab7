/// The keyboard. Its events arrive only while the user interface's element has the focus.
extension CropSession {
  mutating func handle(_ key: Key, _ modifiers: Modifiers) {
    guard image != nil else { return }
    let isHandled =
      switch key {
      case .left, .right, .up, .down: arrow(key, modifiers)
      case .spaceDown, .spaceUp: space(key == .spaceDown)
      case .escape: escape()
      case .delete: delete()
      case .tab: tab(backwards: modifiers.contains(.shift))
      case .enter: enter()
      case .plus: zoomKey(Interaction.keyZoom, modifiers)
      case .minus: zoomKey(1 / Interaction.keyZoom, modifiers)
      case .zero, .r, .h, .v, .z, .y: letter(key, modifiers)
      }
    if isHandled { feedback.changes.insert(.handled) }
  }

  private mutating func arrow(_ key: Key, _ modifiers: Modifiers) -> Bool {
    guard document.edit.selection != nil, !interaction.gesture.isActive else { return false }
    let steps = Interaction.keySteps
    let step =
      modifiers.contains(.command)
      ? steps.command : modifiers.contains(.shift) ? steps.shift : steps.plain
    let vector =
      switch key {
      case .left: FrameVector(dx: -step, dy: 0)
      case .right: FrameVector(dx: step, dy: 0)
      case .up: FrameVector(dx: 0, dy: -step)
      default: FrameVector(dx: 0, dy: step)
      }
    if let handle = focus?.handle {
      resizeSelection(handle, by: vector)
    } else if modifiers.contains(.alt) {
      resizeSelection(.bottomRight, by: vector)
    } else {
      nudge(by: vector)
    }
    return true
  }

  private mutating func space(_ isDown: Bool) -> Bool {
    interaction.isSpaceHeld = isDown
    return isVisible
  }

  private mutating func escape() -> Bool {
    if interaction.gesture.isUnderWay {
      cancelGesture()
      return true
    }
    if interaction.armed != nil {
      interaction.armed = nil
      return true
    }
    return delete()
  }

  private mutating func delete() -> Bool {
    guard settings.style == .marquee, document.edit.selection != nil, !interaction.gesture.isActive
    else { return false }
    clearSelection()
    return true
  }

  /// Moves the focus from the selection through the handles; beyond either end, the page handles
  /// the key.
  private mutating func tab(backwards: Bool) -> Bool {
    guard document.edit.selection != nil else { return false }
    let last =
      settings.style == .viewfinder ? ElementKey.selection.rawValue : ElementKey.left.rawValue
    let current = focus?.rawValue ?? (backwards ? last + 1 : ElementKey.picture.rawValue)
    let next = current + (backwards ? -1 : 1)
    guard next >= ElementKey.selection.rawValue, next <= last else {
      feedback.focus = nil
      return false
    }
    feedback.focus = ElementKey(rawValue: next)
    return true
  }

  private mutating func enter() -> Bool {
    guard isValid, !interaction.gesture.isActive else { return false }
    feedback.changes.insert(.cropWanted)
    return true
  }

  private mutating func zoomKey(_ factor: Double, _ modifiers: Modifiers) -> Bool {
    guard !modifiers.contains(.command) else { return false }
    zoom(by: factor)
    return true
  }

  private mutating func letter(_ key: Key, _ modifiers: Modifiers) -> Bool {
    let (isCommand, isShift) = (modifiers.contains(.command), modifiers.contains(.shift))
    switch (key, isCommand) {
    case (.z, true): handle(isShift ? Command.redo : .undo)
    case (.y, true): handle(Command.redo)
    case (.r, false): handle(Command.turn(clockwise: !isShift))
    case (.h, false): handle(Command.mirror(vertically: false))
    case (.v, false): handle(Command.mirror(vertically: true))
    case (.zero, false): handle(Command.fit)
    default: return false
    }
    return true
  }
}
