/// The order in which a JPEG stores the coefficients of a block (ITU-T T.81, figure 5).
enum ZigzagOrder {
  /// The index, row by row, of each coefficient in the order of the file; 64 numbers.
  static func indices() -> [UInt8] {
    var indices: [UInt8] = []
    indices.reserveCapacity(64)
    for diagonal in 0..<15 {
      let first = max(0, diagonal - 7)
      let last = min(7, diagonal)
      for step in first...last {
        // Even diagonals go up, odd ones down.
        let row = diagonal & 1 == 0 ? last - (step - first) : step
        indices.append(UInt8(row * 8 + diagonal - row))
      }
    }
    return indices
  }
}
