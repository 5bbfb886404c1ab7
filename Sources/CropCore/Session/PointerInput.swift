/// What touches the view.
public enum PointerKind: Int, Hashable, Sendable {
  /// A mouse or a trackpad's pointer.
  case mouse = 0
  /// A finger.
  case touch = 1
  /// A stylus.
  case pen = 2
}

/// A step in the life of a pointer.
public enum PointerPhase: Int, Hashable, Sendable {
  /// Pressed, or put down.
  case down = 0
  /// Moved; without a `down` before it, the pointer hovers.
  case move = 1
  /// Released.
  case up = 2
  /// Taken away by the system: the gesture never happened.
  case cancel = 3
  /// A hovering pointer left the view.
  case leave = 4
}

/// Which button a pointer pressed.
public enum PointerButton: Int, Hashable, Sendable {
  /// The main button, or contact.
  case primary = 0
  /// The middle button: pans.
  case middle = 1
}

/// The keys held while something else happens.
public struct Modifiers: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int
  /// Modifiers from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Keeps the ratio; ten pixels a key press.
  public static var shift: Self { Self(rawValue: 1) }
  /// Resizes about the centre; arrows resize.
  public static var alt: Self { Self(rawValue: 2) }
  /// Control or command; a hundred pixels a key press.
  public static var command: Self { Self(rawValue: 4) }
  /// The space bar: moves instead.
  public static var space: Self { Self(rawValue: 8) }
}

/// Something a pointer did.
public struct PointerInput: Hashable, Sendable {
  /// What it did.
  public var phase: PointerPhase
  /// Which pointer; the same number from down to up.
  public var id: Int
  /// Where it is.
  public var position: ViewPoint
  /// When.
  public var time: Seconds
  /// What it is.
  public var kind: PointerKind
  /// Which button is down.
  public var button: PointerButton
  /// The keys held.
  public var modifiers: Modifiers

  /// Something a pointer did.
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
