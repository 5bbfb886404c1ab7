/// The orthonormal cosine transform of 8 × 8 values, and its inverse.
///
/// It only uses additions and multiplications of `Float` in a fixed order, so that every platform
/// gets the same bits.
enum CosineTransform {
  /// cos(k π / 16) / 2.
  private static var c1: Float { 0.490_392_64 }
  private static var c2: Float { 0.461_939_77 }
  private static var c3: Float { 0.415_734_8 }
  private static var c4: Float { 0.353_553_4 }
  private static var c5: Float { 0.277_785_1 }
  private static var c6: Float { 0.191_341_72 }
  private static var c7: Float { 0.097_545_16 }

  /// Replaces samples by coefficients, in place: 64 values each, row by row. The coefficients have
  /// horizontal and vertical frequencies exchanged.
  ///
  /// `scratch` must have space for 64 values.
  static func forward(_ block: UnsafeMutablePointer<Float>, _ scratch: UnsafeMutablePointer<Float>)
  {
    forwardColumns(block)
    transpose(block, scratch)
    forwardColumns(scratch)
    block.update(from: scratch, count: 64)
  }

  /// Replaces coefficients, with horizontal and vertical frequencies exchanged, by samples, in
  /// place.
  ///
  /// `scratch` must have space for 64 values.
  static func inverse(_ block: UnsafeMutablePointer<Float>, _ scratch: UnsafeMutablePointer<Float>)
  {
    inverseColumns(block)
    transpose(block, scratch)
    inverseColumns(scratch)
    block.update(from: scratch, count: 64)
  }

  private static func transpose(
    _ from: UnsafeMutablePointer<Float>, _ to: UnsafeMutablePointer<Float>
  ) {
    for row in 0..<8 {
      for column in 0..<8 { to[column &* 8 &+ row] = from[row &* 8 &+ column] }
    }
  }

  // Sums and differences of symmetric pairs split the transform into halves. The loops over columns
  // have no branches, so they are vectorized.

  private static func forwardColumns(_ block: UnsafeMutablePointer<Float>) {
    for column in 0..<8 {
      let p = block + column
      let (s0, s1, s2, s3) = (p[0], p[8], p[16], p[24])
      let (s4, s5, s6, s7) = (p[32], p[40], p[48], p[56])
      let (a0, a1, a2, a3) = (s0 + s7, s1 + s6, s2 + s5, s3 + s4)
      let (b0, b1, b2, b3) = (s0 - s7, s1 - s6, s2 - s5, s3 - s4)
      let (e0, e1, d0, d1) = (a0 + a3, a1 + a2, a0 - a3, a1 - a2)
      p[0] = (e0 + e1) * c4
      p[32] = (e0 - e1) * c4
      p[16] = d0 * c2 + d1 * c6
      p[48] = d0 * c6 - d1 * c2
      p[8] = b0 * c1 + b1 * c3 + b2 * c5 + b3 * c7
      p[24] = b0 * c3 - b1 * c7 - b2 * c1 - b3 * c5
      p[40] = b0 * c5 - b1 * c1 + b2 * c7 + b3 * c3
      p[56] = b0 * c7 - b1 * c5 + b2 * c3 - b3 * c1
    }
  }

  private static func inverseColumns(_ block: UnsafeMutablePointer<Float>) {
    for column in 0..<8 {
      let p = block + column
      let (f0, f1, f2, f3) = (p[0], p[8], p[16], p[24])
      let (f4, f5, f6, f7) = (p[32], p[40], p[48], p[56])
      let (e0, e1) = ((f0 + f4) * c4, (f0 - f4) * c4)
      let (t0, t1) = (f2 * c2 + f6 * c6, f2 * c6 - f6 * c2)
      let (a0, a1, a2, a3) = (e0 + t0, e1 + t1, e1 - t1, e0 - t0)
      let b0 = f1 * c1 + f3 * c3 + f5 * c5 + f7 * c7
      let b1 = f1 * c3 - f3 * c7 - f5 * c1 - f7 * c5
      let b2 = f1 * c5 - f3 * c1 + f5 * c7 + f7 * c3
      let b3 = f1 * c7 - f3 * c5 + f5 * c3 - f7 * c1
      p[0] = a0 + b0
      p[8] = a1 + b1
      p[16] = a2 + b2
      p[24] = a3 + b3
      p[32] = a3 - b3
      p[40] = a2 - b2
      p[48] = a1 - b1
      p[56] = a0 - b0
    }
  }
}
