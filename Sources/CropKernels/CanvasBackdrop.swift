import CropCore

/// How to make the blurred image that fills a canvas behind a crop.
///
/// The largest centered part of the crop with the canvas's ratio is reduced, blurred by a Gaussian,
/// and enlarged to the canvas. The reduced image is large enough for all detail that the blur
/// leaves.
public struct CanvasBackdrop: Hashable, Sendable {
  /// The part of the crop that is enlarged to the canvas, in pixels of the crop.
  public let part: PixelRect<FrameSpace>
  /// The size of the reduced image, in pixels.
  public let size: FrameSize
  /// The standard deviation of the Gaussian, in pixels of the reduced image.
  public let sigma: Double

  /// The backdrop of a canvas of `canvas` pixels, made from a crop of `crop` pixels.
  public init(of crop: FrameSize, on canvas: FrameSize) {
    let sigma = Double(max(canvas.width, canvas.height)) * Self.share
    let factor = max(1, sigma / Self.mostSigma)
    func side(_ length: Double, _ most: Int) -> Int {
      min(most, max(1, Int(length.rounded(.toNearestOrAwayFromZero))))
    }
    let (width, height) = (Double(canvas.width), Double(canvas.height))
    let scale = min(Double(crop.width) / width, Double(crop.height) / height)
    let partWidth = side(width * scale, crop.width)
    let partHeight = side(height * scale, crop.height)
    part = PixelRect(
      x: (crop.width - partWidth) / 2, y: (crop.height - partHeight) / 2, width: partWidth,
      height: partHeight)
    size = FrameSize(
      width: side(width / factor, canvas.width), height: side(height / factor, canvas.height))
    self.sigma = sigma / factor
  }

  /// The standard deviation as a share of the canvas's longer side, large enough to make faces and
  /// letters unrecognizable.
  private static var share: Double { 1.0 / 40 }
  /// The largest standard deviation for which the image is blurred without reducing it first.
  private static var mostSigma: Double { 6 }
}

/// Opaque RGBA pixels of 8 or 16 bits per channel, from which the fill of a canvas is computed.
public struct CanvasPixels<Sample: FixedWidthInteger & UnsignedInteger> {
  @usableFromInline let samples: UnsafeMutableBufferPointer<Sample>
  @usableFromInline let size: FrameSize
  /// The distance between rows, in samples.
  @usableFromInline let row: Int

  /// Uses the samples in place. `row` is the distance between rows in samples, 4 × `width` if it is
  /// nil; the initializer returns nil unless there are exactly `height` such rows.
  public init?(
    _ samples: UnsafeMutableBufferPointer<Sample>, width: Int, height: Int, row: Int? = nil
  ) {
    let (used, isTooWide) = width.multipliedReportingOverflow(by: 4)
    let (count, isTooLarge) = (row ?? used).multipliedReportingOverflow(by: height)
    guard width >= 1, height >= 1, !isTooWide, !isTooLarge, (row ?? used) >= used,
      samples.count == count
    else { return nil }
    self.samples = samples
    size = FrameSize(width: width, height: height)
    self.row = row ?? used
  }

  /// The median of each channel; of an even number of pixels, the higher of the two in the middle.
  public var median: [Sample] {
    median(over: [PixelRect(x: 0, y: 0, width: size.width, height: size.height)])
  }

  /// The median of each channel over the outermost pixels; those of the corners count twice.
  public var edgeMedian: [Sample] { median(over: size.edges) }

  private func median(over parts: [PixelRect<FrameSpace>]) -> [Sample] {
    (0..<4).map { channel in
      var counts = [Int](repeating: 0, count: Int(Sample.max) + 1)
      var total = 0
      for part in parts {
        for y in part.y..<part.y + part.height {
          for x in part.x..<part.x + part.width {
            counts[Int(samples[y * row + 4 * x + channel])] += 1
          }
        }
        total += part.width * part.height
      }
      var (value, below) = (0, counts[0])
      while below <= total / 2 {
        value += 1
        below += counts[value]
      }
      return Sample(value)
    }
  }

  /// Sets every pixel to the four samples of `color`.
  @inlinable
  public func fill(with color: [Sample]) {
    for y in 0..<size.height {
      for x in 0..<size.width {
        for channel in 0..<4 { samples[y * row + 4 * x + channel] = color[channel] }
      }
    }
  }

  /// Blurs the colors by a Gaussian of the standard deviation `sigma`, in pixels. Beyond an edge,
  /// the edge pixels are repeated.
  @inlinable
  public func blur(sigma: Double) {
    guard sigma > 0, sigma < 1000 else { return }
    let weights = Self.weights(sigma)
    blurLines(size.height, apart: row, of: size.width, step: 4, weights)
    blurLines(size.width, apart: 4, of: size.height, step: row, weights)
  }

  /// Blurs `lines` lines of `count` pixels each.
  @inlinable
  func blurLines(_ lines: Int, apart: Int, of count: Int, step: Int, _ weights: [Double]) {
    let radius = weights.count / 2
    // The line with its end pixels repeated, so that the loop needs no bounds check.
    var line = [Double](repeating: 0, count: count + 2 * radius)
    for start in 0..<lines {
      for channel in 0..<3 {
        let first = start * apart + channel
        for at in 0..<line.count {
          line[at] = Double(samples[first + min(max(at - radius, 0), count - 1) * step])
        }
        for at in 0..<count {
          var sum = 0.5
          for index in 0..<weights.count { sum += weights[index] * line[at + index] }
          samples[first + at * step] = Sample(min(Double(Sample.max), sum))
        }
      }
    }
  }

  /// The weights of a Gaussian down to a hundredth of its peak; their sum is 1.
  @usableFromInline
  static func weights(_ sigma: Double) -> [Double] {
    // √(2 ln 100) standard deviations.
    let radius = Int(sigma * 3.034_854_258_770_293)
    var weights: [Double] = []
    var sum = 0.0
    for at in -radius...radius {
      let weight = LibM.exponential(-Double(at * at) / (2 * sigma * sigma))
      weights.append(weight)
      sum += weight
    }
    for index in weights.indices { weights[index] /= sum }
    return weights
  }
}

extension FrameSize {
  /// The outermost rows and columns of pixels; the corners are part of two of them.
  package var edges: [PixelRect<FrameSpace>] {
    [
      PixelRect(x: 0, y: 0, width: width, height: 1),
      PixelRect(x: 0, y: height - 1, width: width, height: 1),
      PixelRect(x: 0, y: 0, width: 1, height: height),
      PixelRect(x: width - 1, y: 0, width: 1, height: height),
    ]
  }
}
