/// A pointer that is down.
struct ActivePointer: Hashable, Sendable {
  var id: Int
  var kind: PointerKind
  var start: ViewPoint
  var position: ViewPoint
  var startTime: Seconds
  /// Where it was in the last moments, the oldest first, for the speed at release.
  var trail: [Place] = []

  /// A place and when it was there.
  struct Place: Hashable, Sendable {
    var position: ViewPoint
    var time: Seconds
  }

  /// When it last moved, or came down.
  var lastMove: Seconds { trail.last?.time ?? startTime }

  /// Takes the pointer to a place.
  mutating func move(to position: ViewPoint, at time: Seconds) {
    self.position = position
    forget(before: time - Interaction.glideMemory)
    // A mouse that reports a thousand times a second needs no more.
    if trail.count >= 16 { trail.remove(at: 1) }
    trail.append(Place(position: position, time: time))
  }

  /// How fast it is going, in points a second; zero after a rest.
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

/// What the fingers are doing.
enum Gesture: Hashable, Sendable {
  /// Nothing.
  case none
  /// Down on something, not moved far enough to be a drag.
  case pressed(Press)
  /// A rectangle is drawn or resized.
  case resizing(Resizing)
  /// The selection is moved: it lay at `start` when the pointer was at `grab`.
  case moving(start: FrameRect, grab: FramePoint)
  /// The picture is panned or pinched.
  case panning(Panning)
  /// A line is drawn along a horizon.
  case levelling(from: ViewPoint, to: ViewPoint)
  /// Nothing more until all pointers are up.
  case ignoring

  /// Whether it can be cancelled: a pointer is down and not ignored.
  var isUnderWay: Bool { self != .none && self != .ignoring }

  /// Whether the picture or the selection follows a pointer.
  var isActive: Bool {
    switch self {
    case .none, .pressed, .ignoring: false
    default: true
    }
  }
}

/// What a pointer came down on.
enum Target: Hashable, Sendable {
  case handle(Handle), inside, outside
}

/// A pointer that is down and may become a tap or a drag.
struct Press: Hashable, Sendable {
  var target: Target
  var button: PointerButton
  /// Whether the picture was caught in motion: then it is no tap.
  var caughtMotion: Bool
  /// Whether it came so soon after a tap that it makes a double tap.
  var followsTap: Bool
}

/// A selection that is drawn or resized by a pointer.
struct Resizing: Hashable, Sendable {
  /// The handle that follows the pointer; a drawn rectangle starts by its bottom right corner.
  var handle: Handle
  /// The selection at the start; a point where it is drawn.
  var start: FrameRect
  /// From the pointer to the handle.
  var offset: FrameVector
  /// Where the pointer was last, for moving with the space bar.
  var last: FramePoint
  /// Whether a new rectangle is drawn.
  var isDrawing: Bool
  /// What is drawn, before it is quantised.
  var drawn: FrameRect
  /// The handle that is under the pointer now: another, once sides have crossed.
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

/// Where the frame and the picture were put before the selection was rounded to whole pixels: small
/// steps of a wheel or a ruler start from there, so that they add up and the frame does not creep.
struct UnroundedPlacement: Hashable, Sendable {
  /// Where the picture was put.
  var raw: Viewport
  /// The crop frame, in the view.
  var cropFrame: ViewRect
  /// The rounded place and selection that came of it; any other makes the rest void.
  var viewport: Viewport
  var selection: FrameRect
}

/// A picture that is panned or pinched.
struct Panning: Hashable, Sendable {
  /// Where the fingers have taken the picture, beyond all limits.
  var raw: Viewport
  /// The point about which limits of the zoom are applied: the middle of the fingers.
  var focus: ViewPoint
  /// How far apart two fingers were and in which direction; nil with one.
  var span: Span?
  /// The crop frame that rests, where there is one.
  var cropFrame: ViewRect?
  /// The selection at the start; panning alone keeps its size.
  var start: FrameRect?
  /// Whether the zoom has changed since the start.
  var hasZoomed = false
  /// Where the picture was when the fingers' way began to count.
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
    /// Whether it may still turn out that they move the frame; until then nothing follows them.
    var isUndecided: Bool

    /// How far two fingers at `a` and `b` have turned round each other, −180° to 180°, clockwise.
    func twist(from a: ViewPoint, to b: ViewPoint) -> Angle {
      let turned = Angle.direction(from: a, to: b).degrees - startDirection.degrees
      return Angle(degrees: turned - (turned / 360).rounded(.toNearestOrAwayFromZero) * 360)
    }
  }

  /// What two fingers have turned out to do.
  enum Lock: Hashable, Sendable { case open, zoom, twist(from: Angle, factor: Double) }
}
