#if canImport(UIKit)
  import CropCore
  import UIKit

  /// Wheel events, two-finger scrolling and pinching on a trackpad.
  ///
  /// An app needs `UIApplicationSupportsIndirectInputEvents` in its Info.plist for these.
  extension CropView {
    func listenToScrolling() {
      for kind in [UIScrollTypeMask.discrete, .continuous] {
        let scroll = UIPanGestureRecognizer()
        scroll.allowedScrollTypesMask = kind
        // The session handles touches.
        scroll.allowedTouchTypes = []
        listen(to: scroll) { [weak self, weak scroll] in
          guard let self, let scroll else { return }
          scrolled(scroll, isPrecise: kind == .continuous)
        }
      }
      let pinch = UIPinchGestureRecognizer()
      pinch.allowedTouchTypes = [NSNumber(value: UITouch.TouchType.indirectPointer.rawValue)]
      listen(to: pinch) { [weak self, weak pinch] in
        guard let self, let pinch else { return }
        pinched(pinch)
      }
    }

    private func listen(
      to recognizer: UIGestureRecognizer, _ action: @escaping @MainActor () -> Void
    ) {
      recognizer.cancelsTouchesInView = false
      GestureTarget.add(to: recognizer, action)
      addGestureRecognizer(recognizer)
    }

    private func scrolled(_ scroll: UIPanGestureRecognizer, isPrecise: Bool) {
      guard scroll.state == .began || scroll.state == .changed else { return }
      let way = scroll.translation(in: self)
      scroll.setTranslation(.zero, in: self)
      // Scrolling down moves the content up.
      send(
        .wheel(
          WheelInput(
            at: ViewPoint(scroll.location(in: self)),
            delta: ViewVector(dx: -Double(way.x), dy: -Double(way.y)), isPrecise: isPrecise,
            modifiers: Modifiers(scroll.modifierFlags), time: CACurrentMediaTime())))
    }

    private func pinched(_ pinch: UIPinchGestureRecognizer) {
      guard pinch.state == .began || pinch.state == .changed else { return }
      let factor = Double(pinch.scale)
      pinch.scale = 1
      send(
        .magnify(
          at: ViewPoint(pinch.location(in: self)), factor: factor, time: CACurrentMediaTime()))
    }
  }
#endif
