import CropCore
import CropJPEG

/// The crop of `rect`, and its report; by default without segments.
func cut(
  _ source: [UInt8], _ rect: BitmapRect, keepingSegments: Bool = false, piece: Int = .max
) throws(JPEGError) -> (bytes: [UInt8], report: JPEGCutReport) {
  let cutter = try JPEGCutter(input(source, piece: piece))
  return try cut(cutter, rect, keepingSegments: keepingSegments)
}

/// A crop by a cutter that may have made others before.
func cut(
  _ cutter: JPEGCutter, _ rect: BitmapRect, keepingSegments: Bool = false
) throws(JPEGError) -> (bytes: [UInt8], report: JPEGCutReport) {
  var bytes: [UInt8] = []
  let report = try cutter.cut(rect, segments: keepingSegments ? nil : []) {
    bytes.append(contentsOf: $0)
  }
  return (bytes, report)
}

/// An input that returns at most `piece` bytes at a time.
func input(_ source: [UInt8], piece: Int = .max) -> JPEGInput {
  JPEGInput { offset, buffer in
    guard let start = Int(exactly: offset), start >= 0, start < source.count else { return 0 }
    let count = min(piece, buffer.count, source.count - start)
    buffer.copyBytes(from: source[start..<start + count])
    return count
  }
}
