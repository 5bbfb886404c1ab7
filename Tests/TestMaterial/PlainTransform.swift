import Foundation

/// The cosine transform of a block by its definition, in double precision.
public enum PlainTransform {
  /// `basis[u][x]`: the contribution of frequency u to sample x.
  private static let basis: [[Double]] = (0..<8).map { u in
    let scale: Double = u == 0 ? 0.125.squareRoot() : 0.5
    return (0..<8).map { x in scale * cos(Double((2 * x + 1) * u) * Double.pi / 16) }
  }

  /// The row-order index of each coefficient in zigzag order.
  public static let zigzag: [Int] = (0..<64).sorted { a, b in
    func key(_ index: Int) -> (Int, Int) {
      let (row, column) = (index / 8, index % 8)
      return (row + column, (row + column) % 2 == 0 ? column : row)
    }
    return key(a) < key(b)
  }

  /// The samples, in row order and minus 128, from coefficients in zigzag order.
  public static func samples(_ block: [Int16], _ steps: [Int]) -> [Double] {
    var values = [Double](repeating: 0, count: 64)
    for index in 0..<64 { values[zigzag[index]] = Double(Int(block[index]) * steps[index]) }
    return turned(turned(values, inverse: true), inverse: true)
  }

  /// The coefficients in zigzag order from samples minus 128, rounded to multiples of the steps.
  public static func coefficients(_ samples: [Double], _ steps: [Int]) -> [Int16] {
    let values = turned(turned(samples, inverse: false), inverse: false)
    return (0..<64).map { Int16((values[zigzag[$0]] / Double(steps[$0])).rounded()) }
  }

  /// The output of a decoder: integers from 0 to 255.
  public static func shown(_ samples: [Double]) -> [Int] {
    samples.map { min(max(Int(($0 + 128).rounded()), 0), 255) }
  }

  /// The transform of the columns, with rows and columns exchanged.
  private static func turned(_ values: [Double], inverse: Bool) -> [Double] {
    var result = [Double](repeating: 0, count: 64)
    for column in 0..<8 {
      for to in 0..<8 {
        var sum = 0.0
        for from in 0..<8 {
          sum += values[from * 8 + column] * (inverse ? basis[from][to] : basis[to][from])
        }
        result[column * 8 + to] = sum
      }
    }
    return result
  }
}
