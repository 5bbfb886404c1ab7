#if canImport(UIKit)
  import CropUIKit
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

    /// The rectangle in which the image is shown, as an `NSValue`; nil without an image.
    @objc(imageRect) public var imageRectValue: NSValue? {
      imageRect.map { NSValue(cgRect: $0) }
    }

    /// The size of the image, as an `NSValue`; nil without an image.
    @objc(imageSize) public var imageSizeValue: NSValue? {
      imageSize.map { NSValue(cgSize: $0) }
    }
  }
#endif
