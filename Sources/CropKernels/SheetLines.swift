import CropCore

/// Finds the straight lines that most edges of an image lie on.
///
/// The transform is that of Paul Hough in the form of Richard O. Duda and Peter E. Hart, "Use of the Hough
/// Transformation to Detect Lines and Curves in Pictures", Communications of the ACM 15 (1), 1972; an edge votes only for lines
/// across its own direction, within 3°.
struct SheetLines {
  /// A line: the points p with normal · p = distance, measured from the image's center.
  struct Line {
    var x: Double
    var y: Double
    var distance: Double
  }

  var lines: [Line] = []

  private static var angles: Int { 180 }
  /// The largest number of lines, and the fewest votes per line: about three times as many as
  /// strong edge pixels.
  private static var most: Int { 36 }
  private static var fewestVotes: Float { 8 }

  init(_ edges: SheetEdges) {
    let (width, height) = (Double(edges.width), Double(edges.height))
    let reach = (width * width + height * height).squareRoot()
    let distances = Int(2 * reach) + 3
    let normals = (0..<Self.angles).map { index in
      let angle = Double(index) * .pi / Double(Self.angles)
      return (x: LibM.cosine(angle), y: LibM.sine(angle))
    }
    var votes = [Float](repeating: 0, count: Self.angles * distances)
    for point in edges.points {
      let middle = Self.angle(point)
      let (x, y) = (Double(point.x) - width / 2, Double(point.y) - height / 2)
      for offset in -3...3 {
        let angle = (middle + offset + Self.angles) % Self.angles
        let distance = x * normals[angle].x + y * normals[angle].y
        let at = angle * distances + Int((distance + reach).rounded(.toNearestOrEven))
        votes[at] += point.weight * (1 - Float(abs(offset)) / 5)
      }
    }
    votes = Self.softened(votes, distances)
    while lines.count < Self.most {
      guard let best = Self.greatest(votes), votes[best] >= Self.fewestVotes else { break }
      let (angle, distance) = (best / distances, best % distances)
      lines.append(
        Line(x: normals[angle].x, y: normals[angle].y, distance: Double(distance) - reach))
      Self.clear(&votes, angle, distance, distances, Int((2 * reach).rounded(.toNearestOrEven)))
    }
  }

  /// The index of the angle nearest to a direction, or to the opposite one. The arctangent is
  /// within 0.3°.
  private static func angle(_ point: SheetEdges.Point) -> Int {
    let isBelow = point.dy < 0 || (point.dy == 0 && point.dx < 0)
    let (x, y) = isBelow ? (-point.dx, -point.dy) : (point.dx, point.dy)
    func arctangent(_ slope: Float) -> Float {
      slope * (0.7853982 + 0.273 * (1 - abs(slope)))
    }
    let angle =
      abs(x) >= y ? arctangent(y / x) + (x < 0 ? Float.pi : 0) : Float.pi / 2 - arctangent(x / y)
    return Int((angle * Float(angles) / Float.pi).rounded(.toNearestOrEven)) % angles
  }

  /// The votes with half of each neighbor's votes added.
  private static func softened(_ votes: [Float], _ distances: Int) -> [Float] {
    var result = votes
    for at in 1..<votes.count - 1 { result[at] += 0.5 * (votes[at - 1] + votes[at + 1]) }
    return result
  }

  private static func greatest(_ votes: [Float]) -> Int? {
    var best: Int?
    for at in votes.indices where votes[at] > best.map({ votes[$0] }) ?? 0 { best = at }
    return best
  }

  /// Removes the votes of lines that are nearly the same: within 5° and 6 pixels.
  private static func clear(
    _ votes: inout [Float], _ angle: Int, _ distance: Int, _ distances: Int, _ mirrored: Int
  ) {
    for offset in -5...5 {
      let turned = angle + offset
      // Beyond half a turn, a line is at the opposite distance.
      let middle = (0..<angles).contains(turned) ? distance : mirrored - distance
      let start = (turned + angles) % angles * distances
      for at in max(0, middle - 6)...max(0, min(distances - 1, middle + 6)) {
        votes[start + at] = 0
      }
    }
  }
}
