import CropCore

/// Straightens the area between four corners to a rectangle, one row of the result at a time.
///
///     frame ┌────────────────┐    Each pixel center of the result is mapped to the frame by the homography.
///           │ area ┌───────┐ │    The image is sampled there, bicubic; if the result is less than half the
///           │      │ ╱quad╲│ │    size, squares of pixels are averaged first. Beyond the frame, its edge
///           │      └───────┘ │    pixels are repeated.
///           └────────────────┘
///
/// All user interfaces use this code. It computes 8 and 16-bit samples in integer arithmetic, so
/// the pixels are identical everywhere; `QuadSampler+Bytes.swift` rounds those of 8 bits. The
/// kernel is that of Robert G. Keys, "Cubic Convolution Interpolation for Digital Image
/// Processing", IEEE Transactions on Acoustics, Speech, and Signal Processing 29 (6), 1981, with a
/// = −1/2, also known as Catmull-Rom. Positions are rounded to 1/1024 pixel, weights to 2⁻¹⁴.
public struct QuadSampler: Sendable {
  /// The size of the result, in pixels.
  public let size: FrameSize
  /// The pixels of the frame that are read; all others may be missing.
  public let part: PixelRect<FrameSpace>
  /// The side of the square of pixels that is averaged to one sample before straightening; 1 for no
  /// averaging.
  public let shrink: Int
  /// The number of columns and rows that the result is sampled from: those of ``part``, or of its
  /// averages.
  public let samples: FrameSize
  /// The start of the first square that is averaged, relative to the first pixel of `part`.
  let start: (x: Int, y: Int)
  /// From the result to the samples: to the place of a kernel's second tap, in steps of 1/1024, counted from
  /// the center of the first sample.
  private let map: Homography<ResultSpace, FrameSpace>
  /// The four weights for each position between two samples.
  let weights: [SIMD4<Int16>]
  /// The same, each as often as a pixel of three and of four channels has samples; see ``fillBytes``.
  let spread: (three: [SIMD16<Int16>], four: [SIMD16<Int16>])

  static var steps: Int { 1024 }
  /// The bits of both weights of a tap.
  private static var bits: Int64 { 28 }

  /// The sampler for a crop; nil if the crop has no four corners.
  public init?(_ crop: ResolvedCrop) {
    guard let quad = crop.quad else { return nil }
    self.init(quad, in: crop.neededPart, to: crop.output)
  }

  /// The sampler for four valid corners.
  ///
  /// - Parameters:
  ///   - quad: the corners, in frame pixels.
  ///   - part: the available pixels of the frame, at least `ResolvedCrop.neededPart`.
  ///   - size: the size of the result, in pixels; at least 1 a side.
  public init(_ quad: Quad, in part: PixelRect<FrameSpace>, to size: FrameSize) {
    let shrink = quad.shrink(to: size)
    let area = quad.sampledArea(shrink: shrink)
    (self.size, self.part, self.shrink) = (size, part, shrink)
    start = shrink == 1 ? (0, 0) : (area.x - part.x, area.y - part.y)
    samples =
      shrink == 1
      ? part.size : FrameSize(width: area.width / shrink, height: area.height / shrink)
    let map = Homography<ResultSpace, FrameSpace>(
      from: PixelSize(width: size.width, height: size.height), to: quad)
    // Samples are addressed by their centers: half a step less, in proportion to the depth.
    let scale = Double(Self.steps) / Double(shrink)
    let (x, y) = (Double(part.x + start.x), Double(part.y + start.y))
    let offset = -0.5 * Double(Self.steps)
    func across(_ number: Double, _ depth: Double) -> Double {
      (number - x * depth) * scale + offset * depth
    }
    func down(_ number: Double, _ depth: Double) -> Double {
      (number - y * depth) * scale + offset * depth
    }
    self.map = Homography(
      a: across(map.a, map.g), b: across(map.b, map.h), c: across(map.c, map.i),
      d: down(map.d, map.g), e: down(map.e, map.h), f: down(map.f, map.i),
      g: map.g, h: map.h, i: map.i)
    let weights = Self.kernel()
    self.weights = weights
    spread = (weights.map { $0.spread(over: 3) }, weights.map { $0.spread(over: 4) })
  }

