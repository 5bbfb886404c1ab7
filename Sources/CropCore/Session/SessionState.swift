/// The position of the image in the view.
struct Placement: Hashable, Sendable {
  /// The size of the view, in points.
  var view = ViewSize(width: 0, height: 0)
  /// The viewport, or the one at the end of the current animation.
  var viewport = Viewport(scale: 1, origin: .zero)
  /// The position before the selection was rounded to whole pixels.
  var unrounded: UnroundedPlacement?
  /// The current animation; nil for none.
  var motion: Motion?
}

/// The state of fingers, mouse and keyboard.
struct InteractionState: Hashable, Sendable {
  /// The time of the latest input.
  var now: Seconds = 0
  /// The pointers that are down, the oldest first.
  var pointers: [ActivePointer] = []
  /// The current gesture.
  var gesture: Gesture = .none
  /// The edit before the gesture, to return to if it is cancelled.
  var editBeforeGesture = Edit()
  /// The position of the image when the gesture started.
  var viewportBeforeGesture = Viewport(scale: 1, origin: .zero)
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
  /// The lines that the selection has snapped to.
  var snaps = Snaps()
  /// What the next drag does instead of the style's default.
  var armed: NextDrag?
  /// The tilt at the start of a drag of the ruler.
  var rulerStart: Angle?
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
