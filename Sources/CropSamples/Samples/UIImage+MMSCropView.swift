#if canImport(UIKit)
  import CropCore
  import CropUIKit
  import UIKit

  extension UIImage {
    /// MMSCropView's method: the part of the image under `rect`, a rectangle in a frame over which
    /// the complete upright image is stretched.
    ///
    /// As in MMSCropView, the result has an orientation that shows it upright. Unlike there, all
    /// eight orientations are supported, and the result has the image's resolution and not the
    /// frame's.
    ///
    /// - Parameters:
    ///   - rect: the part to keep, in the frame's unit, from its top left. Edges between pixels
    ///     are rounded outward, and parts outside the frame are cut off.
    ///   - frame: the size to which the image is stretched.
    /// - Returns: the part; nil if `rect` and the image do not overlap.
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

    /// Crops like `cropRectangle(_:inFrame:)`, but the result has the size of `rect`, as in
    /// MMSCropView.
    #if canImport(ObjectiveC)
      @objc(cropRectangleAtFrameSize:inFrame:)
    #endif
    public func cropRectangle(atFrameSize rect: CGRect, inFrame frame: CGSize) -> UIImage? {
      cropRectangle(rect, inFrame: frame)?.scaleBitmap(to: rect.size)
    }

    /// MMSCropView's method: the largest size with the proportions of one that fits into another,
    /// rounded to whole numbers.
    ///
    /// - Parameters:
    ///   - fromSize: the size to scale; an empty one becomes zero.
    ///   - toSize: the size to fit into.
    #if canImport(ObjectiveC)
      @objc(scaleSize:toSize:)
    #endif
    public static func scaleSize(_ fromSize: CGSize, toSize: CGSize) -> CGSize {
      guard fromSize.width > 0, fromSize.height > 0 else { return .zero }
      let scale = min(toSize.width / fromSize.width, toSize.height / fromSize.height)
      return CGSize(
        width: (fromSize.width * scale).rounded(), height: (fromSize.height * scale).rounded())
    }

    /// MMSCropView's method: the upright image drawn at another size, in pixels, without keeping
    /// its ratio.
    ///
    /// - Returns: the drawn image; this image if the size has no pixels.
    #if canImport(ObjectiveC)
      @objc(scaleBitmapToSize:)
    #endif
    public func scaleBitmap(to size: CGSize) -> UIImage {
      let size = CGSize(width: size.width.rounded(), height: size.height.rounded())
      // Bitmap contexts have a maximum side.
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
