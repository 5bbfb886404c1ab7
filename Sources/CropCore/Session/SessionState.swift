/// The picture and what was asked of it.
struct SessionDocument: Hashable, Sendable {
  /// The upright picture's size; nil before one is opened.
  var image: ImageSize?
  /// The JPEG in which the picture is stored; nil where it is in none that can be cut by blocks.
  var jpeg: StoredJPEG?
  /// What is asked of it now.
  var edit = Edit()
  /// What was asked of it when it was opened.
  var initial = Edit()
  /// The steps that can be taken back and done again.
  var history = History()
  /// What the person last chose by hand; ratio and tilt start from it.
  var intent: Intent?
}

/// Where the picture lies in the view.
struct Placement: Hashable, Sendable {
  /// The view's size, in points.
  var view = ViewSize(width: 0, height: 0)
  /// Where the picture lies, or will lie when what moves has arrived.
  var viewport = Viewport(scale: 1, origin: .zero)
  /// Where it was put before the selection was rounded to whole pixels.
  var unrounded: UnroundedPlacement?
  /// What is on its way on the screen.
  var motion: Motion?
}

/// What fingers, mouse and keyboard are doing.
struct InteractionState: Hashable, Sendable {
  /// The moment of the latest input.
  var now: Seconds = 0
  /// The pointers that are down, the oldest first.
  var pointers: [ActivePointer] = []
  /// What they are doing.
  var gesture: Gesture = .none
  /// What the gesture began with, to be taken back to.
  var editBeforeGesture = Edit()
  /// Where the picture lay when the gesture began.
  var viewportBeforeGesture = Viewport(scale: 1, origin: .zero)
  /// Where a mouse is that presses nothing.
  var hover: ViewPoint?
  /// Whether the space bar is down.
  var isSpaceHeld = false
  /// The modifiers of the latest pointer.
  var heldModifiers: Modifiers = []
  /// A tap that waits for a second one.
  var pendingTap: PendingTap?
  /// The last tap that was none of a double tap.
  var lastTap: PendingTap?
  /// When the studio's frame recenters; nil where it does not.
  var recenterTime: Seconds?
  /// The lines that the selection has snapped to.
  var snaps = Snaps()
  /// What the next drag does instead of what its style gives it.
  var armed: ArmedDrag?
  /// The tilt from which a ruler is dragged.
  var rulerStart: Angle?
}

/// What a person sees, hears and feels beside the picture.
struct SessionFeedback: Hashable, Sendable {
  /// What the input at hand has changed so far.
  var changes: Changes = []
  /// The pointer's look.
  var cursor: CropCursor = .standard
  /// Which element has the keyboard.
  var focus: ElementKey?
  /// What to say aloud, after a change that said so.
  var announcement: Announcement?
  /// How light the shade is.
  var shadeFade = ShadeFade()
}
