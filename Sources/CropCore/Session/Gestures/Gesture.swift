/// The current gesture.
///
/// A gesture is created when a pointer has moved far enough. Each movement changes its state, the
/// document and the placement.
enum Gesture: Hashable, Sendable {
  /// No gesture.
  case none
  /// A pointer is down and has not moved far enough for a drag.
  case pressed(Press)
  case draw(Draw)
  case resize(Resize)
  case corner(Corner)
  case move(Move)
  case pan(Pan)
  case pinch(Pinch)
  case level(Level)
  /// All events are ignored until all pointers are up.
  case ignoring

  /// A drag of a handle; nil without a selection.
  init?(_ handle: CropHandle, at position: ViewPoint, on editor: borrowing SessionEditor) {
    let edit = editor.document.edit
    if let quad = edit.quad {
      self = .corner(Corner(handle, of: quad, at: position, on: editor))
    } else if let selection = edit.selection {
      self = .resize(Resize(handle, of: selection, at: position, on: editor))
    } else {
      return nil
    }
  }

  /// Whether the gesture can be cancelled: a pointer is down and not ignored.
  var isUnderWay: Bool {
    switch self {
    case .none, .ignoring: false
    case .pressed, .draw, .resize, .corner, .move, .pan, .pinch, .level: true
    }
  }

  /// Whether the image or the selection follows a pointer.
  var isActive: Bool {
    switch self {
    case .none, .pressed, .ignoring: false
    case .draw, .resize, .corner, .move, .pan, .pinch, .level: true
    }
  }

  /// Whether the selection follows a pointer, so that the image scrolls along at the view's edges.
  var movesSelection: Bool {
    switch self {
    case .draw, .resize, .corner, .move: true
    case .none, .pressed, .pan, .pinch, .level, .ignoring: false
    }
  }

  /// The pan, also of a pinch.
  var pan: Pan? {
    switch self {
    case .pan(let pan): pan
    case .pinch(let pinch): pinch.pan
    case .none, .pressed, .draw, .resize, .corner, .move, .level, .ignoring: nil
    }
  }

  /// The shape of the mouse pointer during the gesture; nil if it depends on the element beneath.
  var cursor: CropCursor? {
    switch self {
    case .draw, .level: .crosshair
    case .resize(let resize): resize.held.cursor
    case .corner(let corner): corner.handle.cursor
    case .move: .move
    case .pan, .pinch: .grabbing
    case .none, .pressed, .ignoring: nil
    }
  }

  /// What the scene shows of a gesture.
  struct Appearance {
    /// The handle that follows the pointer; a different one after sides have crossed.
    var handle: CropHandle?
    var drawn: FrameRect?
    /// The lines that the selection has snapped to.
    var snaps = Snaps()
    /// The crop frame that stays in place while the image moves.
    var cropFrame: ViewRect?
    /// Whether two fingers are tilting the image.
    var isTwisting = false
    /// The line along a horizon.
    var level: Level?
  }

  @inline(never)  // One copy for all its callers, for the size of the page's module.
  var appearance: Appearance {
    switch self {
    case .none, .pressed, .ignoring: return Appearance()
    case .draw(let draw): return Appearance(handle: draw.held, drawn: draw.drawn)
    case .resize(let resize): return Appearance(handle: resize.held, snaps: resize.snaps)
    case .corner(let corner): return Appearance(handle: corner.handle, snaps: corner.snaps)
    case .move(let move): return Appearance(snaps: move.snaps)
    case .pan(let pan): return Appearance(cropFrame: pan.cropFrame)
    case .pinch(let pinch):
      let isTwisting = if case .twist = pinch.lock { true } else { false }
      return Appearance(cropFrame: pinch.pan.cropFrame, isTwisting: isTwisting)
    case .level(let level): return Appearance(level: level)
    }
  }
}
