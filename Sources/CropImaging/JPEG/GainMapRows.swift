import CropCore

/// Samples of a gain map anew, row by row: each is the mean of the bilinear surface under it, which is how
/// renderers read a map.
struct GainMapRows {
  /// Samples of the map in memory, rows without gaps.
  private let samples: UnsafePointer<UInt8>
  /// Which samples of the whole map these are.
  private let held: BitmapRect
  private let channels: Int
  private let cut: GainMapCut
  /// Into how many parts each side of a sample is divided, where the result is coarser than the map.
  private let across: Int
  private let down: Int

  /// The most parts of a side: beyond that more make no difference.
  private static let mostParts = 64

  init(_ samples: UnsafePointer<UInt8>, of held: BitmapRect, channels: Int, cut: GainMapCut) {
    self.samples = samples
    self.held = held
    self.channels = channels
    self.cut = cut
    func parts(_ x: Double, _ y: Double) -> Int {
      // A little more than whole is rounding.
      min(max(Int((max(abs(x), abs(y)) - 1e-6).rounded(.up)), 1), Self.mostParts)
    }
    across = parts(cut.place.a, cut.place.b)
    down = parts(cut.place.c, cut.place.d)
  }

  /// Writes row `y` of the result, `channels` bytes a sample.
  func write(row y: Int, to row: UnsafeMutablePointer<UInt8>) {
    let share = 1 / Double(across * down)
    withUnsafeTemporaryAllocation(of: Double.self, capacity: channels) { sums in
      for x in 0..<cut.size.width {
        for channel in 0..<channels { sums[channel] = 0 }
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

  /// Adds the values at a point of the whole map, between the middles of four samples.
  private func add(_ point: BitmapPoint, to sums: UnsafeMutableBufferPointer<Double>) {
    let (left, right, x) = Self.neighbours(point.x - 0.5 - Double(held.x), held.width)
    let (top, bottom, y) = Self.neighbours(point.y - 0.5 - Double(held.y), held.height)
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

  /// The samples on both sides of a place, and how far it is to the second; the border's count beyond it.
  private static func neighbours(_ place: Double, _ count: Int) -> (Int, Int, Double) {
    let inside = min(max(place, 0), Double(count - 1))
    let first = Int(inside)
    return (first, min(first + 1, count - 1), inside - Double(first))
  }
}
