#if canImport(UIKit)
  import UIKit

  #if canImport(UIKit.UIGestureRecognizerSubclass)
    import UIKit.UIGestureRecognizerSubclass
  #endif

  /// MMSCropView's recogniser: a pan that remembers where the first touch came down, which is some
  /// way before the place where a pan wakes up.
  ///
  /// Kept: ``origin``. Better: nothing is needed of it where a ``CropView`` is used, which begins
  /// every drag at the first touch; it is here for views of an app's own.
  #if canImport(ObjectiveC)
    @objc(DragCropRectRecognizer)
    @objcMembers
  #endif
  open class DragCropRectRecognizer: UIPanGestureRecognizer {
    /// Where the first touch came down, in the view's points; zero before one has.
    public private(set) var origin = CGPoint.zero

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
      if numberOfTouches == 0, let touch = touches.first { origin = touch.location(in: view) }
      super.touchesBegan(touches, with: event)
    }
  }
#endif
