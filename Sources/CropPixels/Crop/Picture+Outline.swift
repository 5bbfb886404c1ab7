import CVips
import CropCore

extension Picture {
  /// The image, the needed part of a crop, with every pixel that its outline hides replaced by the
  /// nearest one in its row that the outline touches.
  func continued(beyond outline: OutlinePixels) throws(VipsFailure) -> Picture {
    let rows = outline.rows
    if rows.count < height {
      let band = PixelRect<FrameSpace>(x: 0, y: rows.lowerBound, width: width, height: rows.count)
      return try cut(to: band).continued(beyond: outline, from: rows.lowerBound).applying(
        "embed", ("x", .int(0)), ("y", .int(rows.lowerBound)), ("width", .int(width)),
        ("height", .int(height)), ("extend", .int(Int(VIPS_EXTEND_COPY.rawValue))))
    }
    return try continued(beyond: outline, from: 0)
  }

  private func continued(
    beyond outline: OutlinePixels, from row: Int
  ) throws(VipsFailure) -> Picture {
    try computed(
      by: ContinuedRows(self, outline, from: row), readsRegions: true, ContinuedRows.fill)
  }
}

/// The rows of an image whose hidden pixels are replaced.
private final class ContinuedRows: Sendable {
  private let outline: OutlinePixels
  /// The row of the outline at which the image starts.
  private let first: Int
  // Only its lifetime and its sample size matter.
  nonisolated(unsafe) private let source: Picture

  init(_ source: Picture, _ outline: OutlinePixels, from first: Int) {
    (self.source, self.outline, self.first) = (source, outline, first)
  }

  /// Fills a region of the result.
  static let fill: VipsGenerateFn = { region, input, _, rows, _ in
    guard let region, let rows, let data = region.pointee.data,
      let input = input?.assumingMemoryBound(to: VipsRegion.self)
    else { return -1 }
    let valid = region.pointee.valid
    // The nearest visible pixel may lie anywhere in the row.
    var strip = VipsRect(
      left: 0, top: valid.top, width: input.pointee.im.pointee.Xsize, height: valid.height)
    guard vips_region_prepare(input, &strip) == 0, let from = input.pointee.data else { return -1 }
    let held = input.pointee.valid
    let work = Unmanaged<ContinuedRows>.fromOpaque(rows).takeUnretainedValue()
    let size = work.source.bytesPerPixel
    let columns = Int(valid.left)..<Int(valid.left) + Int(valid.width)
    for row in 0..<Int(valid.height) {
      let line = from + (Int(valid.top - held.top) + row) * Int(input.pointee.bpl)
      work.copy(
        row: Int(valid.top) + row, columns, from: UnsafeRawPointer(line) - Int(held.left) * size,
        to: UnsafeMutableRawPointer(data) + row * Int(region.pointee.bpl), size)
    }
    return 0
  }

  /// Copies some columns of a row; `line` is where its first pixel is, or would be.
  private func copy(
    row: Int, _ columns: Range<Int>, from line: UnsafeRawPointer,
    to output: UnsafeMutableRawPointer, _ size: Int
  ) {
    let shown = outline[first + row]
    let kept = shown.clamped(to: columns)
    let start = columns.lowerBound
    if !kept.isEmpty {
      (output + (kept.lowerBound - start) * size).copyMemory(
        from: line + kept.lowerBound * size, byteCount: kept.count * size)
    }
    func fill(_ range: Range<Int>, with column: Int) {
      for place in range {
        (output + (place - start) * size).copyMemory(from: line + column * size, byteCount: size)
      }
    }
    fill(columns.clamped(to: start..<max(start, shown.lowerBound)), with: shown.lowerBound)
    fill(
      columns.clamped(to: min(columns.upperBound, shown.upperBound)..<columns.upperBound),
      with: shown.upperBound - 1)
  }
}
