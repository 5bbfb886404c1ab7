#if canImport(UIKit)
  import CropCore
  import CropKernels
  import UIKit

  /// Places results on a canvas. The core computes the position of the crop.
  extension CropPicture {
    /// The position of a crop on a canvas; nil without a canvas, or if nothing of it would be
    /// visible.
    func layout(
      of crop: ResolvedCrop, on canvas: ResultCanvas?
    ) throws(PictureError) -> CanvasLayout? {
      guard let canvas else { return nil }
      let layout = try canvas.layout(of: crop)
      let isOpaque = !isTranslucent && crop.shape == .rectangle
      let isHidden =
        layout.crop.size == layout.size && layout.size == crop.output
        && (isOpaque || canvas.fill == .transparent)
      return isHidden ? nil : layout
    }

    /// A crop on its canvas; the crop must have the size that the layout states.
    func drawn(
      _ crop: CGImage, on layout: CanvasLayout, fill: ResultCanvas.Fill
    ) throws(PictureError) -> CGImage {
      let canvas = try self.canvas(layout.size, like: crop, isTranslucent: fill == .transparent)
      var crop = crop
      switch fill {
      case .transparent: break
      case .color(let color): canvas.fill(color.cgColor)
      case .edge:
        let flat = try opaque(crop)
        crop = try image(of: flat)
        flat.fillWithEdge(canvas)
      case .blur:
        crop = try image(of: try opaque(crop))
        canvas.draw(try backdrop(of: crop, on: layout.size), in: canvas.bounds, isSmooth: true)
      }
      canvas.draw(crop, in: CGRect(layout.crop), isSmooth: false)
      return try image(of: canvas)
    }

    /// The image with transparent pixels shown as white.
    private func opaque(_ crop: CGImage) throws(PictureError) -> BitmapCanvas {
      let size = FrameSize(width: crop.width, height: crop.height)
      let canvas = try self.canvas(size, like: crop, isTranslucent: false)
      canvas.fill(UIColor.white.cgColor)
      canvas.draw(crop, in: canvas.bounds, isSmooth: false)
      return canvas
    }

    /// The center of a crop, reduced and blurred.
    private func backdrop(
      of crop: CGImage, on canvas: FrameSize
    ) throws(PictureError) -> CGImage {
      let backdrop = CanvasBackdrop(
        of: FrameSize(width: crop.width, height: crop.height), on: canvas)
      guard let part = crop.cropping(to: CGRect(backdrop.part)) else {
        throw .tooLarge(width: backdrop.part.width, height: backdrop.part.height)
      }
      let small = try self.canvas(backdrop.size, like: crop, isTranslucent: false)
      small.draw(part, in: small.bounds, isSmooth: true)
      small.blur(sigma: backdrop.sigma)
      return try image(of: small)
    }

    private func canvas(
      _ size: FrameSize, like picture: CGImage, isTranslucent: Bool
    ) throws(PictureError) -> BitmapCanvas {
      let canvas = BitmapCanvas(
        width: size.width, height: size.height, like: picture, isTranslucent: isTranslucent)
      guard let canvas else { throw .tooLarge(width: size.width, height: size.height) }
      return canvas
    }

    private func image(of canvas: BitmapCanvas) throws(PictureError) -> CGImage {
      guard let image = canvas.context.makeImage() else {
        throw .tooLarge(width: canvas.context.width, height: canvas.context.height)
      }
      return image
    }
  }

  extension CGRect {
    fileprivate init(_ rect: PixelRect<FrameSpace>) {
      self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    }
  }

  extension BitmapCanvas {
    func fill(_ color: CGColor) {
      context.setFillColor(color)
      context.fill(bounds)
    }

    /// Draws a bitmap, scaled, into a rectangle from the top left.
    func draw(_ bitmap: CGImage, in rect: CGRect, isSmooth: Bool) {
      context.saveGState()
      context.interpolationQuality = isSmooth ? .high : .none
      // Core Graphics draws images bottom up.
      context.concatenate(
        CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: rect.minY + rect.maxY))
      context.draw(bitmap, in: rect)
      context.restoreGState()
    }

    /// Fills another canvas of the same format with the median of each channel over the outermost
    /// pixels of this one. If its memory can't be read, the other canvas does not change.
    func fillWithEdge(_ other: BitmapCanvas) {
      guard context.bitsPerComponent == other.context.bitsPerComponent else { return }
      if context.bitsPerComponent == 8 {
        fillWithEdge(other, UInt8.self)
      } else {
        fillWithEdge(other, UInt16.self)
      }
    }

    private func fillWithEdge<Sample>(_ other: BitmapCanvas, _: Sample.Type)
    where Sample: FixedWidthInteger & UnsignedInteger {
      guard let edge = CanvasPixels<Sample>(context)?.edgeMedian else { return }
      CanvasPixels<Sample>(other.context)?.fill(with: edge)
    }

    /// Blurs by a Gaussian with a standard deviation in pixels; edge pixels are repeated beyond the
    /// edge. If the memory can't be read, nothing changes.
    func blur(sigma: Double) {
      if context.bitsPerComponent == 8 {
        CanvasPixels<UInt8>(context)?.blur(sigma: sigma)
      } else {
        CanvasPixels<UInt16>(context)?.blur(sigma: sigma)
      }
    }
  }

  extension CanvasPixels {
    /// The memory of a context with four channels.
    fileprivate init?(_ context: CGContext) {
      guard let data = context.data else { return nil }
      let row = context.bytesPerRow / MemoryLayout<Sample>.size
      self.init(
        UnsafeMutableBufferPointer(
          start: data.assumingMemoryBound(to: Sample.self), count: row * context.height),
        width: context.width, height: context.height, row: row)
    }
  }
#endif
