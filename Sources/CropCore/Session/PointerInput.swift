/// The kind of a pointer.
public enum PointerKind: Int, Hashable, Sendable {
  /// A mouse or the pointer of a trackpad.
  case mouse = 0
  /// A finger.
  case touch = 1
  /// A stylus.
  case pen = 2
}

/// The phase of a pointer event.
public enum PointerPhase: Int, Hashable, Sendable {
  /// The pointer was pressed.
  case down = 0
  /// The pointer moved. Without an earlier `down`, it hovers.
  case move = 1
  /// The pointer was released.
  case up = 2
  /// The system took the pointer away; the gesture is undone.
  case cancel = 3
  /// A hovering pointer left the view.
  case leave = 4
}

/// The button that a pointer pressed.
public enum PointerButton: Int, Hashable, Sendable {
  /// The main button, or contact with a touchscreen.
  case primary = 0
  /// The middle button; it pans.
  case middle = 1
}

/// The modifier keys that are held.
public struct Modifiers: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int
  /// Modifiers with the given bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Shift: keeps the ratio; arrow keys move by ten pixels.
  public static var shift: Self { Self(rawValue: 1) }
  /// Alt or Option: resizes about the center; arrow keys resize.
  public static var alt: Self { Self(rawValue: 2) }
  /// Control or Command; arrow keys move by a hundred pixels.
  public static var command: Self { Self(rawValue: 4) }
  /// The space bar: drags move instead of resizing.
  public static var space: Self { Self(rawValue: 8) }
}

/// A pointer event.
public struct PointerInput: Hashable, Sendable {
  /// The phase.
  public var phase: PointerPhase
  /// Identifies the pointer; the same number from `down` to `up`.
  public var id: Int
  /// The position of the pointer.
  public var position: ViewPoint
  /// The time of the event.
  public var time: Seconds
  /// The kind of pointer.
  public var kind: PointerKind
  /// The button that is pressed.
  public var button: PointerButton
  /// The modifier keys that are held.
  public var modifiers: Modifiers

  /// A pointer event with the given values.
  public init(
    _ phase: PointerPhase, id: Int = 0, at position: ViewPoint, time: Seconds,
    kind: PointerKind = .mouse, button: PointerButton = .primary, modifiers: Modifiers = []
  ) {
    self.phase = phase
    self.id = id
    self.position = position
    self.time = time
    self.kind = kind
    self.button = button
    self.modifiers = modifiers
  }
}
