/// The order in which a JPEG stores the coefficients of a block (ITU-T T.81, figure 5).
enum ZigzagOrder {
  /// Writes for each place in the file's order the index, column by column, of its coefficient; 64 numbers.
  static func write(to indices: UnsafeMutablePointer<UInt8>) {
    var place = 0
    for diagonal in 0..<15 {
      let first = max(0, diagonal - 7)
      let last = min(7, diagonal)
      for step in first...last {
        // Even diagonals go up, odd ones down.
        let row = diagonal & 1 == 0 ? first + last - step : step
        indices[place] = UInt8(truncatingIfNeeded: (diagonal - row) * 8 + row)
        place += 1
      }
    }
  }
}
