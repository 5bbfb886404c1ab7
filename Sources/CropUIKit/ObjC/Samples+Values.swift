#if canImport(UIKit)
  import UIKit

  // Objective-C has no optional points and rectangles, so these are values that may be nil.

  extension CornerpointView {
    /// The position of the corner, as an `NSValue` of a point; nil hides the view.
    @objc(centerPoint) public var centerPointValue: NSValue? {
      get { centerPoint.map { NSValue(cgPoint: $0) } }
      set { centerPoint = newValue?.cgPointValue }
    }
  }

  extension CroppableImageView {
    /// The selection, as an `NSValue` of a rectangle in view points; nil without a selection.
    @objc(cropRect) public var cropRectValue: NSValue? {
      get { cropRect.map { NSValue(cgRect: $0) } }
      set { cropRect = newValue?.cgRectValue }
    }
  }
#endif
