/// The current gesture.
///
/// A gesture is created when a pointer has moved far enough. Each movement makes its next state from
/// the current one, and changes the document and the placement.
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
  init?(_ handle: Handle, at position: ViewPoint, on editor: Editor) {
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
  var isUnderWay: Bool { self != .none && self != .ignoring }

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

  /// The line that is drawn along a horizon.
  var level: Level? { if case .level(let level) = self { level } else { nil } }

  /// The rectangle that is drawn.
  var drawn: FrameRect? { if case .draw(let draw) = self { draw.drawn } else { nil } }

  /// The handle that follows the pointer; a different one after sides have crossed.
  var handle: Handle? {
    switch self {
    case .draw(let draw): draw.held
    case .resize(let resize): resize.held
    case .corner(let corner): corner.handle
    case .none, .pressed, .move, .pan, .pinch, .level, .ignoring: nil
    }
  }

  /// The lines that the selection has snapped to.
  var snaps: Snaps {
    switch self {
    case .resize(let resize): resize.snaps
    case .corner(let corner): corner.snaps
    case .move(let move): move.snaps
    case .none, .pressed, .draw, .pan, .pinch, .level, .ignoring: Snaps()
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

  /// Whether two fingers are tilting the image.
  var isTwisting: Bool {
    if case .pinch(let pinch) = self, case .twist = pinch.lock { return true }
    return false
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
}
