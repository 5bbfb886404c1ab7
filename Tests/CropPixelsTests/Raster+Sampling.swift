import CropCore

extension Raster {
  /// The weight of a sample `distance` away: Catmull-Rom (Keys 1981, a = −1/2).
  private func weight(_ distance: Double) -> Double {
    let t = abs(distance)
    if t < 1 { return 1.5 * t * t * t - 2.5 * t * t + 1 }
    return t < 2 ? -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2 : 0
  }

  /// The image at a point of its plane, with edge pixels extended; the simplest implementation.
  func sample(_ point: FramePoint, band: Int) -> Double {
    let (x, y) = (point.x - 0.5, point.y - 0.5)
    let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    var sum = 0.0
    for row in top - 1...top + 2 {
      for column in left - 1...left + 2 {
        let inside = self[min(max(column, 0), width - 1), min(max(row, 0), height - 1)]
        sum += Double(inside[band]) * weight(x - Double(column)) * weight(y - Double(row))
      }
    }
    return min(max(sum, 0), isWide ? 65_535 : 255)
  }

  /// Smooth colors that identify positions.
  static func slopes(width: Int, height: Int, isWide: Bool = false) -> Raster {
    var raster = Raster(width: width, height: height, bands: 3, samples: [], isWide: isWide)
    let scale = isWide ? 257 : 1
    for y in 0..<height {
      for x in 0..<width {
        raster.samples += [2 * x, 2 * y, x + y].map { UInt16($0 * scale) }
      }
    }
    return raster
  }
}
