#if canImport(UIKit)
  import CropCore
  import CropJPEG
  import UIKit

  /// Applies a recipe with Core Graphics, at full resolution. The core computes all positions.
  extension CropPicture {
    /// The result, on a canvas if there is one, as an image of scale 1.
    ///
    /// - Throws: ``PictureError``.
    @concurrent
    func cropped(
      by recipe: CropRecipe, on canvas: ResultCanvas? = nil
    ) async throws -> UIImage {
      try cut(by: recipe, on: canvas)
    }

    /// The image and the file of a result, for which the source is decoded once.
    ///
    /// - Throws: ``PictureError``.
    @concurrent
    func result(
      by recipe: CropRecipe, quality: Double, metadata: MetadataPolicy, lossless: LosslessMode,
      on canvas: ResultCanvas?
    ) async throws -> CropResult {
      guard let file = data.map({ PictureFile($0) }) else {
        return CropResult(
          image: try cut(by: recipe, on: canvas), data: nil, recipe: recipe, lost: [])
      }
      let made = try file.made(
        by: recipe, of: self, quality: quality, metadata, lossless, on: canvas)
      let image =
        try made.pixels.map { UIImage(cgImage: $0, scale: 1, orientation: .up) }
        ?? cut(by: recipe, on: canvas)
      let hidesPixels = canvas != nil || recipe.shape != .rectangle
      let lost = file.source.map {
        PictureFile.Part.lost(from: $0, made.maps, hidesPixels: hidesPixels)
      }
      return CropResult(image: image, data: made.data, recipe: recipe, lost: lost ?? [])
    }

    /// Makes the result synchronously.
    package func cut(by recipe: CropRecipe, on canvas: ResultCanvas? = nil) throws(PictureError)
      -> UIImage
    {
      let crop = try resolved(recipe)
      if try layout(of: crop, on: canvas) == nil, let cut = try copied(crop) { return cut }
      return UIImage(cgImage: try drawn(crop, on: canvas), scale: 1, orientation: .up)
    }

    /// The result as upright pixels.
    func uprightCut(
      by recipe: CropRecipe, on canvas: ResultCanvas? = nil
    ) throws(PictureError) -> CGImage {
      try drawn(try resolved(recipe), on: canvas)
    }

    private func drawn(_ crop: ResolvedCrop, on canvas: ResultCanvas?) throws(PictureError)
      -> CGImage
    {
      guard let canvas, let layout = try layout(of: crop, on: canvas) else {
        return try drawn(crop)
      }
      return try drawn(drawn(crop.scaled(to: layout.crop.size)), on: layout, fill: canvas.fill)
    }

    /// The recipe, resolved for this image.
    func resolved(_ recipe: CropRecipe) throws(PictureError) -> ResolvedCrop {
      do throws(RecipeError) {
        return try recipe.resolved(for: size)
      } catch {
        throw .recipe(error)
      }
    }

    /// The stored pixels, copied; nil if pixels must be computed.
    ///
    /// Turns and mirrors are stored as the orientation.
    private func copied(_ crop: ResolvedCrop) throws(PictureError) -> UIImage? {
      guard crop.shape == .rectangle, crop.output == crop.rectSize, let part = crop.imageRect else {
        return nil
      }
      let stored = BitmapSize(width: bitmap.width, height: bitmap.height)
      let map = OrientationMap<BitmapSpace, ImageSpace>(orientation, of: stored)
      let pixels: BitmapRect = map.inverse(part)
      let rect = CGRect(x: pixels.x, y: pixels.y, width: pixels.width, height: pixels.height)
      guard let cut = bitmap.cropping(to: rect) else {
        throw .tooLarge(width: pixels.width, height: pixels.height)
      }
      let shown = orientation.followed(by: crop.orientation)
      return UIImage(
        cgImage: compacted(cut, at: pixels), scale: 1, orientation: UIImage.Orientation(shown))
    }

    /// The same pixels in separate memory, since a part of a bitmap keeps all of it alive. If Core
    /// Graphics can't store them unchanged, it remains a part.
    private func compacted(_ cut: CGImage, at pixels: BitmapRect) -> CGImage {
      guard !(pixels.width == bitmap.width && pixels.height == bitmap.height) else { return bitmap }
      guard cut.colorSpace?.model == .rgb, [8, 16].contains(cut.bitsPerComponent),
        ![.first, .last, .alphaOnly].contains(cut.alphaInfo),
        !cut.bitmapInfo.contains(.floatComponents),
        let canvas = BitmapCanvas(
          width: cut.width, height: cut.height, like: cut, isTranslucent: isTranslucent),
        canvas.context.bitsPerComponent == cut.bitsPerComponent
      else { return cut }
      canvas.draw(cut)
      return canvas.context.makeImage() ?? cut
    }

    private func drawn(_ crop: ResolvedCrop) throws(PictureError) -> CGImage {
      if let flat = try straightened(crop) { return flat }
      let drawing = crop.drawing(of: orientation)
      let canvas = BitmapCanvas(
        width: drawing.size.width, height: drawing.size.height, like: bitmap,
        isTranslucent: isTranslucent || drawing.shape != .rectangle, keepsFloats: true)
      guard let canvas else {
        throw .tooLarge(width: drawing.size.width, height: drawing.size.height)
      }
      canvas.clip(to: drawing)
      canvas.draw(bitmap, drawing)
      guard let result = canvas.context.makeImage() else {
        throw .tooLarge(width: drawing.size.width, height: drawing.size.height)
      }
      return result
    }
  }

  /// A bitmap context whose origin is at the top left, as in the core's spaces.
  struct BitmapCanvas {
    let context: CGContext
    let bounds: CGRect

    /// A canvas with the color space of an image, and its bit depth if contexts support it; nil if
    /// there is not enough memory.
    ///
    /// With `keepsFloats`, samples of floating-point images are such numbers here too, so that they may
    /// be brighter than white. Only Core Graphics can read them.
    init?(
      width: Int, height: Int, like picture: CGImage, isTranslucent: Bool, keepsFloats: Bool = false
    ) {
      let own = picture.colorSpace.flatMap { $0.supportsOutput && $0.model != .indexed ? $0 : nil }
      let space = own ?? CGColorSpace(name: CGColorSpace.sRGB)
      // There are no 16-bit contexts for gray with alpha; sRGB can represent it.
      guard let space,
        let colors = space.model == .rgb ? space : CGColorSpace(name: CGColorSpace.sRGB)
      else { return nil }
      let alpha: CGImageAlphaInfo = isTranslucent ? .premultipliedLast : .noneSkipLast
      func context(_ depth: Int, _ order: CGBitmapInfo) -> CGContext? {
        CGContext(
          data: nil, width: width, height: height, bitsPerComponent: depth, bytesPerRow: 0,
          space: colors, bitmapInfo: alpha.rawValue | order.rawValue)
      }
      let isDeep = picture.bitsPerComponent > 8
      let isFloating = isDeep && keepsFloats && picture.bitmapInfo.contains(.floatComponents)
      let floating = isFloating ? context(16, [.byteOrder16Little, .floatComponents]) : nil
      // If there is no 16-bit context, use 8 bits.
      let deep = floating ?? (isDeep ? context(16, .byteOrder16Little) : nil)
      guard let context = deep ?? context(8, []) else { return nil }
      self.context = context
      bounds = CGRect(x: 0, y: 0, width: width, height: height)
      context.concatenate(Self.flip(height))
    }

    /// Converts between an origin at the top left and Core Graphics' at the bottom left.
    private static func flip(_ height: Int) -> CGAffineTransform {
      CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: CGFloat(height))
    }

    func clip(to drawing: ResultDrawing<BitmapSpace>) {
      switch drawing.shape {
      case .rectangle: return
      case .ellipse: context.addEllipse(in: bounds)
      case .roundedRectangle:
        context.addPath(
          CGPath(
            // More than half a side, even by a rounding error, would end the app.
            roundedRect: bounds, cornerWidth: min(drawing.cornerWidth, bounds.width / 2),
            cornerHeight: min(drawing.cornerHeight, bounds.height / 2), transform: nil))
      }
      context.clip()
    }

    func draw(_ bitmap: CGImage, _ drawing: ResultDrawing<BitmapSpace>) {
      context.interpolationQuality = drawing.copiesPixels ? .none : .high
      context.concatenate(CGAffineTransform(drawing.map))
      lay(bitmap)
    }

    /// Draws a bitmap unchanged, pixel for pixel.
    func draw(_ bitmap: CGImage) {
      context.interpolationQuality = .none
      lay(bitmap)
    }

    private func lay(_ bitmap: CGImage) {
      // Core Graphics draws images bottom up.
      context.concatenate(Self.flip(bitmap.height))
      context.draw(bitmap, in: CGRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height))
    }
  }
#endif
