/// A pointer that is down.
struct ActivePointer: Hashable, Sendable {
  var id: Int
  var kind: PointerKind
  var start: ViewPoint
  var position: ViewPoint
  var startTime: Seconds
  /// Its most recent positions, the oldest first, to compute the speed at release.
  var trail: [Place] = []

  /// A position and its time.
  struct Place: Hashable, Sendable {
    var position: ViewPoint
    var time: Seconds
  }

  /// The time of its last movement, or of the press.
  var lastMove: Seconds { trail.last?.time ?? startTime }

  /// Adds a position.
  mutating func move(to position: ViewPoint, at time: Seconds) {
    self.position = position
    forget(before: time - Interaction.glideMemory)
    // A mouse may report a thousand positions per second; these are enough.
    if trail.count >= 16 { trail.remove(at: 1) }
    trail.append(Place(position: position, time: time))
  }

  /// The current speed, in points per second; zero after a pause.
  func speed(at time: Seconds) -> ViewVector {
    var pointer = self
    pointer.forget(before: time - Interaction.glideMemory)
    guard let oldest = pointer.trail.first, time > oldest.time else { return .zero }
    return (position - oldest.position) * (1 / (time - oldest.time))
  }

  private mutating func forget(before time: Seconds) {
    while let oldest = trail.first, oldest.time < time { trail.removeFirst() }
  }
}

/// The current gesture.
enum Gesture: Hashable, Sendable {
  /// No gesture.
  case none
  /// A pointer is down and has not moved far enough for a drag.
  case pressed(Press)
  /// A rectangle is drawn or resized.
  case resizing(Resizing)
  /// The selection moves: it was at `start` when the pointer was at `grab`.
  case moving(start: FrameRect, grab: FramePoint)
  /// The image is panned or pinched.
  case panning(Panning)
  /// A line is drawn along a horizon.
  case levelling(from: ViewPoint, to: ViewPoint)
  /// All events are ignored until all pointers are up.
  case ignoring

  /// Whether the gesture can be cancelled: a pointer is down and not ignored.
  var isUnderWay: Bool { self != .none && self != .ignoring }

  /// Whether the image or the selection follows a pointer.
  var isActive: Bool {
    switch self {
    case .none, .pressed, .ignoring: false
    default: true
    }
  }
}

/// The element under a pointer when it came down.
enum Target: Hashable, Sendable {
  case handle(Handle), inside, outside
}

/// A pointer that is down and may become a tap or a drag.
struct Press: Hashable, Sendable {
  var target: Target
  var button: PointerButton
  /// Whether the press stopped a moving image; then it is not a tap.
  var caughtMotion: Bool
  /// Whether it followed a tap so soon that it makes a double tap.
  var followsTap: Bool
}

/// A selection that is drawn or resized by a pointer.
struct Resizing: Hashable, Sendable {
  /// The handle that follows the pointer; for a drawn rectangle, the bottom right corner at first.
  var handle: Handle
  /// The selection at the start; for a drawn rectangle, a point.
  var start: FrameRect
  /// The vector from the pointer to the handle.
  var offset: FrameVector
  /// The last position of the pointer, for moving with the space bar.
  var last: FramePoint
  /// Whether a new rectangle is drawn.
  var isDrawing: Bool
  /// The drawn rectangle, before it is quantised.
  var drawn: FrameRect
  /// The handle that is under the pointer now; a different one after sides have crossed.
  var held: Handle

  init(_ handle: Handle, start: FrameRect, offset: FrameVector, last: FramePoint, isDrawing: Bool) {
    self.handle = handle
    self.start = start
    self.offset = offset
    self.last = last
    self.isDrawing = isDrawing
    drawn = start
    held = handle
  }
}

/// The position of frame and image before the selection was rounded to whole pixels. Small steps of
/// a wheel or a ruler start from there, so that they add up and the frame does not creep.
struct UnroundedPlacement: Hashable, Sendable {
  /// The position of the image.
  var raw: Viewport
  /// The crop frame, in the view.
  var cropFrame: ViewRect
  /// The rounded viewport and the selection that resulted; with any other, the rest is invalid.
  var viewport: Viewport
  var selection: FrameRect
}

/// A pan or pinch of the image.
struct Panning: Hashable, Sendable {
  /// Where the fingers have moved the image, without limits.
  var raw: Viewport
  /// The point about which the limits of the zoom are applied: the midpoint of the fingers.
  var focus: ViewPoint
  /// The distance and direction between two fingers at the start; nil with one finger.
  var span: Span?
  /// The crop frame that stays in place, if there is one.
  var cropFrame: ViewRect?
  /// The selection at the start; plain panning keeps its size.
  var start: FrameRect?
  /// Whether the zoom has changed since the start.
  var hasZoomed = false
  /// The position of the image when the movement started to count.
  var origin: Viewport

  init(raw: Viewport, focus: ViewPoint, cropFrame: ViewRect?, start: FrameRect?) {
    (self.raw, self.focus, self.cropFrame, self.start) = (raw, focus, cropFrame, start)
    origin = raw
  }

  /// Two fingers.
  struct Span: Hashable, Sendable {
    var startLength: Double
    var startDirection: Angle
    var startScale: Double
    var startTilt: Angle
    var lock: Lock = .open
    /// Whether the fingers may still turn out to move the frame; nothing moves until that is
    /// decided.
    var isUndecided: Bool

    /// The clockwise angle by which two fingers at `a` and `b` have turned around each other, −180°
    /// to 180°.
    func twist(from a: ViewPoint, to b: ViewPoint) -> Angle {
      let turned = Angle.direction(from: a, to: b).degrees - startDirection.degrees
      return Angle(degrees: turned - (turned / 360).rounded(.toNearestOrAwayFromZero) * 360)
    }
  }

  /// Which gesture two fingers were recognised as.
  enum Lock: Hashable, Sendable { case open, zoom, twist(from: Angle, factor: Double) }
}