  /// The weights of the four samples around each of 1024 positions; each four add up to 2¹⁴.
  private static func kernel() -> [SIMD4<Int16>] {
    (0..<steps).map { step in
      let t = Double(step) / Double(steps)
      let unit = 16_384.0
      let first = Int16((((-0.5 * t + 1) * t - 0.5) * t * unit).rounded(.toNearestOrEven))
      let second = Int16((((1.5 * t - 2.5) * t * t + 1) * unit).rounded(.toNearestOrEven))
      let last = Int16(((0.5 * t - 0.5) * t * t * unit).rounded(.toNearestOrEven))
      return SIMD4(first, second, 16_384 - first - second - last, last)
    }
  }
}

extension QuadSampler {
  /// Computes some columns of a row of the result.
  ///
  /// - Parameters:
  ///   - row: the row, from 0.
  ///   - columns: the columns to compute.
  ///   - source: all ``samples``: the pixels of ``part``, or the output of
  ///     ``average(_:of:from:into:)``.
  ///   - output: where to write the first of the columns, in the layout of the source.
  public func fill(
    row: Int, columns: Range<Int>, from source: SampleRows, into output: UnsafeMutableRawPointer
  ) {
    let (channels, hasAlpha) = (source.layout.channels, source.layout.hasAlpha)
    switch source.layout.depth {
    case .eight:
      let from = source.address.assumingMemoryBound(to: UInt8.self)
      let to = output.assumingMemoryBound(to: UInt8.self)
      if hasAlpha {
        fillTranslucent(
          row, columns, source, { Int64(from[$0]) }, { to[$0] = Sample.eight($1) })
      } else {
        fillBytes(row, columns, from, source.stride, channels, into: to)
      }
    case .sixteen:
      let from = source.address.assumingMemoryBound(to: UInt16.self)
      let to = output.assumingMemoryBound(to: UInt16.self)
      if hasAlpha {
        fillTranslucent(
          row, columns, source, { Int64(from[$0]) }, { to[$0] = Sample.sixteen($1) })
      } else {
        let half: Int64 = 1 << (Self.bits - 1)
        var index = 0
        eachTap(row, columns, source.stride, channels) { taps in
          for channel in 0..<channels {
            let sum = taps.sum { Int64(from[$0 &+ channel]) }
            to[index] = Sample.sixteen((sum &+ half) >> Self.bits)
            index &+= 1
          }
        }
      }
    case .real:
      let from = source.address.assumingMemoryBound(to: Float.self)
      let to = output.assumingMemoryBound(to: Float.self)
      var index = 0
      eachTap(row, columns, source.stride, channels) { taps in
        for channel in 0..<channels {
          to[index] = Float(taps.mean { Double(from[$0 &+ channel]) })
          index &+= 1
        }
      }
    }
  }

  @inline(__always)
  private func fillTranslucent(
    _ row: Int, _ columns: Range<Int>, _ source: SampleRows, _ load: (Int) -> Int64,
    _ store: (Int, Int64) -> Void
  ) {
    let half: Int64 = 1 << (Self.bits - 1)
    let colors = source.layout.channels - 1
    var index = 0
    eachTap(row, columns, source.stride, colors + 1) { taps in
      let alpha = taps.sum { load($0 &+ colors) }
      for channel in 0..<colors {
        let sum = taps.sum { load($0 &+ channel) &* load($0 &+ colors) }
        store(index, alpha > 0 ? (sum &+ alpha / 2) / alpha : 0)
        index &+= 1
      }
      store(index, (alpha &+ half) >> Self.bits)
      index &+= 1
    }
  }

  /// Calls `body` with the taps of each column, in order.
  @inline(__always)
  private func eachTap(
    _ row: Int, _ columns: Range<Int>, _ stride: Int, _ channels: Int, _ body: (Taps) -> Void
  ) {
    weights.withUnsafeBufferPointer { weights in
      guard let weights = weights.baseAddress else { return }
      eachPlace(row, columns) { place in
        body(self.taps(at: place, stride, channels, weights))
      }
    }
  }

