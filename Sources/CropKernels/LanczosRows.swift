/// Scales down an image that arrives row by row, keeping a few rows in memory.
///
/// Each row is added, weighted, to the few result rows that it contributes to; a complete result
/// row is then scaled horizontally. Sums are kept as fractions until the end, so that pixels are
/// rounded once.
package final class LanczosRows {
  private let across: LanczosTaps
  private let down: LanczosTaps
  private let channels: Int
  /// The columns of the source that are used.
  private let columns: Range<Int>
  /// The number of floats per accumulated row, including space for a vector beyond its end.
  private let stride: Int
  private let slots: Int
  private let sums: UnsafeMutablePointer<Float>
  /// The latest row of the source, as fractions.
  private let row: UnsafeMutablePointer<Float>
  private let result: UnsafeMutablePointer<UInt8>
  private var nextRow = 0
  private var nextResult = 0

  /// Scales rows of `channels` (1, 3 or 4) bytes per pixel.
  package init(across: LanczosTaps, down: LanczosTaps, channels: Int) {
    self.across = across
    self.down = down
    self.channels = channels
    let first = across.runs.map { $0.first }.min() ?? 0
    columns = first..<max(first + 1, across.runs.map { $0.end }.max() ?? 0)
    stride = (columns.count * channels + 8 + 3) & ~3
    slots = down.mostAtOnce + 1
    sums = .allocate(capacity: stride * slots)
    sums.initialize(repeating: 0, count: stride * slots)
    row = .allocate(capacity: stride)
    row.initialize(repeating: 0, count: stride)
    result = .allocate(capacity: across.runs.count * channels)
    result.initialize(repeating: 0, count: across.runs.count * channels)
  }

  deinit {
    sums.deallocate()
    row.deallocate()
    result.deallocate()
  }

  /// Whether the complete result has been made.
  package var isFinished: Bool { nextResult == down.runs.count }

  /// Adds the next complete row of the source. The result rows that it completes must be taken with
  /// ``next()`` before another row is added.
  package func add(_ pixels: UnsafePointer<UInt8>) {
    let number = nextRow
    nextRow += 1
    guard !isFinished, down.runs[nextResult].first <= number else { return }
    let from = pixels + columns.lowerBound * channels
    for i in 0..<columns.count * channels { row[i] = Float(from[i]) }
    var index = nextResult
    while index < down.runs.count, down.runs[index].first <= number {
      let run = down.runs[index]
      if number < run.end {
        let weight = down.weights[run.offset + number - run.first]
        let sum = sums + index % slots * stride
        if number == run.first { start(sum, weight) } else { accumulate(sum, weight) }
      }
      index += 1
    }
  }

  /// The next result row, if it is complete; it is overwritten by the one after it.
  package func next() -> UnsafePointer<UInt8>? {
    guard !isFinished, down.runs[nextResult].end <= nextRow else { return nil }
    scaleAcross(sums + nextResult % slots * stride)
    nextResult += 1
    return UnsafePointer(result)
  }

  private func start(_ sum: UnsafeMutablePointer<Float>, _ weight: Float) {
    for i in 0..<stride { sum[i] = row[i] * weight }
  }

  private func accumulate(_ sum: UnsafeMutablePointer<Float>, _ weight: Float) {
    for i in 0..<stride { sum[i] += row[i] * weight }
  }

  private func scaleAcross(_ sum: UnsafePointer<Float>) {
    let channels = channels
    let base = columns.lowerBound
    across.weights.withUnsafeBufferPointer { weights in
      for (index, run) in across.runs.enumerated() {
        var at = UnsafeRawPointer(sum + (run.first - base) * channels)
        // A vector holds one pixel, and parts of the next if it has fewer than four channels.
        var pixel = SIMD4<Float>()
        for tap in run.offset..<run.offset + run.count {
          pixel += at.loadUnaligned(as: SIMD4<Float>.self) * weights[tap]
          at += channels * MemoryLayout<Float>.stride
        }
        pixel.replace(with: 0, where: pixel .< 0)
        pixel.replace(with: 255, where: pixel .> 255)
        // A number this large has no fraction bits: the lowest bits are the rounded value.
        let bits = unsafeBitCast(pixel + 12_582_912, to: SIMD4<UInt32>.self)
        let target = result + index * channels
        for channel in 0..<channels { target[channel] = UInt8(truncatingIfNeeded: bits[channel]) }
      }
    }
  }
}
