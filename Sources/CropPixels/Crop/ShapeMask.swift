import CropCore

/// The coverage of each pixel by a shape that fills `size`.
///
/// Coverage is exact along rows and sampled at sixteen heights per row.
struct ShapeMask {
  /// The size of the result, in pixels.
  let size: FrameSize
  /// Half the width and height of the round corners, in pixels of the result; half the size itself
  /// for an ellipse.
  private let radiusX: Double
  private let radiusY: Double

  /// The mask of `crop`, nil if nothing is masked.
  init?(_ crop: ResolvedCrop) {
    size = crop.output
    let (width, height) = (Double(size.width), Double(size.height))
    switch crop.shape {
    case .rectangle: return nil
    case .ellipse: (radiusX, radiusY) = (width / 2, height / 2)
    case .roundedRectangle(let radius):
      // The radius is in pixels of the rectangle, from which the result may be scaled.
      let part = (width: Double(crop.rectSize.width), height: Double(crop.rectSize.height))
      let capped = min(radius, min(part.width, part.height) / 2)
      guard capped > 0 else { return nil }
      radiusX = capped * width / part.width
      radiusY = capped * height / part.height
    }
  }

  /// The coverage, 0 to 255, row by row.
  func coverage() -> [UInt8] {
    var all = [UInt8](repeating: 255, count: size.width * size.height)
    var row = [Double](repeating: 0, count: size.width)
    for y in 0..<size.height {
      // Rows between the corners are full.
      guard Double(y) < radiusY || Double(y + 1) > Double(size.height) - radiusY else { continue }
      fill(&row, y: y)
      let start = y * size.width
      for x in 0..<size.width {
        all[start + x] = UInt8(min(255, (row[x] * 255).rounded(.toNearestOrAwayFromZero)))
      }
    }
    return all
  }

  /// The coverage of one row of pixels, 0 to 1.
  private func fill(_ row: inout [Double], y: Int) {
    let samples = 16
    let weight = 1 / Double(samples)
    for x in row.indices { row[x] = 0 }
    for sample in 0..<samples {
      let inset = inset(at: Double(y) + (Double(sample) + 0.5) * weight)
      let left = inset
      let right = Double(size.width) - inset
      guard right > left else { continue }
      let first = Int(left)
      let last = min(Int(right), size.width - 1)
      if first == last {
        row[first] += (right - left) * weight
        continue
      }
      row[first] += (Double(first + 1) - left) * weight
      for x in first + 1..<max(first + 1, last) { row[x] += weight }
      row[last] += (right - Double(last)) * weight
    }
  }

  /// The distance of the outline from the left and right edges at height `y`.
  private func inset(at y: Double) -> Double {
    let fromEdge = min(y, Double(size.height) - y)
    guard fromEdge < radiusY else { return 0 }
    let rise = (radiusY - fromEdge) / radiusY
    return radiusX * (1 - max(0, 1 - rise * rise).squareRoot())
  }
}