  /// The taps at a position; beyond the samples, those at the edge are repeated.
  @inline(__always)
  func taps(
    at place: Place, _ stride: Int, _ channels: Int, _ weights: UnsafePointer<SIMD4<Int16>>
  ) -> Taps {
    @inline(__always) func kept(_ place: Int32, _ count: Int, _ step: Int) -> (Int, Int, Int, Int) {
      let (first, last) = (Int(place), count &- 1)
      if first >= 0, first &+ 3 <= last {
        let at = first &* step
        return (at, at &+ step, at &+ 2 &* step, at &+ 3 &* step)
      }
      func at(_ index: Int) -> Int { min(max(first &+ index, 0), last) &* step }
      return (at(0), at(1), at(2), at(3))
    }
    @inline(__always) func four(_ weights: UnsafePointer<SIMD4<Int16>>) -> (
      Int64, Int64, Int64, Int64
    ) {
      let each = UnsafeRawPointer(weights).assumingMemoryBound(to: Int16.self)
      return (Int64(each[0]), Int64(each[1]), Int64(each[2]), Int64(each[3]))
    }
    return Taps(
      x: kept(place.left, samples.width, channels), y: kept(place.top, samples.height, stride),
      across: four(weights + place.across), down: four(weights + place.down))
  }

  /// Calls `body` with the position at which each column is sampled, in order.
  @inline(__always)
  func eachPlace(_ row: Int, _ columns: Range<Int>, _ body: (Place) -> Void) {
    let y = Double(row) + 0.5
    let (a, d, g) = (map.a, map.d, map.g)
    let (across, down, depth) = (map.b * y + map.c, map.e * y + map.f, map.h * y + map.i)
    // Added to a number, it rounds to the nearest whole number and leaves it in the lowest bits;
    // faster than a checked conversion.
    let whole = 6_755_399_441_055_744.0  // 1.5 · 2⁵²
    for column in columns {
      let x = Double(column) + 0.5
      let share = 1 / (g * x + depth)
      body(
        Place(
          ((a * x + across) * share + whole).bitPattern,
          ((d * x + down) * share + whole).bitPattern))
    }
  }
}

/// The position of a pixel of the result among the samples.
struct Place {
  /// The first of the four columns and rows under the kernel; negative or too large beyond the samples.
  let left: Int32
  let top: Int32
  /// The horizontal distance beyond the second of them, in steps.
  let across: Int
  let down: Int

  /// A position from its coordinates in steps, in the lowest bits.
  @inline(__always)
  init(_ x: UInt64, _ y: UInt64) {
    let (x, y) = (Int32(truncatingIfNeeded: x), Int32(truncatingIfNeeded: y))
    (left, top) = ((x >> 10) &- 1, (y >> 10) &- 1)
    (across, down) = (Int(x & 1023), Int(y & 1023))
  }
}

/// The sixteen samples under the kernel: the positions of their columns and rows, and their
/// weights.
struct Taps {
  let x: (Int, Int, Int, Int)
  let y: (Int, Int, Int, Int)
  let across: (Int64, Int64, Int64, Int64)
  let down: (Int64, Int64, Int64, Int64)

  /// The weighted sum of the samples that `load` returns; it does not overflow for samples of up to
  /// 32 bits.
  @inline(__always)
  func sum(_ load: (Int) -> Int64) -> Int64 {
    @inline(__always) func row(_ y: Int) -> Int64 {
      let (first, second) = (load(y &+ x.0) &* across.0, load(y &+ x.1) &* across.1)
      let (third, last) = (load(y &+ x.2) &* across.2, load(y &+ x.3) &* across.3)
      return first &+ second &+ third &+ last
    }
    let (first, second) = (row(y.0) &* down.0, row(y.1) &* down.1)
    let (third, last) = (row(y.2) &* down.2, row(y.3) &* down.3)
    return first &+ second &+ third &+ last
  }

  /// The weighted mean of the samples that `load` returns.
  @inline(__always)
  func mean(_ load: (Int) -> Double) -> Double {
    @inline(__always) func row(_ y: Int) -> Double {
      var sum = load(y &+ x.0) * Double(across.0)
      sum += load(y &+ x.1) * Double(across.1)
      sum += load(y &+ x.2) * Double(across.2)
      return sum + load(y &+ x.3) * Double(across.3)
    }
    var sum = row(y.0) * Double(down.0)
    sum += row(y.1) * Double(down.1)
    sum += row(y.2) * Double(down.2)
    sum += row(y.3) * Double(down.3)
    return sum / 268_435_456
  }
}
