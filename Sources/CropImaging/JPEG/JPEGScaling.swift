import CropCore
import CropKernels

/// How to scale down a rectangle of a JPEG: by the cosine transform as far as possible, which
/// decodes only what is needed, then by a filter.
struct JPEGScaling {
  /// The smallest factor that is left for the filter, so that it determines the quality.
  private static let least = 2.0

  /// The decoded size, in eighths of the stored size.
  let eighths: Int
  /// The part of the cut that is decoded.
  let decoded: BitmapSize
  let across: LanczosTaps
  let down: LanczosTaps

  /// How to scale `rect`, inside `around`; nil if the size does not change.
  ///
  /// A decoded pixel that is partly outside `rect` is left out, because it shows part of the
  /// outside.
  init?(_ rect: BitmapRect, of around: BitmapRect, to target: BitmapSize?) {
    guard let target else { return nil }
    // The sizes for which decoders have fast paths.
    let found = [1, 2, 4].first { eighths in
      let isLargeEnough =
        Double(rect.width * eighths) >= Self.least * Double(8 * target.width)
        && Double(rect.height * eighths) >= Self.least * Double(8 * target.height)
      return isLargeEnough && rect.width >= 16 && rect.height >= 16
    }
    let eighths = found ?? 8
    self.eighths = eighths
    func taps(_ start: Int, _ length: Int, _ outside: Int, _ whole: Int, _ target: Int)
      -> LanczosTaps
    {
      let from = start - outside
      let end = from + length
      let decoded = (whole * eighths + 7) / 8
      // The last pixel at the image's border may extend beyond it.
      let inside = (from * eighths + 7) / 8..<(end == whole ? decoded : end * eighths / 8)
      let scale = Double(eighths) / 8
      return LanczosTaps(
        target, from: Double(from) * scale, to: Double(end) * scale, inside: inside)
    }
    decoded = BitmapSize(
      width: (around.width * eighths + 7) / 8, height: (around.height * eighths + 7) / 8)
    across = taps(rect.x, rect.width, around.x, around.width, target.width)
    down = taps(rect.y, rect.height, around.y, around.height, target.height)
  }
}

/// The wanted pixels of a decoded part, scaled down.
struct ScaledRows<Rows: PixelRows>: PixelRows {
  private let rows: Rows
  private let scaling: JPEGScaling
  var width: Int { scaling.across.count }
  var height: Int { scaling.down.count }
  var channels: Int { rows.channels }

  /// Scales the requested rows of everything that `scaling` has decoded.
  init(_ rows: Rows, _ scaling: JPEGScaling) {
    self.rows = rows
    self.scaling = scaling
  }

  func forEach(
    _ body: (UnsafePointer<UInt8>, _ stride: Int, _ rows: Int, _ first: Int) throws(LibJPEGError)
      -> Void
  ) throws(LibJPEGError) {
    let scaler = LanczosRows(across: scaling.across, down: scaling.down, channels: channels)
    var done = 0
    try rows.forEach { (pixels, stride, count, _) throws(LibJPEGError) in
      for index in 0..<count where !scaler.isFinished {
        scaler.add(pixels + index * stride)
        while let row = scaler.next() {
          try body(row, width * channels, 1, done)
          done += 1
        }
      }
    }
  }
}
