/// A time in seconds since any fixed moment; only differences matter.
public typealias Seconds = Double

/// An event that a session handles.
public enum Input: Hashable, Sendable {
  /// A pointer event.
  case pointer(PointerInput)
  /// A wheel event.
  case wheel(WheelInput)
  /// A trackpad pinch that zooms by `factor` about a point.
  case magnify(at: ViewPoint, factor: Double, time: Seconds)
  /// A key was pressed.
  case key(Key, Modifiers, time: Seconds)
  /// The size of the view changed.
  case resize(ViewSize)
  /// Time passed. Send it with every display frame while ``CropSession/wantsTicks`` is true.
  case tick(Seconds)
  /// A command from a button, a menu or a program. Without a time, it counts as simultaneous with
  /// the last input.
  case command(Command, time: Seconds? = nil)
}

/// A wheel event: a turn of a mouse wheel, or a two-finger scroll.
public struct WheelInput: Hashable, Sendable {
  /// The position of the pointer.
  public var position: ViewPoint
  /// The distance, in view points; positive values scroll down and to the right.
  public var delta: ViewVector
  /// Whether the event comes from a trackpad or a smooth wheel, which do not scroll in detents.
  public var isPrecise: Bool
  /// The modifier keys that are held; with `command`, the event zooms.
  public var modifiers: Modifiers
  /// The time of the event.
  public var time: Seconds

  /// A wheel event with the given values.
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

/// A key that the session handles.
public enum Key: Int, Hashable, Sendable {
  /// The arrow keys.
  case left = 0, right, up, down
  /// Requests the crop.
  case enter
  /// Cancels the gesture or, if there is none, clears the selection.
  case escape
  /// Delete or Backspace: clears the selection.
  case delete
  /// Moves the keyboard focus through the selection and its handles.
  case tab
  /// Zoom in, zoom out, and show the complete image.
  case plus, minus, zero
  /// The letters for turn, horizontal mirror, vertical mirror, and undo or redo.
  case r, h, v, z
  /// The space bar was pressed; released.
  case spaceDown, spaceUp
  /// Redo, with Control held.
  case y
}

extension Input {
  /// Whether every position, length and time is finite and small enough for the geometry.
  var isFinite: Bool {
    switch self {
    case .pointer(let pointer): pointer.position.isUsable && pointer.time.isUsable
    case .wheel(let wheel): wheel.position.isUsable && wheel.delta.isUsable && wheel.time.isUsable
    case .magnify(let point, let factor, let time):
      point.isUsable && factor.isUsable && factor > 0 && time.isUsable
    case .key(_, _, let time), .tick(let time): time.isUsable
    case .resize(let size):
      size.width.isUsable && size.height.isUsable && size.width >= 0 && size.height >= 0
    case .command(let command, let time): command.isUsable && time?.isUsable != false
    }
  }

  /// The time of the input, if it has one.
  var time: Seconds? {
    switch self {
    case .pointer(let pointer): pointer.time
    case .wheel(let wheel): wheel.time
    case .magnify(_, _, let time), .key(_, _, let time), .tick(let time): time
    case .command(_, let time): time
    case .resize: nil
    }
  }
}

extension Double {
  /// Whether the number is finite, and so small that products and sums of a few such numbers stay
  /// finite and precise.
  fileprivate var isUsable: Bool { abs(self) < 1e12 }
}

extension CropPoint {
  fileprivate var isUsable: Bool { x.isUsable && y.isUsable }
}

extension CropRect {
  fileprivate var isUsable: Bool {
    isProper && x.isUsable && y.isUsable && width.isUsable && height.isUsable
  }
}

extension Vector {
  fileprivate var isUsable: Bool { dx.isUsable && dy.isUsable }
}

extension Command {
  fileprivate var isUsable: Bool {
    switch self {
    case .tilt(let angle, _): angle.degrees.isUsable
    case .zoom(let factor): factor.isUsable && factor > 0
    case .margin(let margin): margin.isUsable && margin >= 0
    case .largestZoom(let zoom?): zoom.isUsable && zoom >= 1
    case .layoutArea(let area?):
      area.isUsable
    case .viewfinderTop(let share?): (0...1).contains(share)
    case .select(let rect): rect.isUsable
    case .set(_, let value): value.isUsable
    case .shape(.roundedRectangle(let radius)): radius.isUsable && radius >= 0
    case .guide(let guide):
      guide.marks.allSatisfy {
        $0.x.isUsable && $0.y.isUsable && $0.width.isUsable && $0.height.isUsable
      }
    default: true
    }
  }
}
