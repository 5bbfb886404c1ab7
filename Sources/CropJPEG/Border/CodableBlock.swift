/// Finds the block nearest to another one that a Huffman table can code.
///
/// It is a shortest-path search from the block's first coefficient to its end, over indexes with a
/// value. A step from one to the next is possible if the table has a symbol for the run of zeros
/// between them and the size of the value. Its cost is the squared difference between all skipped
/// or set values and the requested ones.
final class CodableBlock {
  /// The best path to a value at an index.
  private struct Way {
    /// Its cost; infinite if it can't be reached.
    var cost: Float = .infinity
    /// The cost of setting all coefficients up to this one to zero.
    var zeroed: Float = 0
    /// The previous index on the path.
    var earlier = 0
    var value: Int16 = 0
  }

  private let block: UnsafeMutablePointer<Int16>
  private let steps: TableStore.Quantization
  private let coder: BlockCoder
  /// The path to each index, 0 to 63.
  private let ways: UnsafeMutablePointer<Way>

  /// Searches for 64 coefficients in zigzag order, with their steps.
  init(_ block: UnsafeMutablePointer<Int16>, steps: TableStore.Quantization, coder: BlockCoder) {
    self.block = block
    self.steps = steps
    self.coder = coder
    ways = .allocate(capacity: 64)
    ways.initialize(repeating: Way(), count: 64)
    ways[0].cost = 0
    for index in 1..<64 { ways[index].zeroed = ways[index - 1].zeroed + cost(of: 0, at: index) }
  }

  deinit { ways.deallocate() }

  /// Replaces the coefficients after the first; false if the table can code no block at all.
  func fit() -> Bool {
    var least = Float.infinity
    var last = -1
    for index in 0..<64 {
      for earlier in 0..<index { extend(earlier, to: index) }
      let cost = ways[index].cost + ways[63].zeroed - ways[index].zeroed
      if coder.canEnd(after: index), cost < least {
        least = cost
        last = index
      }
    }
    guard last >= 0 else { return false }
    for index in (1..<64).reversed() {
      guard index == last else {
        block[index] = 0
        continue
      }
      block[index] = ways[index].value
      last = ways[index].earlier
    }
    return true
  }

  private func extend(_ earlier: Int, to index: Int) {
    let passed = ways[earlier].cost + ways[index - 1].zeroed - ways[earlier].zeroed
    guard passed < ways[index].cost else { return }
    for size in 1...10 where coder.hasCode(from: earlier, to: index, size: size) {
      let value = nearest(to: block[index], size: size)
      let cost = passed + cost(of: value, at: index)
      guard cost < ways[index].cost else { continue }
      ways[index].cost = cost
      ways[index].earlier = earlier
      ways[index].value = value
    }
  }

  private func cost(of value: Int16, at index: Int) -> Float {
    let distance = Float(Int(value) - Int(block[index])) * Float(steps[index])
    return distance * distance
  }

  /// The value of `size` bits, 1 to 10, that is nearest to `wanted`.
  private func nearest(to wanted: Int16, size: Int) -> Int16 {
    let least: Int16 = 1 << Int16(size - 1)
    let magnitude = min(max(Int16(wanted.magnitude), least), 2 * least - 1)
    return wanted < 0 ? -magnitude : magnitude
  }
}
