import CropCore

/// Pixels of 8 bits per channel, row by row without padding, that are searched for a uniform
/// border.
///
///     ┌─────────────────┐
///     │ border  ┌──────┐│   The border's color is that of corners that agree. The inside is the
///     │         │inside││   smallest rectangle that contains every pixel of another color.
///     │         └──────┘│
///     └─────────────────┘
public struct BorderedPixels {
  private let samples: UnsafeBufferPointer<UInt8>
  private let width: Int
  private let height: Int
  private let bands: Int

  /// The default tolerance: how far a channel of a border pixel may differ from the border's
  /// color, of 255.
  ///
  /// Measured on white and colored margins with noise from scanners and from JPEGs of quality 60
  /// and more: `Tests/Peers/test_trim.py`.
  public static var usualTolerance: Int { 24 }

  /// Pixels of `bands` channels: gray, gray and alpha, RGB, or RGBA, with straight alpha.
  ///
  /// `samples` must stay valid while this value is used. Nil if the number of samples does not
  /// match the size.
  public init?(_ samples: UnsafeBufferPointer<UInt8>, width: Int, height: Int, bands: Int) {
    let (row, isLong) = width.multipliedReportingOverflow(by: bands)
    let (count, isLarge) = row.multipliedReportingOverflow(by: height)
    guard width >= 1, height >= 1, (1...4).contains(bands), !isLong, !isLarge,
      count == samples.count
    else { return nil }
    self.samples = samples
    self.width = width
    self.height = height
    self.bands = bands
  }
}

extension BorderedPixels {
  /// The smallest rectangle that contains every pixel that differs from the border's color by more
  /// than `tolerance`, 0 to 255, in any channel; the complete image if it has no border, nil if no
  /// pixel differs.
  ///
  /// Colors are weighted by opacity and alpha counts as another channel, so that all transparent
  /// pixels are equal. The border's color is the one that most corners share, at least two: the
  /// median of each channel over the pixels at the image's edges that are similar to these corners.
  public func inside(tolerance: Int) -> ImageRect? {
    let whole = ImageRect(x: 0, y: 0, width: width, height: height)
    guard let corner = commonCorner(tolerance) else { return whole }
    let color = median(of: corner, tolerance)
    func differs(_ x: Int, _ y: Int) -> Bool { !isLike(color, pixel(x, y), tolerance) }
    func rowDiffers(_ y: Int) -> Bool {
      for x in 0..<width where differs(x, y) { return true }
      return false
    }
    var top = 0
    while top < height, !rowDiffers(top) { top += 1 }
    guard top < height else { return nil }
    var bottom = height
    while !rowDiffers(bottom - 1) { bottom -= 1 }
    var (left, right) = (width, 0)
    for y in top..<bottom {
      // Only pixels outside of the columns found so far can widen them.
      var x = 0
      while x < left, !differs(x, y) { x += 1 }
      left = min(left, x)
      x = width
      while x > right, !differs(x - 1, y) { x -= 1 }
      right = max(right, x)
    }
    return ImageRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// A pixel: its colors, multiplied by alpha, then alpha.
  private typealias Color = SIMD4<Int16>

  private func pixel(_ x: Int, _ y: Int) -> Color {
    let at = (y * width + x) * bands
    switch bands {
    case 1: return Color(Int16(samples[at]), 0, 0, 255)
    case 2:
      let alpha = Int16(samples[at + 1])
      return Color(Self.opaque(samples[at], alpha), 0, 0, alpha)
    case 3: return Color(Int16(samples[at]), Int16(samples[at + 1]), Int16(samples[at + 2]), 255)
    default:
      let alpha = Int16(samples[at + 3])
      return Color(
        Self.opaque(samples[at], alpha), Self.opaque(samples[at + 1], alpha),
        Self.opaque(samples[at + 2], alpha), alpha)
    }
  }

  /// A color weighted by its opacity, rounded.
  private static func opaque(_ sample: UInt8, _ alpha: Int16) -> Int16 {
    alpha == 255 ? Int16(sample) : Int16((Int(sample) * Int(alpha) + 127) / 255)
  }

  private func isLike(_ one: Color, _ other: Color, _ tolerance: Int) -> Bool {
    let difference = one &- other
    for channel in 0..<4 where abs(Int(difference[channel])) > tolerance { return false }
    return true
  }

  /// The color of the first corner that is similar to most others; nil if no two are similar.
  private func commonCorner(_ tolerance: Int) -> Color? {
    var best: (color: Color, count: Int)?
    for one in 0..<4 {
      let color = corner(one)
      var count = 0
      for other in 0..<4 where isLike(color, corner(other), tolerance) { count += 1 }
      if count > best?.count ?? 1 { best = (color, count) }
    }
    return best?.color
  }

  private func corner(_ index: Int) -> Color {
    pixel(index % 2 == 0 ? 0 : width - 1, index < 2 ? 0 : height - 1)
  }

  /// The median of each channel over the pixels at the edges that are similar to `color`.
  private func median(of color: Color, _ tolerance: Int) -> Color {
    var counts = [Int](repeating: 0, count: 4 * 256)
    var total = 0
    func count(_ x: Int, _ y: Int) {
      let found = pixel(x, y)
      guard isLike(color, found, tolerance) else { return }
      total += 1
      for channel in 0..<4 { counts[channel * 256 + Int(found[channel])] += 1 }
    }
    for x in 0..<width {
      count(x, 0)
      count(x, height - 1)
    }
    for y in 0..<height {
      count(0, y)
      count(width - 1, y)
    }
    var result = color
    for channel in 0..<4 {
      var (value, below) = (0, counts[channel * 256])
      while below * 2 < total {
        value += 1
        below += counts[channel * 256 + value]
      }
      result[channel] = Int16(value)
    }
    return result
  }
}
