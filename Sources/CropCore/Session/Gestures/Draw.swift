extension Gesture {
  /// A new rectangle is drawn.
  struct Draw: Hashable, Sendable {
    /// The point where the rectangle starts, as an empty rectangle.
    private var start: FrameRect
    /// The last position of the pointer, for moving with the space bar.
    private var last: FramePoint
    /// The selection while the rectangle is too small.
    private let before: FrameRect?
    /// The rectangle, before it is quantized.
    private(set) var drawn: FrameRect
    /// The corner under the pointer; a different one after sides have crossed.
    private(set) var held = CropHandle.bottomRight

    init(at position: ViewPoint, on editor: SessionEditor) {
      let document = editor.document
      last = editor.placement.viewport.inverse(position)
      start = document.picture.moved(
        inside: FrameRect(x: last.x, y: last.y, width: 0, height: 0))
      drawn = start
      before = document.settings.style == .marquee ? nil : document.edit.selection
    }

    /// Draws to the pointer: with Shift a square, with Alt about the center, and with the space bar
    /// the rectangle moves along.
    func moved(to position: ViewPoint, _ modifiers: Modifiers, _ editor: inout SessionEditor)
      -> Self
    {
      let (picture, viewport) = (editor.document.picture, editor.placement.viewport)
      var next = self
      next.last = viewport.inverse(position)
      if modifiers.contains(.space) {
        next.start = start.offset(by: picture.way(of: drawn, by: next.last - last))
      }
      let drag = HandleDrag(
        handle: .bottomRight, start: next.start,
        ratio: editor.document.ratioToKeep ?? (modifiers.contains(.shift) ? .square : nil),
        isCentered: modifiers.contains(.alt), mayCross: true, picture: picture)
      let anchor: CropAnchor
      (next.drawn, anchor) = drag.rect(at: next.last)
      next.held = drag.handle.crossed(on: next.drawn, towards: next.last)
      if viewport.isTooSmall(next.drawn, on: picture.frame) {
        editor.document.edit.selection = before
      } else {
        editor.document.select(next.drawn, anchor: anchor, ratio: drag.ratio)
      }
      return next
    }
  }
}

extension Viewport {
  /// Whether a drawn rectangle is too small to be intended; a side as long as the image's is
  /// intended.
  func isTooSmall(_ drawn: FrameRect, on frame: FrameSize) -> Bool {
    func isShort(_ length: Double, _ whole: Int) -> Bool {
      length * scale < Interaction.leastDrawn && length < Double(whole)
    }
    return isShort(drawn.width, frame.width) || isShort(drawn.height, frame.height)
  }
}

extension TiltedPicture {
  /// How far a rectangle follows a pointer inside the image.
  func way(of rect: FrameRect, by vector: FrameVector) -> FrameVector {
    moved(inside: rect.offset(by: vector)).origin - rect.origin
  }
}
