/// A pointer that is down.
struct ActivePointer: Hashable, Sendable {
  let id: Int
  let kind: PointerKind
  var start: ViewPoint
  private(set) var position: ViewPoint
  let startTime: Seconds
  /// Its most recent positions, the oldest first, to compute the speed at release.
  private var trail: [Place]

  /// A position and its time.
  private struct Place: Hashable, Sendable {
    var position: ViewPoint
    var time: Seconds
  }

  init(_ input: PointerInput, at time: Seconds) {
    (id, kind, startTime) = (input.id, input.kind, time)
    (start, position) = (input.position, input.position)
    trail = [Place(position: input.position, time: time)]
  }

  /// The time of its last movement, or of the press.
  var lastMove: Seconds { trail.last?.time ?? startTime }

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

/// Where one finger or the midpoint of two fingers came down and is, and how two fingers lie.
struct Fingers {
  private(set) var start: ViewPoint
  private(set) var now: ViewPoint
  /// The distance between two fingers; zero for one.
  private(set) var distance = 0.0
  /// The direction from the first to the second of two fingers.
  private(set) var direction = CropAngle.zero

  /// The first two of some pointers, or the only one; nil without pointers.
  init?(_ pointers: [ActivePointer]) {
    if pointers.isEmpty { return nil }
    // Pointers have arrays, so they are not copied.
    (start, now) = (pointers[0].start, pointers[0].position)
    guard pointers.count >= 2 else { return }
    let (first, second) = (now, pointers[1].position)
    func middle(_ a: ViewPoint, _ b: ViewPoint) -> ViewPoint {
      ViewPoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
    }
    (start, now) = (middle(start, pointers[1].start), middle(first, second))
    distance = (second - first).length
    direction = CropAngle.direction(from: first, to: second)
  }
}
