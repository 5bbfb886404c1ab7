#if canImport(UIKit)
  import UIKit

  #if canImport(UIKit.UIGestureRecognizerSubclass)
    import UIKit.UIGestureRecognizerSubclass
  #endif

  /// MMSCropView's recognizer: a pan that stores the position of the first touch, because a pan is
  /// only recognized after some distance.
  ///
  /// It has ``origin``, as in MMSCropView. A `CropView` does not need it, because it starts every
  /// drag at the first touch. Use it in custom views.
  #if canImport(ObjectiveC)
    @objc(DragCropRectRecognizer)
    @objcMembers
  #endif
  open class DragCropRectRecognizer: UIPanGestureRecognizer {
    /// The position of the first touch, in view points; zero before the first touch.
    public private(set) var origin = CGPoint.zero

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
      if numberOfTouches == 0, let touch = touches.first { origin = touch.location(in: view) }
      super.touchesBegan(touches, with: event)
    }
  }

  /// ``DragCropRectRecognizer`` under its other name.
  #if canImport(ObjectiveC)
    @objc(DragRecognizer)
  #endif
  open class DragRecognizer: DragCropRectRecognizer {}
#endif
