import CropCore

/// The samples and weights from which each sample of a scaled line is computed: Lanczos' filter
/// with three lobes, stretched if the line becomes shorter.
///
/// Only samples inside the line are used, and the weights add up to one, so that edges are not
/// darkened.
package struct LanczosTaps {
  /// The samples that contribute to one sample of the result.
  struct Run {
    /// The index of the first one.
    let first: Int
    let count: Int
    /// The index of its first weight in ``weights``.
    let offset: Int
    /// The index after the last one.
    var end: Int { first + count }
  }

  private(set) var runs: [Run] = []
  private(set) var weights: [Float] = []

  /// `count` samples for the stretch from `start` to `end`, using only the samples of `inside`;
  /// sample 0 covers 0 to 1.
  package init(_ count: Int, from start: Double, to end: Double, inside: Range<Int>) {
    let step = (end - start) / Double(count)
    let stretch = max(1, step)
    let reach = Self.lobes * stretch
    runs.reserveCapacity(count)
    for index in 0..<count {
      let center = start + (Double(index) + 0.5) * step
      // The samples whose centers are within reach; at least the nearest one.
      var first = max(inside.lowerBound, Int((center - reach + 0.5).rounded(.down)))
      var last = min(inside.upperBound, Int((center + reach + 0.5).rounded(.down)))
      if first >= last {
        first = min(max(inside.lowerBound, Int(center)), inside.upperBound - 1)
        last = first + 1
      }
      let offset = weights.count
      var sum = 0.0
      for sample in first..<last {
        let weight = Self.weight((Double(sample) + 0.5 - center) / stretch)
        sum += weight
        weights.append(Float(weight))
      }
      if abs(sum) > 1e-6 {
        for tap in offset..<weights.count { weights[tap] /= Float(sum) }
      } else {
        for tap in offset..<weights.count { weights[tap] = 1 / Float(last - first) }
      }
      runs.append(Run(first: first, count: last - first, offset: offset))
    }
  }

  private static let lobes = 3.0

  private static func weight(_ x: Double) -> Double {
    guard abs(x) < lobes else { return 0 }
    guard abs(x) > 1e-9 else { return 1 }
    let angle = Double.pi * x
    return lobes * LibM.sine(angle) * LibM.sine(angle / lobes) / (angle * angle)
  }

  /// The number of samples of the scaled line.
  package var count: Int { runs.count }

  /// The largest number of result samples that one sample contributes to.
  var mostAtOnce: Int {
    var most = 1
    var first = 0
    for (index, run) in runs.enumerated() {
      while runs[first].end <= run.first { first += 1 }
      most = max(most, index - first + 1)
    }
    return most
  }
}
