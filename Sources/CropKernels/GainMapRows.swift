import CropCore

/// Resamples a gain map, row by row. Each sample of the result is the mean of the bilinear surface
/// over its area, because renderers read a map with bilinear interpolation. If samples are copied
/// (`exact` of the cut), they do not change.
public struct GainMapRows {
  /// The samples of the map in memory, row by row without padding.
  private let samples: UnsafePointer<UInt8>
  /// The position of these samples in the complete map.
  private let held: BitmapRect
  private let channels: Int
  private let cut: GainMapCut
  /// The number of parts into which the sides of a sample are divided, if the result is coarser
  /// than the map; nil for four corners, where it differs from sample to sample.
  private let evenParts: (across: Int, down: Int)?
  /// The positions of the parts of each sample of a row in a row of the map; empty if the map is
  /// turned or tilted.
  private let columns: [Tap]

  /// Two adjacent samples in a row of the map, and the weight of the second.
  private struct Tap {
    let first: Int
    let second: Int
    let share: Float
  }

  /// The largest number of parts per side; more make no difference.
  private static let mostParts = 64

  /// Rows of the cropped map.
  ///
  /// - Parameters:
  ///   - samples: the samples of `held`, row by row without padding, one byte per channel; they
  ///     must stay valid while the rows are used.
  ///   - held: the position of these samples in the complete map; must include
  ///     `needed` of the cut.
  ///   - channels: the number of bytes per sample, 1 or more.
  ///   - cut: how to crop the map.
  public init(
    _ samples: UnsafePointer<UInt8>, of held: BitmapRect, channels: Int, cut: GainMapCut
  ) {
    self.samples = samples
    self.held = held
    self.channels = channels
    self.cut = cut
    let isEven = cut.place.g == 0 && cut.place.h == 0
    let even = isEven ? Self.parts(of: cut.place, at: BitmapPoint(x: 0, y: 0)) : nil
    evenParts = even
    guard let even, cut.place.b == 0, cut.place.d == 0 else {
      columns = []
      return
    }
    columns = (0..<cut.size.width * even.across).map { part in
      let place = cut.place.a * (Double(part) + 0.5) / Double(even.across) + cut.place.c
      let (left, right, share) = Self.neighbors(place - 0.5 - Double(held.x), held.width)
      return Tap(first: left * channels, second: right * channels, share: Float(share))
    }
  }

  /// The number of parts into which the sides of a sample at `point` are divided.
  private static func parts(
    of place: Homography<BitmapSpace, BitmapSpace>, at point: BitmapPoint
  ) -> (across: Int, down: Int) {
    // How far a step along each side leads in the map: the derivative of a quotient.
    let w = place.g * point.x + place.h * point.y + place.i
    let there = place(point)
    func parts(_ x: Double, _ y: Double, _ change: Double) -> Int {
      let length = max(abs(x - there.x * change), abs(y - there.y * change)) / w
      // A little more than whole is rounding.
      return Int(min(max((length - 1e-6).rounded(.up), 1), Double(mostParts)))
    }
    return (parts(place.a, place.d, place.g), parts(place.b, place.e, place.h))
  }

  /// Writes row `y` of the result, counted from 0, to `row`: as many bytes as the width
  /// of the cut times the number of channels.
  public func write(row y: Int, to row: UnsafeMutablePointer<UInt8>) {
    if let evenParts, !columns.isEmpty { return write(row: y, evenParts, to: row) }
    withUnsafeTemporaryAllocation(of: Double.self, capacity: channels) { sums in
      for x in 0..<cut.size.width {
        for channel in 0..<channels { sums[channel] = 0 }
        let (across, down) =
          evenParts
          ?? Self.parts(of: cut.place, at: BitmapPoint(x: Double(x) + 0.5, y: Double(y) + 0.5))
        let share = 1 / Double(across * down)
        for j in 0..<down {
          for i in 0..<across {
            add(
              cut.place(
                BitmapPoint(
                  x: Double(x) + (Double(i) + 0.5) / Double(across),
                  y: Double(y) + (Double(j) + 0.5) / Double(down))), to: sums)
          }
        }
        for channel in 0..<channels {
          row[x * channels + channel] = UInt8(min(max(sums[channel] * share + 0.5, 0), 255))
        }
      }
    }
  }

  /// Writes a row of a map that is not turned. It interpolates rows first, then columns, which
  /// gives the same result as both at once and is faster.
  private func write(
    row y: Int, _ parts: (across: Int, down: Int), to row: UnsafeMutablePointer<UInt8>
  ) {
    let count = held.width * channels
    withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { line in
      line.initialize(repeating: 0)
      for part in 0..<parts.down {
        let place =
          cut.place.e * (Double(y) + (Double(part) + 0.5) / Double(parts.down)) + cut.place.f
        let (top, bottom, share) = Self.neighbors(place - 0.5 - Double(held.y), held.height)
        let (upper, lower, lowerShare) = (
          samples + top * count, samples + bottom * count, Float(share)
        )
        for index in 0..<count {
          let above = Float(upper[index])
          line[index] += above + (Float(lower[index]) - above) * lowerShare
        }
      }
      let share = 1 / Float(parts.across * parts.down)
      columns.withUnsafeBufferPointer { columns in
        for x in 0..<cut.size.width {
          for channel in 0..<channels {
            var sum: Float = 0
            for tap in columns[x * parts.across..<(x + 1) * parts.across] {
              let left = line[tap.first + channel]
              sum += left + (line[tap.second + channel] - left) * tap.share
            }
            row[x * channels + channel] = UInt8(min(max(sum * share + 0.5, 0), 255))
          }
        }
      }
    }
  }

  /// Adds the values at a point of the complete map, interpolated between four samples.
  private func add(_ point: BitmapPoint, to sums: UnsafeMutableBufferPointer<Double>) {
    let (left, right, x) = Self.neighbors(point.x - 0.5 - Double(held.x), held.width)
    let (top, bottom, y) = Self.neighbors(point.y - 0.5 - Double(held.y), held.height)
    let (upper, lower) = (
      samples + top * held.width * channels, samples + bottom * held.width * channels
    )
    for channel in 0..<channels {
      let (a, b) = (
        Double(upper[left * channels + channel]), Double(upper[right * channels + channel])
      )
      let (c, d) = (
        Double(lower[left * channels + channel]), Double(lower[right * channels + channel])
      )
      let (above, below) = (a + (b - a) * x, c + (d - c) * x)
      sums[channel] += above + (below - above) * y
    }
  }

  /// The samples on both sides of a position, and the weight of the second; beyond the border, its
  /// samples are repeated.
  private static func neighbors(_ place: Double, _ count: Int) -> (Int, Int, Double) {
    let inside = min(max(place, 0), Double(count - 1))
    let first = Int(inside)
    return (first, min(first + 1, count - 1), inside - Double(first))
  }
}
