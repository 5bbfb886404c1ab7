#if canImport(UIKit)
  import CropCore
  import UIKit

  /// The pointer of a mouse or trackpad that hovers, and its look.
  extension CropView: UIPointerInteractionDelegate {
    func listenToPointer() {
      addInteraction(UIPointerInteraction(delegate: self))
    }

    /// The pointer moved: one region for each look, so that a new look is asked for when it
    /// changes.
    public func pointerInteraction(
      _ interaction: UIPointerInteraction, regionFor request: UIPointerRegionRequest,
      defaultRegion: UIPointerRegion
    ) -> UIPointerRegion? {
      // While a button is down the pointer's way comes as a touch.
      if pointers.isEmpty {
        hover(.move, at: ViewPoint(request.location), request.modifiers)
      }
      return UIPointerRegion(rect: bounds, identifier: AnyHashable(session.cursor))
    }

    /// How the pointer looks now.
    public func pointerInteraction(
      _ interaction: UIPointerInteraction, styleFor region: UIPointerRegion
    ) -> UIPointerStyle? {
      UIPointerStyle.of(session.cursor)
    }

    /// The pointer left.
    public func pointerInteraction(
      _ interaction: UIPointerInteraction, willExit region: UIPointerRegion,
      animator: any UIPointerInteractionAnimating
    ) {
      // Another look is another region: the pointer is still there then.
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
    /// The system's look for what the session calls it; iPadOS has arrows beside a pointer where
    /// others have pointers of many shapes.
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
