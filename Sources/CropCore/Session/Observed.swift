/// The visible state of a session, to determine what an input changed.
struct Observed {
  let edit: Edit
  let canUndo: Bool, canRedo: Bool
  let viewport: Viewport
  let focus: ElementKey?
  let cursor: CropCursor
  let isActive: Bool
  let wantsTicks: Bool
  let snaps: Snaps
  let isAtLimit: Bool

  init(_ session: borrowing CropSession) {
    edit = session.document.edit
    (canUndo, canRedo) = (session.canUndo, session.canRedo)
    viewport = session.placement.viewport
    focus = session.focus
    cursor = session.cursor
    isActive = session.interaction.gesture.isActive
    wantsTicks = session.wantsTicks
    snaps = session.interaction.gesture.snaps
    isAtLimit = session.document.isAtLimit
  }

  func changes(to session: borrowing CropSession) -> Changes {
    var changes: Changes = []
    if edit != session.document.edit { changes.formUnion([.recipe, .scene, .elements, .history]) }
    if canUndo != session.canUndo || canRedo != session.canRedo { changes.insert(.history) }
    if viewport != session.placement.viewport || focus != session.focus {
      changes.formUnion([.scene, .elements])
    }
    if cursor != session.cursor { changes.insert(.cursor) }
    if isActive != session.interaction.gesture.isActive {
      changes.formUnion([
        .scene, session.interaction.gesture.isActive ? .gestureStarted : .gestureEnded,
      ])
    }
    // Reports the last change of an animation when it ends.
    if wantsTicks { changes.insert(.scene) }
    if session.wantsTicks { changes.formUnion([.wantsTicks, .scene]) }
    if catches(session.interaction.gesture.snaps)
      || session.document.edit.tilt == .zero && edit.tilt != .zero
        && session.feedback.shadeFade.isHeld
    {
      changes.insert(.caught)
    }
    if session.document.isAtLimit && !isAtLimit { changes.insert(.limit) }
    return changes
  }

  /// Whether the selection snapped to a line that it was not on before.
  private func catches(_ now: Snaps) -> Bool {
    func isNew(
      _ line: Double?, _ old: Double?, _ low: Double?, _ middle: Double?, _ high: Double?
    ) -> Bool {
      line != nil && line != old && line != low && line != middle && line != high
    }
    let before = edit.selection
    return isNew(now.x, snaps.x, before?.minX, before?.midX, before?.maxX)
      || isNew(now.y, snaps.y, before?.minY, before?.midY, before?.maxY)
  }
}
