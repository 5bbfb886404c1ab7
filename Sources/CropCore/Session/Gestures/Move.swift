extension Gesture {
  /// The selection moves.
  struct Move: Hashable, Sendable {
    private let start: FrameRect
    /// The four corners at the start, in the style that has them.
    private let quad: Quad?
    /// The position of the pointer, or of the middle of two fingers, at the start.
    private let grab: FramePoint
    /// The lines that the selection has snapped to.
    private(set) var snaps = Snaps()

    /// Nil without a selection.
    init?(at position: ViewPoint, on editor: borrowing SessionEditor) {
      guard let selection = editor.document.edit.selection else { return nil }
      (start, quad) = (selection, editor.document.edit.quad)
      grab = editor.placement.viewport.inverse(position)
    }

    /// Moves the selection with the pointer; its size stays exactly the same.
    mutating func move(to position: ViewPoint, _ editor: inout SessionEditor) {
      let vector = editor.placement.viewport.inverse(position) - grab
      if let quad {
        return editor.document.edit.setQuad(quad.moved(by: vector, in: editor.document.frame))
      }
      var target = editor.document.picture.moved(inside: start.offset(by: vector))
      snaps = Snaps(moving: &target, on: editor)
      editor.document.edit.selection = editor.document.rules.moved(start, to: target.origin)
      snaps.keep(metBy: editor.document.edit.selection)
    }
  }
}
