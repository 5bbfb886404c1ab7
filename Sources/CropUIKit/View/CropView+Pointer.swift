#if canImport(UIKit)
  import CropCore
  import UIKit

  /// The hovering pointer of a mouse or trackpad, and its shape.
  extension CropView: UIPointerInteractionDelegate {
    func listenToPointer() {
      addInteraction(UIPointerInteraction(delegate: self))
    }

    /// Handles a movement of the pointer. It returns one region per pointer style, so that the
    /// system requests the style when it changes.
    public func pointerInteraction(
      _ interaction: UIPointerInteraction, regionFor request: UIPointerRegionRequest,
      defaultRegion: UIPointerRegion
    ) -> UIPointerRegion? {
      // While a button is down, pointer movements arrive as touches.
      if pointers.isEmpty {
        hover(.move, at: ViewPoint(request.location), request.modifiers)
      }
      return UIPointerRegion(rect: bounds, identifier: AnyHashable(session.cursor))
    }

    /// Returns the current pointer style.
    public func pointerInteraction(
      _ interaction: UIPointerInteraction, styleFor region: UIPointerRegion
    ) -> UIPointerStyle? {
      UIPointerStyle.of(session.cursor)
    }

    /// Handles the pointer's exit.
    public func pointerInteraction(
      _ interaction: UIPointerInteraction, willExit region: UIPointerRegion,
      animator: any UIPointerInteractionAnimating
    ) {
      // A different cursor is a different region: the pointer may still be over the view.
      guard region.identifier == AnyHashable(session.cursor) else { return }
      hover(.leave, at: .zero, [])
    }

    private func hover(_ phase: PointerPhase, at position: ViewPoint, _ flags: UIKeyModifierFlags) {
      send(
        .pointer(
          PointerInput(
            phase, id: -1, at: position, time: CACurrentMediaTime(), kind: .mouse,
            modifiers: modifiers(flags))))
    }
  }

  extension UIPointerStyle {
    /// The system's style for a pointer of the session. iPadOS shows arrows next to the pointer
    /// where other systems have pointers of many shapes.
    static func of(_ cursor: CropCursor) -> UIPointerStyle {
      if cursor == .crosshair { return UIPointerStyle(shape: .verticalBeam(length: 20)) }
      let style = UIPointerStyle.system()
      style.accessories =
        switch cursor {
        case .resizeVertical: [.arrow(.top), .arrow(.bottom)]
        case .resizeHorizontal: [.arrow(.left), .arrow(.right)]
        case .resizeFalling: [.arrow(.topLeft), .arrow(.bottomRight)]
        case .resizeRising: [.arrow(.topRight), .arrow(.bottomLeft)]
        case .move, .grab, .grabbing:
          [.arrow(.top), .arrow(.bottom), .arrow(.left), .arrow(.right)]
        case .standard, .crosshair: []
        }
      return style
    }
  }
#endif
