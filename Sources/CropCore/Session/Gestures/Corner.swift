extension Gesture {
  /// One of four corners is moved, or an edge between two of them.
  struct Corner: Hashable, Sendable {
    let handle: CropHandle
    private let start: Quad
    /// The vector from the pointer to the handle.
    private let offset: FrameVector
    /// The lines that the corner has snapped to.
    private(set) var snaps = Snaps()

    init(
      _ handle: CropHandle, of quad: Quad, at position: ViewPoint,
      on editor: borrowing SessionEditor
    ) {
      (self.handle, start) = (handle, quad)
      offset = quad.point(handle) - editor.placement.viewport.inverse(position)
    }

    /// Moves the corner or the edge to the pointer, as far as the four corners stay valid; with
    /// Control or Command, corners don't snap.
    mutating func move(
      to position: ViewPoint, _ modifiers: Modifiers, _ editor: inout SessionEditor
    ) {
      var target = editor.placement.viewport.inverse(position) + offset
      snaps =
        handle.isCorner && !modifiers.contains(.command)
        ? Snaps(moving: &target, of: handle, on: editor) : Snaps()
      let quad = start.dragged(
        handle, by: target - start.point(handle), in: editor.document.frame)
      editor.document.edit.setQuad(quad)
      // A corner that was stopped before the line has not reached it.
      let reached = quad.point(handle)
      if snaps.x != reached.x { snaps.x = nil }
      if snaps.y != reached.y { snaps.y = nil }
    }
  }
}
