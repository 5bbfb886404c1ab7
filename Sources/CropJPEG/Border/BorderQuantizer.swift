/// Requantizes blocks that are only partly visible.
///
/// The new coefficients depend only on the quantizer's steps and on the visible samples as a
/// decoder shows them, integers from 0 to 255. Nothing else of the old block affects them, so the
/// part that was cut off can't be recovered.
///
///     ┌─────┬┄┄┐
///     │     │  ┊   visible samples, mirrored into the hidden part
///     └─────┴┄┄┘
///
/// A mirrored block needs few bits and reproduces the visible samples to within the quantizer's
/// rounding. The remaining error is reduced by restoring the visible samples and quantizing again.
/// This never increases the sum of their squared errors, because the transform is orthonormal and
/// rounding finds the nearest coefficients to the corrected block.
public final class BorderQuantizer {
  /// The largest number of rounds: more do not improve the result (measured at qualities 75 to 95).
  private static var mostRounds: Int { 4 }

  /// Memory for 64 numbers each: the steps and their reciprocals, with frequencies exchanged; the
  /// visible samples; the current block; the result.
  private let steps: UnsafeMutablePointer<Float>
  private let factors: UnsafeMutablePointer<Float>
  private let visible: UnsafeMutablePointer<Float>
  private let block: UnsafeMutablePointer<Float>
  private let scratch: UnsafeMutablePointer<Float>
  private let quantized: UnsafeMutablePointer<Float>
  private var mostDC: Float = 1023

  /// A quantizer whose steps are all 1.
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

  /// Sets the quantizer's steps: 64 numbers, row by row; 0 counts as 1.
  public func setSteps(_ step: (_ index: Int) -> UInt16) {
    for index in 0..<64 {
      let value = Float(max(1, step(index)))
      steps[Self.exchanged(index)] = value
      factors[Self.exchanged(index)] = 1 / value
    }
    // A black block has a DC of −8 × 128, rounded to a multiple of the step.
    let step = Int(steps[0])
    mostDC = Float(min(1023, (1024 + step / 2) / step))
  }

  /// Replaces the coefficients of a block by others that reproduce its visible samples.
  ///
  /// - Parameters:
  ///   - coefficients: 64 quantized coefficients, row by row. The new ones have at most 10 bits,
  ///     and a DC value that 8-bit samples can have.
  ///   - columns: the number of visible columns, from the left, 1 to 8.
  ///   - rows: the number of visible rows, from the top, 1 to 8.
  public func requantize(
    _ coefficients: UnsafeMutablePointer<Int16>, columns: Int, rows: Int
  ) {
    clear()
    for index in 0..<64 { set(coefficients[index], at: Self.exchanged(index)) }
    requantize(columns: min(max(1, columns), 8), rows: min(max(1, rows), 8))
    for index in 0..<64 { coefficients[index] = value(at: Self.exchanged(index)) }
  }

  /// Sets all coefficients to zero, before `set` sets those of the next block.
  func clear() { block.update(repeating: 0, count: 64) }

  /// Sets the coefficient at an index with frequencies exchanged.
  @inline(__always)
  func set(_ value: Int16, at index: Int) { block[index] = Float(value) * steps[index] }

  /// The new coefficient at an index with frequencies exchanged.
  @inline(__always)
  func value(at index: Int) -> Int16 {
    // An integer below 2²² is in the lowest bits of the sum; a conversion would check its range.
    Int16(truncatingIfNeeded: (quantized[index] + Self.large).bitPattern)
  }

  /// Requantizes the block whose coefficients were set.
  func requantize(columns: Int, rows: Int) {
    CosineTransform.inverse(block, scratch)
    showVisible(columns: columns, rows: rows)
    var round = 1
    while true {
      CosineTransform.forward(block, scratch)
      let isChanged = quantize()
      if round == Self.mostRounds || (round > 1 && !isChanged) { return }
      round &+= 1
      let (block, quantized, steps) = (block, quantized, steps)
      for index in 0..<64 { block[index] = quantized[index] * steps[index] }
      CosineTransform.inverse(block, scratch)
      putBack(columns: columns, rows: rows)
    }
  }

  /// Copies the visible samples from `block` as a decoder shows them, and fills the block by
  /// mirroring them.
  private func showVisible(columns: Int, rows: Int) {
    let (block, visible) = (block, visible)
    for index in 0..<64 {
      visible[index] = Self.rounded(min(max(block[index], -128), 127))
    }
    // Positions 0 1 2 hidden 3 4 5 …: the value at 3 comes from 2, at 4 from 1, and so on, back and
    // forth.
    if columns < 8 {
      for row in 0..<rows {
        Self.mirror(visible + row &* 8, known: columns, stride: 1)
      }
    }
    if rows < 8 {
      for column in 0..<8 { Self.mirror(visible + column, known: rows, stride: 8) }
    }
    block.update(from: visible, count: 64)
  }

  /// Fills eight values of which the first `known` are known: 0 1 2 2 1 0 0 1 …
  @inline(__always)
  private static func mirror(_ line: UnsafeMutablePointer<Float>, known: Int, stride: Int) {
    for index in known..<8 {
      // The second copy follows the first, which is already mirrored.
      let from = index < 2 &* known ? 2 &* known &- 1 &- index : index &- 2 &* known
      line[index &* stride] = line[from &* stride]
    }
  }

  private func putBack(columns: Int, rows: Int) {
    let (block, visible) = (block, visible)
    for row in 0..<rows {
      for column in 0..<columns {
        block[row &* 8 &+ column] = visible[row &* 8 &+ column]
      }
    }
  }

  /// Rounds `block` to the nearest multiples of the steps; returns whether any has changed.
  private func quantize() -> Bool {
    let (block, factors, quantized) = (block, factors, quantized)
    let most = mostDC * steps[0]
    block[0] = min(max(block[0], -most), most)
    var change: UInt32 = 0
    for index in 0..<64 {
      let value = min(max(Self.rounded(block[index] * factors[index]), -1023), 1023)
      change |= value.bitPattern ^ quantized[index].bitPattern
      quantized[index] = value
    }
    return change != 0
  }

  /// The index of the coefficient whose horizontal and vertical frequencies are exchanged.
  @inline(__always)
  static func exchanged(_ index: Int) -> Int { (index & 7) &* 8 &+ index &>> 3 }

  /// The nearest integer, halves to even, of a value below 2²².
  @inline(__always)
  private static func rounded(_ value: Float) -> Float {
    // The addition rounds, in a few cycles on all processors.
    (value + large) - large
  }

  /// 3 × 2²²: at this size the distance between two numbers is 1.
  private static var large: Float { 12_582_912 }
}

// Complete blocks.
extension BorderQuantizer {
  /// Decodes the block whose coefficients were set, to 8 rows of 8 samples.
  func decode(to samples: UnsafeMutablePointer<UInt8>, stride: Int) {
    CosineTransform.inverse(block, scratch)
    let block = block
    for row in 0..<8 {
      for column in 0..<8 {
        let sample = Self.rounded(min(max(block[row &* 8 &+ column], -128), 127)) + 128
        samples[row &* stride &+ column] = UInt8(sample)
      }
    }
  }

  /// Quantizes a block of 8 rows of 8 samples.
  func encode(_ samples: UnsafePointer<UInt8>, stride: Int) {
    let block = block
    for row in 0..<8 {
      for column in 0..<8 {
        block[row &* 8 &+ column] = Float(samples[row &* stride &+ column]) - 128
      }
    }
    CosineTransform.forward(block, scratch)
    _ = quantize()
  }
}
