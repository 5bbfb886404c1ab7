/// The state of fingers, mouse and keyboard.
struct InteractionState: Hashable, Sendable {
  /// The time of the latest input.
  var now: Seconds = 0
  /// The pointers that are down, the oldest first.
  var pointers: [ActivePointer] = []
  /// The current gesture.
  var gesture: Gesture = .none
  /// What a gesture returns to if it is cancelled.
  var before = Before(edit: Edit(), viewport: Viewport(scale: 1, origin: .zero))
  /// The position of a mouse without a pressed button.
  var hover: ViewPoint?
  /// Whether the space bar is down.
  var isSpaceHeld = false
  /// The modifiers of the latest pointer.
  var heldModifiers: Modifiers = []
  /// A tap that may become a double tap.
  var pendingTap: PendingTap?
  /// The last tap that was not part of a double tap.
  var lastTap: PendingTap?
  /// The time at which the frame of the style `studio` recenters; nil if it does not.
  var recenterTime: Seconds?
  /// What the next drag does instead of the style's default.
  var armed: NextDrag?
  /// The ruler under the image.
  var ruler = Ruler()

  /// Whether the pointer is down for what may be the second tap of a double tap.
  var isPressedAgain: Bool {
    guard case .pressed(let press) = gesture else { return false }
    return press.followsTap
  }

  /// Measures the movement of the pointers from their current positions.
  mutating func rebasePointers() {
    for index in pointers.indices { pointers[index].start = pointers[index].position }
  }
}

/// The edit and the position of the image when the first pointer came down.
struct Before: Hashable, Sendable {
  let edit: Edit
  let viewport: Viewport
}

/// Feedback to the user in addition to the image.
struct SessionFeedback: Hashable, Sendable {
  /// The changes by the current input so far.
  var changes: Changes = []
  /// The shape of the mouse pointer.
  var cursor: CropCursor = .standard
  /// The element that has the keyboard focus.
  var focus: ElementKey?
  /// What a screen reader should announce; set after an input that returns `announcement`.
  var announcement: Announcement?
  /// The lightness of the shade.
  var shadeFade = ShadeFade()
}
