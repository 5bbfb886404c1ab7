extension Gesture {
  /// The selection is resized by a handle.
  struct Resize: Hashable, Sendable {
    /// The handle that was dragged.
    private let handle: CropHandle
    private var start: FrameRect
    /// The vector from the pointer to the handle.
    private let offset: FrameVector
    /// The last position of the pointer, for moving with the space bar.
    private var last: FramePoint
    /// The rectangle, before it is quantized.
    private var drawn: FrameRect
    /// The handle that is under the pointer now; a different one after sides have crossed.
    private(set) var held: CropHandle
    /// The lines that the selection has snapped to.
    private(set) var snaps = Snaps()

    init(
      _ handle: CropHandle, of selection: FrameRect, at position: ViewPoint,
      on editor: borrowing SessionEditor
    ) {
      (self.handle, held) = (handle, handle)
      (start, drawn) = (selection, selection)
      last = editor.placement.viewport.inverse(position)
      offset = selection.point(handle) - last
    }

    /// Moves the handle to the pointer: with Shift the selection's ratio is kept, with Alt its
    /// center, with Control or Command nothing snaps, and with the space bar it moves along.
    mutating func move(
      to position: ViewPoint, _ modifiers: Modifiers, _ editor: inout SessionEditor
    ) {
      let picture = editor.document.picture
      let point = editor.placement.viewport.inverse(position)
      if modifiers.contains(.space) {
        start = start.offset(by: picture.way(of: drawn, by: point - last))
      }
      last = point
      var target = point + offset
      snaps =
        modifiers.contains(.command) ? Snaps() : Snaps(moving: &target, of: handle, on: editor)
      var ratio = editor.document.ratioToKeep
      if ratio == nil, modifiers.contains(.shift) {
        ratio = AspectRatio(Int(start.width), Int(start.height))
      }
      let drag = HandleDrag(
        handle: handle, start: start, ratio: ratio, isCentered: modifiers.contains(.alt),
        mayCross: editor.settings.style == .marquee, picture: picture)
      let anchor: CropAnchor
      (drawn, anchor) = drag.rect(at: target)
      held = handle.crossed(on: drawn, towards: target)
      editor.document.select(drawn, anchor: anchor, ratio: ratio)
      snaps.keep(metBy: editor.document.edit.selection)
    }
  }
}
