import CJPEG
import CropCore
import FoundationEssentials

/// Encodes RGB pixels as JPEG, with any chroma subsampling except `other`.
package enum JPEGRows {
  /// A JPEG file of `size` pixels, row by row, 8 bits per channel; nil if there is not enough
  /// memory.
  package static func coded(
    _ pixels: [UInt8], size: FrameSize, subsampling: ChromaSubsampling, quality: Int,
    isProgressive: Bool, segments: [(marker: UInt8, content: [UInt8])]
  ) -> Data? {
    var picture = ckc_jpeg_picture()
    picture.width = Int32(clamping: size.width)
    picture.height = Int32(clamping: size.height)
    picture.channels = 3
    // YCbCr in libjpeg's list.
    picture.color_space = 3
    picture.pixels = CKC_JPEG_RGB
    picture.component_ids = (1, 2, 3, 0)
    picture.sample(as: subsampling, turn: .up)
    do throws(LibJPEGError) {
      let encoding = try JPEGEncoding(
        picture, quality: quality, isProgressive: isProgressive,
        segments: JPEGSegmentList(segments: segments))
      let stride = 3 * size.width
      try pixels.withUnsafeBufferPointer { (pixels) throws(LibJPEGError) in
        guard let start = pixels.baseAddress else { return }
        try encoding.write(start, stride: stride, rows: size.height)
      }
      return try encoding.finish().take()
    } catch {
      return nil
    }
  }
}
