#if canImport(UIKit)
  import CropCore
  import CropKernels
  import Foundation
  import UIKit

  /// Straightens four corners: Core Graphics draws the part, and the core's sampler computes the
  /// pixels.
  extension CropPicture {
    /// The result of a crop with four corners; nil for any other.
    ///
    /// - Throws: ``PictureError/tooLarge(width:height:)`` without memory.
    func straightened(_ crop: ResolvedCrop) throws(PictureError) -> CGImage? {
      let drawing = crop.drawing(of: orientation)
      guard let sampler = QuadSampler(crop), let part = drawing.part else { return nil }
      let size = drawing.size
      guard
        let source = BitmapCanvas(
          width: part.width, height: part.height, like: bitmap, isTranslucent: isTranslucent),
        let result = BitmapCanvas(
          width: size.width, height: size.height, like: bitmap, isTranslucent: isTranslucent)
      else { throw .tooLarge(width: size.width, height: size.height) }
      source.draw(bitmap, drawing)
      guard let from = SampleRows(source.context), let to = result.context.data,
        source.context.bitsPerComponent == result.context.bitsPerComponent,
        sampler.fill(to, rowBytes: result.context.bytesPerRow, from: from),
        let flat = result.context.makeImage()
      else { throw .tooLarge(width: size.width, height: size.height) }
      return drawing.shape == .rectangle ? flat : try masked(flat, drawing)
    }

    /// Masks a result to the outline of its crop.
    private func masked(
      _ flat: CGImage, _ drawing: ResultDrawing<BitmapSpace>
    ) throws(PictureError) -> CGImage {
      let canvas = BitmapCanvas(
        width: flat.width, height: flat.height, like: bitmap, isTranslucent: true)
      canvas?.clip(to: drawing)
      canvas?.draw(flat)
      guard let result = canvas?.context.makeImage() else {
        throw .tooLarge(width: flat.width, height: flat.height)
      }
      return result
    }
  }

  extension SampleRows {
    /// The pixels of a four-channel context, premultiplied by alpha; nil if its memory can't be
    /// read.
    fileprivate init?(_ context: CGContext) {
      guard let data = context.data, [8, 16].contains(context.bitsPerComponent) else { return nil }
      self.init(
        data, rowBytes: context.bytesPerRow,
        SampleLayout(depth: context.bitsPerComponent == 8 ? .eight : .sixteen, channels: 4))
    }
  }

  extension QuadSampler {
    /// Computes all rows; false if there is not enough memory.
    fileprivate func fill(
      _ output: UnsafeMutableRawPointer, rowBytes: Int, from part: SampleRows
    ) -> Bool {
      var source = part
      var averages: UnsafeMutableRawPointer?
      defer { free(averages) }
      if shrink > 1 {
        let count = samples.width * part.layout.pixelBytes
        averages = malloc(count * samples.height)
        guard let averages else { return false }
        for row in 0..<samples.height {
          average(row, of: part, from: 0, into: averages + row * count)
        }
        source = SampleRows(averages, rowBytes: count, part.layout)
      }
      for row in 0..<size.height {
        fill(
          row: row, columns: 0..<size.width, from: source, into: output + row * rowBytes)
      }
      return true
    }
  }
#endif
