#if canImport(UIKit)
  import UIKit

  // Objective-C has no optional points and rectangles: there they are values that may be nil.

  extension CornerpointView {
    /// The corner's place, an `NSValue` of a point; nil hides the view.
    @objc(centerPoint) public var centerPointValue: NSValue? {
      get { centerPoint.map { NSValue(cgPoint: $0) } }
      set { centerPoint = newValue?.cgPointValue }
    }
  }

  extension CroppableImageView {
    /// The selection, an `NSValue` of a rectangle in the view's points; nil when there is none.
    @objc(cropRect) public var cropRectValue: NSValue? {
      get { cropRect.map { NSValue(cgRect: $0) } }
      set { cropRect = newValue?.cgRectValue }
    }
  }
#endif
