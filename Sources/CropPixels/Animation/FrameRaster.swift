import CVips
import CropCore
import CropImaging

/// The samples of a finished frame.
struct FrameRaster {
  let width: Int
  let height: Int
  let bands: Int
  let isWide: Bool
  /// Row by row without padding.
  let samples: [UInt8]

  /// Computes the pixels of `picture`.
  init(_ picture: Picture) throws(VipsFailure) {
    (width, height, bands) = (picture.width, picture.height, picture.bands)
    isWide = picture.format == VIPS_FORMAT_USHORT
    samples = try picture.samples()
  }

  private var pixelSize: Int { isWide ? 2 * bands : bands }

  /// The smallest rectangle that contains all differences from `other`; nil if there are none.
  func change(from other: FrameRaster) -> FrameBox? {
    let stride = width * pixelSize
    return samples.withUnsafeBytes { mine in
      other.samples.withUnsafeBytes { theirs in
        FrameBox.change(width: stride, height: height) { (y: Int, range: Range<Int>) in
          let start = y * stride
          for x in range where mine[start + x] != theirs[start + x] { return x }
          return nil
        } last: { (y: Int, range: Range<Int>) in
          let start = y * stride
          for x in range.reversed() where mine[start + x] != theirs[start + x] { return x }
          return nil
        }
      }
    }.map { bytes in
      let left = bytes.x / pixelSize
      let right = (bytes.x + bytes.width - 1) / pixelSize
      return FrameBox(x: left, y: bytes.y, width: right - left + 1, height: bytes.height)
    }
  }

  /// The pixels inside `box`.
  func part(_ box: FrameBox) throws(VipsFailure) -> Picture {
    try Picture(samples: samples, width: width, height: height, bands: bands, isWide: isWide)
      .cut(to: PixelRect<FrameSpace>(x: box.x, y: box.y, width: box.width, height: box.height))
  }
}

/// A part of a frame, in pixels from its top left.
struct FrameBox: Equatable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  /// The smallest box that contains this one and `other`.
  func joined(_ other: FrameBox?) -> FrameBox {
    guard let other else { return self }
    let (left, top) = (min(x, other.x), min(y, other.y))
    return FrameBox(
      x: left, y: top, width: max(x + width, other.x + other.width) - left,
      height: max(y + height, other.y + other.height) - top)
  }

  /// The smallest box that contains this one and starts at even positions, as WebP requires.
  var even: FrameBox {
    FrameBox(x: x & ~1, y: y & ~1, width: width + (x & 1), height: height + (y & 1))
  }

  /// The smallest box around all pixels that differ; `first` and `last` find the outermost ones in
  /// a part of a row.
  static func change(
    width: Int, height: Int, first: (Int, Range<Int>) -> Int?, last: (Int, Range<Int>) -> Int?
  ) -> FrameBox? {
    var (left, right) = (width, -1)
    var (top, bottom) = (height, -1)
    for y in 0..<height {
      guard let start = first(y, 0..<width) else { continue }
      let end = last(y, max(start, right)..<width) ?? start
      (left, right) = (min(left, start), max(right, end))
      (top, bottom) = (min(top, y), y)
    }
    guard right >= left else { return nil }
    return FrameBox(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }
}
