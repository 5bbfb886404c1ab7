import CropCore

/// Reduces an image by averaging: each pixel of the result is the mean of the area that it covers.
/// Rows are added from the top, so that the image need not be in memory.
///
///     columns of the image   │ 0 │ 1 │ 2 │ 3 │ 4 │
///     columns of the result  │    0    │    1    │
///
/// Sums are exact: along each axis, a unit is a column of the image divided by the columns of the
/// result, so that every overlap is a whole number.
public struct AreaReducer {
  /// The size of the image, in pixels.
  public let source: FrameSize
  /// The size of the result, in pixels, at most that of the image.
  public let size: FrameSize
  /// The finished rows of the result: red, green and blue, one byte each.
  private(set) var pixels: [UInt8] = []
  /// The number of added rows.
  private var row = 0
  /// The sums of one row of the image, by column of the result.
  private var line: [UInt32]
  /// The sums of the unfinished row of the result.
  private var sums: [UInt64]

  /// A reducer for an image of the given size, at least 1 × 1 and at most 65,535 a side.
  public init(_ source: FrameSize, to size: FrameSize) {
    self.source = source
    self.size = FrameSize(
      width: min(max(size.width, 1), source.width), height: min(max(size.height, 1), source.height))
    line = [UInt32](repeating: 0, count: 3 * self.size.width)
    sums = [UInt64](repeating: 0, count: 3 * self.size.width)
    pixels.reserveCapacity(3 * self.size.width * self.size.height)
  }

  /// Whether all rows were added.
  var isComplete: Bool { row == source.height }

  /// Adds the next rows of the image; those after its last one are ignored.
  ///
  /// - Parameters:
  ///   - rows: 8-bit samples, of which the first three channels are read.
  ///   - count: how many rows.
  public mutating func add(_ rows: SampleRows, count: Int) {
    guard rows.layout.depth == .eight, rows.layout.channels >= 3 else { return }
    for index in 0..<count where row < source.height {
      addColumns(rows.address + index * rows.rowBytes, channels: rows.layout.channels)
      addRow()
    }
  }

  /// Sums a row of the image along its width.
  private mutating func addColumns(_ address: UnsafeRawPointer, channels: Int) {
    let samples = address.assumingMemoryBound(to: UInt8.self)
    let (wide, narrow) = (source.width, size.width)
    line.withUnsafeMutableBufferPointer { line in
      line.update(repeating: 0)
      var (target, end) = (0, wide)
      for column in 0..<wide {
        let at = column &* channels
        let next = (column &+ 1) &* narrow
        // The part of the column before the edge between two columns of the result, and the rest.
        let before = UInt32(truncatingIfNeeded: min(next, end) &- column &* narrow)
        for channel in 0..<3 {
          line[target &+ channel] &+= UInt32(samples[at &+ channel]) &* before
        }
        guard next >= end else { continue }
        let after = UInt32(truncatingIfNeeded: next &- end)
        target &+= 3
        end &+= wide
        guard after > 0 else { continue }
        for channel in 0..<3 {
          line[target &+ channel] &+= UInt32(samples[at &+ channel]) &* after
        }
      }
    }
  }

  /// Adds the summed row to the result.
  private mutating func addRow() {
    let start = row * size.height
    let end = (start / source.height + 1) * source.height
    row += 1
    let next = row * size.height
    add(UInt64(min(next, end) - start))
    guard next >= end else { return }
    let whole = UInt64(source.width) * UInt64(source.height)
    for index in sums.indices {
      pixels.append(UInt8(truncatingIfNeeded: (sums[index] + whole / 2) / whole))
      sums[index] = 0
    }
    if next > end { add(UInt64(next - end)) }
  }

  private mutating func add(_ weight: UInt64) {
    for index in sums.indices { sums[index] &+= UInt64(line[index]) &* weight }
  }
}
