#if canImport(UIKit)
  import CropCore
  import UIKit

  extension UIImage {
    /// The part of the picture that a recipe keeps, at full resolution; the scale is 1.
    ///
    /// All eight orientations, colour space, depth and alpha stay.
    ///
    /// - Throws: ``PictureError``.
    public func cropped(by recipe: CropRecipe) async throws -> UIImage {
      guard let picture = CropPicture(self) else { throw PictureError.unreadable }
      return try await picture.cropped(by: recipe)
    }

    /// MMSCropView's call: the part of the picture under `rect`, a rectangle in a frame into which
    /// the whole upright picture is stretched.
    ///
    /// Kept: the arguments, and an orientation flag that shows the result upright. Better: all
    /// eight orientations; the picture's own resolution instead of the frame's.
    ///
    /// - Parameters:
    ///   - rect: what to keep, in the frame's units from its top left; edges between pixels go
    ///     outward and what lies outside the frame is cut off.
    ///   - frame: the size into which the picture is stretched.
    /// - Returns: the part; nil when nothing of the picture lies under `rect`.
    #if canImport(ObjectiveC)
      @objc(cropRectangle:inFrame:)
    #endif
    public func cropRectangle(_ rect: CGRect, inFrame frame: CGSize) -> UIImage? {
      guard let picture = CropPicture(self) else { return nil }
      let size = ViewSize(width: Double(frame.width), height: Double(frame.height))
      let whole = FrameSize(width: picture.size.width, height: picture.size.height)
      let part = CropArea.stretched(ViewRect(rect), in: size)?
        .rect(in: TiltedPicture(frame: whole, tilt: .zero))
      return part.flatMap { try? picture.cut(by: CropRecipe(rect: $0)) }
    }

    /// The same, as large as `rect`, as it was in MMSCropView.
    #if canImport(ObjectiveC)
      @objc(cropRectangleAtFrameSize:inFrame:)
    #endif
    public func cropRectangle(atFrameSize rect: CGRect, inFrame frame: CGSize) -> UIImage? {
      cropRectangle(rect, inFrame: frame)?.scaleBitmap(to: rect.size)
    }

    /// MMSCropView's call: the upright picture drawn at another size, in pixels, whatever its ratio.
    ///
    /// - Returns: the picture, or itself where the size has no pixels.
    #if canImport(ObjectiveC)
      @objc(scaleBitmapToSize:)
    #endif
    public func scaleBitmap(to size: CGSize) -> UIImage {
      let size = CGSize(width: size.width.rounded(), height: size.height.rounded())
      // The largest side that bitmap contexts have.
      let sides: ClosedRange<CGFloat> = 1...65_535
      guard sides.contains(size.width), sides.contains(size.height) else { return self }
      let format = UIGraphicsImageRendererFormat.preferred()
      format.scale = 1
      return UIGraphicsImageRenderer(size: size, format: format).image { _ in
        draw(in: CGRect(origin: .zero, size: size))
      }
    }
  }
#endif
