/// A time in seconds since any fixed moment; only differences count.
public typealias Seconds = Double

/// Anything that happens to a session.
public enum Input: Hashable, Sendable {
  /// A pointer did something.
  case pointer(PointerInput)
  /// The wheel turned.
  case wheel(WheelInput)
  /// A trackpad magnified by `factor` about a point.
  case magnify(at: ViewPoint, factor: Double, time: Seconds)
  /// A key was pressed.
  case key(Key, Modifiers, time: Seconds)
  /// The view has another size.
  case resize(ViewSize)
  /// Time passed; sent every frame while the session wants ticks.
  case tick(Seconds)
  /// A button or menu was used; without a time, no time has passed since the last input.
  case command(Command, time: Seconds? = nil)
}

/// A turn of the wheel or a two-finger scroll.
public struct WheelInput: Hashable, Sendable {
  /// Where the pointer is.
  public var position: ViewPoint
  /// How far, in view points; positive scrolls down and to the right.
  public var delta: ViewVector
  /// Whether it comes from a trackpad or a smooth wheel and not in detents.
  public var isPrecise: Bool
  /// The keys held; with `command` it is a pinch.
  public var modifiers: Modifiers
  /// When.
  public var time: Seconds

  /// A turn of the wheel.
  public init(
    at position: ViewPoint, delta: ViewVector, isPrecise: Bool, modifiers: Modifiers = [],
    time: Seconds
  ) {
    self.position = position
    self.delta = delta
    self.isPrecise = isPrecise
    self.modifiers = modifiers
    self.time = time
  }
}

/// A key the session knows.
public enum Key: Int, Hashable, Sendable {
  /// The arrow keys.
  case left = 0, right, up, down
  /// Crops.
  case enter
  /// Cancels the gesture, then clears.
  case escape
  /// Delete or Backspace: clears.
  case delete
  /// Walks the selection and its handles.
  case tab
  /// Zooms in and out; fits.
  case plus, minus, zero
  /// Letters: turn, mirror, undo, redo.
  case r, h, v, z
  /// The space bar going down and up.
  case spaceDown, spaceUp
  /// Redo, with control.
  case y
}
