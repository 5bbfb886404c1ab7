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
    /// eight orientations; the picture's own resolution, unless the frame's is asked for.
    ///
    /// - Parameters:
    ///   - rect: what to keep, in the frame's units from its top left; edges between pixels go
    ///     outward and what lies outside the frame is cut off.
    ///   - frame: the size into which the picture is stretched; its origin does not matter.
    ///   - atFrameSize: whether the result is as large as `rect`, as it was in MMSCropView.
    /// - Returns: the part; nil when nothing of the picture lies under `rect`.
    public func cropRectangle(
      _ rect: CGRect, inFrame frame: CGRect, atFrameSize: Bool = false
    ) -> UIImage? {
      guard let picture = CropPicture(self) else { return nil }
      let size = ViewSize(width: Double(frame.width), height: Double(frame.height))
      let whole = FrameSize(width: picture.size.width, height: picture.size.height)
      let part = CropArea.stretched(ViewRect(rect), in: size)?
        .rect(in: TiltedPicture(frame: whole, tilt: .zero))
      guard let part, let cut = try? picture.cut(by: CropRecipe(rect: part)) else { return nil }
      guard atFrameSize else { return cut }
      let format = UIGraphicsImageRendererFormat.preferred()
      format.scale = 1
      return UIGraphicsImageRenderer(size: rect.size, format: format).image { _ in
        cut.draw(in: CGRect(origin: .zero, size: rect.size))
      }
    }
  }
#endif
