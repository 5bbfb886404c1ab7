/// The visible state after an input, to determine what the next one changes.
struct Observed: Hashable, Sendable {
  private var edit = Edit()
  private var canUndo = false
  private var canRedo = false
  private var viewport = Viewport(scale: 1, origin: .zero)
  private var focus: ElementKey?
  private var cursor = CropCursor.standard
  private var isTouched = false
  private var isActive = false
  private var wantsTicks = false
  private var snaps = Snaps()
  private var isAtLimit = false

  /// Takes over the current state, and returns what changed.
  mutating func update(
    _ editor: borrowing SessionEditor, _ gestures: borrowing GestureRecognizer, cursor: CropCursor
  ) -> Changes {
    var changes: Changes = []
    let snaps = gestures.gesture.appearance.snaps
    let isLevel = editor.document.edit.tilt == .zero && edit.tilt != .zero
    if catches(snaps) || isLevel && editor.shade.isHeld { changes.insert(.caught) }
    self.snaps = snaps
    if editor.document.edit != edit {
      edit = editor.document.edit
      changes.formUnion([.recipe, .scene, .elements, .history])
    }
    let (canUndo, canRedo) = (editor.document.canUndo, editor.document.canRedo)
    if canUndo != self.canUndo || canRedo != self.canRedo { changes.insert(.history) }
    (self.canUndo, self.canRedo) = (canUndo, canRedo)
    if editor.placement.viewport != viewport || editor.focus != focus {
      changes.formUnion([.scene, .elements])
    }
    (viewport, focus) = (editor.placement.viewport, editor.focus)
    if cursor != self.cursor { changes.insert(.cursor) }
    self.cursor = cursor
    let isTouched = gestures.gesture.isActive
    // The grid and the displayed image depend on it, also while a ruler is dragged.
    if isTouched != self.isTouched { changes.insert(.scene) }
    self.isTouched = isTouched
    let isActive = isTouched || editor.ruler.isDragged
    if isActive != self.isActive {
      // A user interface leaves the elements where they are during a gesture.
      changes.formUnion(
        isActive ? [.scene, .gestureStarted] : [.scene, .elements, .gestureEnded])
    }
    self.isActive = isActive
    // Reports the last change of an animation when it ends.
    if wantsTicks { changes.insert(.scene) }
    wantsTicks = gestures.wantsTicks(editor)
    if wantsTicks { changes.formUnion([.wantsTicks, .scene]) }
    let isAtLimit = editor.document.isAtLimit
    if isAtLimit && !self.isAtLimit { changes.insert(.limit) }
    self.isAtLimit = isAtLimit
    return changes
  }

  /// Whether the selection snapped to a line that it was not on before.
  private func catches(_ now: Snaps) -> Bool {
    func isNew(
      _ line: Double?, _ old: Double?, _ low: Double?, _ middle: Double?, _ high: Double?
    ) -> Bool {
      line != nil && line != old && line != low && line != middle && line != high
    }
    if now == Snaps() { return false }
    let before = edit.selection
    return isNew(now.x, snaps.x, before?.minX, before?.midX, before?.maxX)
      || isNew(now.y, snaps.y, before?.minY, before?.midY, before?.maxY)
  }
}
