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

    init(at position: ViewPoint, on editor: borrowing SessionEditor) {
      let document = editor.document
      last = editor.placement.viewport.inverse(position)
      start = document.picture.moved(
        inside: FrameRect(x: last.x, y: last.y, width: 0, height: 0))
      drawn = start
      before = document.settings.style == .marquee ? nil : document.edit.selection
    }

    /// Draws to the pointer: with Shift a square, with Alt about the center, and with the space bar
    /// the rectangle moves along.
    mutating func move(
      to position: ViewPoint, _ modifiers: Modifiers, _ editor: inout SessionEditor
    ) {
      let (picture, viewport) = (editor.document.picture, editor.placement.viewport)
      let point = viewport.inverse(position)
      if modifiers.contains(.space) {
        start = start.offset(by: picture.way(of: drawn, by: point - last))
      }
      last = point
      let drag = HandleDrag(
        handle: .bottomRight, start: start,
        ratio: editor.document.ratioToKeep ?? (modifiers.contains(.shift) ? .square : nil),
        isCentered: modifiers.contains(.alt), mayCross: true, picture: picture)
      let anchor: CropAnchor
      (drawn, anchor) = drag.rect(at: point)
      held = drag.handle.crossed(on: drawn, towards: point)
      if viewport.isTooSmall(drawn, on: picture.frame) {
        editor.document.edit.selection = before
      } else {
        editor.document.select(drawn, anchor: anchor, ratio: drag.ratio)
      }
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
