import CropCore
import CropJPEG

/// One run: reads the header, crops two rectangles that the bytes choose, and checks the results.
func run(_ bytes: UnsafeRawBufferPointer) {
  // The last bytes choose the parameters, so that a JPEG stays valid.
  var choice: UInt64 = 0
  for byte in bytes.suffix(8) { choice = choice << 8 | UInt64(byte) }
  let piece = [1 << 16, 1, 7, 300][Int(choice & 3)]
  do throws(JPEGError) {
    let cutter = try JPEGCutter(
      JPEGInput { offset, buffer throws(JPEGError) in
        guard let start = Int(exactly: offset), start >= 0, start < bytes.count else { return 0 }
        let count = min(piece, buffer.count, bytes.count - start)
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
        return count
      })
    for round in 0..<2 {
      var rect = rectangle(on: cutter.header.grid, choice >> UInt64(2 + 24 * round))
      // The right and bottom edges may be anywhere.
      rect.width -= min(rect.width - 1, Int(choice >> 50 & 31))
      rect.height -= min(rect.height - 1, Int(choice >> 55 & 31))
      var result: [UInt8] = []
      let report = try cutter.cut(rect) { result.append(contentsOf: $0) }
      guard report.byteCount == Int64(result.count) else { fatalError("bytes miscounted") }
      check(result, rect)
    }
  } catch {
    // Any error is correct.
  }
}

/// A result can be cropped again as a whole, which must not change it.
private func check(_ result: [UInt8], _ rect: BitmapRect) {
  result.withUnsafeBytes { bytes in
    do throws(JPEGError) {
      let cutter = try JPEGCutter(JPEGInput(bytes))
      guard cutter.header.size == rect.size else { fatalError("wrong size") }
      var again: [UInt8] = []
      let report = try cutter.cut(BitmapRect(x: 0, y: 0, width: rect.width, height: rect.height)) {
        again.append(contentsOf: $0)
      }
      guard again == result else { fatalError("a cut of everything changed something") }
      guard report.warnings.isEmpty, !report.hasTrailer else { fatalError("bytes left over") }
    } catch {
      fatalError("the result is no sound JPEG: \(error)")
    }
  }
}

private func rectangle(on grid: JPEGGrid, _ choice: UInt64) -> BitmapRect {
  func side(_ length: Int, _ cell: Int, _ choice: UInt64) -> (Int, Int) {
    let cells = (length + cell - 1) / cell
    let first = Int(choice & 63) % cells
    let last = first + 1 + Int(choice >> 6 & 63) % (cells - first)
    return (first * cell, min(length, last * cell) - first * cell)
  }
  let (x, width) = side(grid.size.width, grid.cellWidth, choice)
  let (y, height) = side(grid.size.height, grid.cellHeight, choice >> 12)
  return BitmapRect(x: x, y: y, width: width, height: height)
}
