/// Quantises blocks again of which only some columns and rows remain visible.
///
/// The new coefficients are a function of the visible samples as a decoder shows them, whole numbers from 0 to
/// 255, and of the quantiser's steps. Nothing else of the block that was passes into them, so what was cut
/// away can't be found again.
///
///     ┌─────┬┄┄┐
///     │     │  ┊   visible samples, mirrored into the hidden part
///     └─────┴┄┄┘
///
/// One mirrored block costs few bits and hits the visible samples to within the quantiser's rounding. What it
/// misses is corrected by putting the visible samples back and quantising again: the sum of their squared
/// errors never grows that way, because the transform is orthonormal and rounding finds the nearest
/// coefficients to the corrected block.
public final class BorderQuantizer {
  /// After four rounds nothing more is gained (measured at qualities 75 to 95).
  private static var mostRounds: Int { 4 }

  /// Memory for 64 numbers each: the steps and what to multiply by instead of dividing by them, frequencies
  /// exchanged, the visible samples, the block that is worked on, the result.
  private let steps: UnsafeMutablePointer<Float>
  private let factors: UnsafeMutablePointer<Float>
  private let visible: UnsafeMutablePointer<Float>
  private let block: UnsafeMutablePointer<Float>
  private let scratch: UnsafeMutablePointer<Float>
  private let quantized: UnsafeMutablePointer<Float>
  private var mostDC: Float = 1023

  /// A quantiser with all steps 1.
  public init() {
    steps = .allocate(capacity: 6 * 64)
    steps.initialize(repeating: 1, count: 6 * 64)
    factors = steps + 64
    visible = steps + 2 * 64
    block = steps + 3 * 64
    scratch = steps + 4 * 64
    quantized = steps + 5 * 64
  }

  deinit { steps.deallocate() }

  /// Sets the quantiser's steps: 64 numbers, row by row; 0 counts as 1.
  public func setSteps(_ step: (_ index: Int) -> UInt16) {
    for index in 0..<64 {
      let value = Float(max(1, step(index)))
      steps[Self.exchanged(index)] = value
      factors[Self.exchanged(index)] = 1 / value
    }
    // A block all black has a DC of −8 × 128, rounded to a multiple of the step.
    let step = Int(steps[0])
    mostDC = Float(min(1023, (1024 + step / 2) / step))
  }

  /// Replaces the coefficients of a block by others that show the same in its first columns and rows.
  ///
  /// - Parameters:
  ///   - coefficients: 64 quantised coefficients, row by row; the result's have at most 10 bits, and a DC
  ///     that 8-bit samples can have.
  ///   - columns: how many columns are visible, 1 to 8.
  ///   - rows: how many rows are visible, 1 to 8.
  public func requantize(
    _ coefficients: UnsafeMutablePointer<Int16>, columns: Int, rows: Int
  ) {
    let columns = min(max(1, columns), 8)
    let rows = min(max(1, rows), 8)
    for index in 0..<64 {
      let at = Self.exchanged(index)
      block[at] = Float(coefficients[index]) * steps[at]
    }
    CosineTransform.inverse(block, scratch)
    showVisible(columns: columns, rows: rows)
    for round in 0..<Self.mostRounds {
      CosineTransform.forward(block, scratch)
      let isChanged = quantize()
      if !isChanged && round > 0 || round == Self.mostRounds - 1 { break }
      for index in 0..<64 { block[index] = quantized[index] * steps[index] }
      CosineTransform.inverse(block, scratch)
      putBack(columns: columns, rows: rows)
    }
    for index in 0..<64 { coefficients[index] = Int16(quantized[Self.exchanged(index)]) }
  }

  /// Takes the visible samples out of `block` as a decoder shows them, and fills it by mirroring them.
  private func showVisible(columns: Int, rows: Int) {
    for row in 0..<8 {
      let source = block + Self.mirrored(row, rows) &* 8
      for column in 0..<8 {
        let sample = source[Self.mirrored(column, columns)]
        visible[row &* 8 &+ column] = Self.rounded(min(max(sample, -128), 127))
      }
    }
    block.update(from: visible, count: 64)
  }

  private func putBack(columns: Int, rows: Int) {
    for row in 0..<rows {
      for column in 0..<columns {
        block[row &* 8 &+ column] = visible[row &* 8 &+ column]
      }
    }
  }

  /// Rounds `block` to the nearest multiples of the steps; whether any is another than before.
  private func quantize() -> Bool {
    var difference: Float = 0
    for index in 0..<64 {
      let most: Float = index == 0 ? mostDC : 1023
      let value = min(max(Self.rounded(block[index] * factors[index]), -most), most)
      difference += (value - quantized[index]).magnitude
      quantized[index] = value
    }
    return difference != 0
  }

  /// The index of the other of two coefficients whose frequencies are exchanged.
  @inline(__always)
  private static func exchanged(_ index: Int) -> Int { (index & 7) &* 8 &+ index &>> 3 }

  /// Where a position of the block comes from if only the first `count` are known: 0 1 2 2 1 0 0 1 …
  @inline(__always)
  private static func mirrored(_ position: Int, _ count: Int) -> Int {
    var place = position
    // Back and forth; a division would take longer.
    while place >= 2 &* count { place &-= 2 &* count }
    return place < count ? place : 2 &* count &- 1 &- place
  }

  /// The nearest whole number, halves to the even one, of a value below 2²².
  @inline(__always)
  private static func rounded(_ value: Float) -> Float {
    // At this size the distance between two numbers is 1, so the addition rounds: a few cycles everywhere.
    let large: Float = 12_582_912
    return (value + large) - large
  }
}
