import CropCore

/// Finds edges in a small image: thin lines of pixels across which it changes most.
struct SheetEdges {
  /// A pixel on an edge.
  struct Point {
    /// The pixel's center.
    var x: Float
    var y: Float
    /// The direction in which the image gets brighter, as a vector of length 1.
    var dx: Float
    var dy: Float
    /// The weight in votes.
    var weight: Float
  }

  let width: Int
  let height: Int
  var points: [Point] = []
  /// The strength of the edge at each pixel, 0 to 1, and its direction.
  var strength: [Float]
  var dx: [Float]
  var dy: [Float]

  /// The range of changes per pixel, on a scale of 255: smaller ones are noise, larger ones all
  /// count the same.
  private static var least: Float { 2 }
  private static var most: Float { 12 }

  /// Finds the edges of an 8-bit image in its first three channels, or all if it has fewer.
  init(_ picture: SampleRows, width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    strength = [Float](repeating: 0, count: width * height)
    (dx, dy) = (strength, strength)
    let channels = picture.layout.channels
    for channel in 0..<(channels < 3 ? 1 : 3) {
      follow(Self.softened(picture, channel, width, height))
    }
    thin()
  }

  /// One channel, blurred by a Gaussian with a standard deviation of one pixel.
  private static func softened(
    _ picture: SampleRows, _ channel: Int, _ width: Int, _ height: Int
  ) -> [Float] {
    var plane = [Float](repeating: 0, count: width * height)
    for y in 0..<height {
      let row = picture.address + y * picture.rowBytes
      for x in 0..<width {
        plane[y * width + x] = Float(
          row.load(fromByteOffset: x * picture.layout.channels + channel, as: UInt8.self))
      }
    }
    let kernel: SIMD4<Float> = [0.39905, 0.24204, 0.054, 0.00443]
    func blurred(_ plane: [Float], _ count: Int, _ lines: Int, _ step: Int, _ next: Int) -> [Float]
    {
      var result = plane
      for line in 0..<lines {
        for index in 0..<count {
          let at = line * next
          var sum = kernel[0] * plane[at + index * step]
          for offset in 1...3 {
            sum += kernel[offset] * plane[at + max(index - offset, 0) * step]
            sum += kernel[offset] * plane[at + min(index + offset, count - 1) * step]
          }
          result[at + index * step] = sum
        }
      }
      return result
    }
    return blurred(blurred(plane, width, height, 1, width), height, width, width, 1)
  }

  /// Keeps, for each pixel, the strongest change of all channels; the two outermost pixels have
  /// none.
  private mutating func follow(_ plane: [Float]) {
    for y in 2..<height - 2 {
      for x in 2..<width - 2 {
        let at = y * width + x
        let across = (plane[at + 1] - plane[at - 1]) / 2
        let down = (plane[at + width] - plane[at - width]) / 2
        let length = (across * across + down * down).squareRoot()
        if length > strength[at] {
          (strength[at], dx[at], dy[at]) = (length, across / length, down / length)
        }
      }
    }
  }

  /// Lists the pixels where the change is greatest along its direction, and scales their strengths
  /// to 0 to 1.
  private mutating func thin() {
    // The tangent of 22.5°, half of the angle between two neighbors.
    let slope: Float = 0.41421
    for y in 2..<max(2, height - 2) {
      for x in 2..<width - 2 {
        let at = y * width + x
        let (across, down, length) = (dx[at], dy[at], strength[at])
        guard length > Self.least else { continue }
        let next =
          abs(down) < slope * abs(across)
          ? 1
          : abs(across) < slope * abs(down) ? width : across * down > 0 ? width + 1 : width - 1
        guard length >= strength[at + next], length >= strength[at - next] else { continue }
        points.append(
          Point(
            x: Float(x) + 0.5, y: Float(y) + 0.5, dx: across, dy: down,
            weight: min(length, Self.most).squareRoot()))
      }
    }
    for at in strength.indices {
      let length = strength[at]
      // The fourth root: a faint edge counts nearly as much as a sharp one.
      strength[at] =
        length > Self.least
        ? (min(length, Self.most) / Self.most).squareRoot().squareRoot() : 0
    }
  }
}
