import CropCore

/// Finds a sheet, a painting or a screen in an image: the most distinct four-sided outline.
///
/// The steps are those of Zhengyou Zhang and Li-wei He, "Whiteboard Scanning and Image
/// Enhancement", MSR-TR-2003-39, 2003, section 2: detect edges, find lines by the Hough transform,
/// combine them to four-sided figures, check the edges along each side, and fit the lines of the
/// best figure to its edges again.
public struct SheetFinder {
  /// The longest side, in pixels, to which an image is reduced first.
  public static var side: Int { 320 }

  /// The size to which an image is reduced first.
  public static func reducedSize(of size: FrameSize) -> FrameSize {
    let scale = min(1, Double(side) / Double(max(size.width, size.height)))
    func reduced(_ length: Int) -> Int {
      max(1, Int((Double(length) * scale).rounded(.toNearestOrAwayFromZero)))
    }
    return FrameSize(width: reduced(size.width), height: reduced(size.height))
  }

  /// The corners of the most distinct sheet in an image that was reduced to ``reducedSize(of:)``,
  /// in pixels of the image; nil if none is found or rows are missing.
  public static func quad(in reducer: AreaReducer) -> Quad? {
    guard reducer.isComplete else { return nil }
    let (source, size) = (reducer.source, reducer.size)
    let found = reducer.pixels.withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap {
        let layout = SampleLayout(depth: .eight, channels: 3)
        return quad(in: SampleRows($0, rowBytes: 3 * size.width, layout), size: size)
      }
    }
    let across = Double(source.width) / Double(size.width)
    let down = Double(source.height) / Double(size.height)
    let corners = found?.map { FramePoint(x: $0.x * across, y: $0.y * down) }
    guard let quad = corners?.kept(in: source).onGrid, quad.fault(in: source) == nil else {
      return nil
    }
    return quad
  }

  /// The corners of the most distinct sheet, in pixels of the image; nil if none is found.
  ///
  /// - Parameters:
  ///   - picture: 8-bit samples; only the first three channels are read.
  ///   - size: the number of columns and rows.
  public static func quad(in picture: SampleRows, size: FrameSize) -> Quad? {
    guard picture.layout.depth == .eight, min(size.width, size.height) >= 16,
      max(size.width, size.height) <= 4 * side
    else { return nil }
    var finder = SheetFinder(SheetEdges(picture, width: size.width, height: size.height))
    guard let best = finder.best() else { return nil }
    let quad = finder.fitted(best).kept(in: size).onGrid
    return quad.fault(in: size) == nil ? quad : nil
  }

  private let edges: SheetEdges
  private let lines: [SheetLines.Line]
  /// The intersections of two lines in or near the image, by the indexes of the lines.
  private var crossings: [FramePoint?]
  /// The results for parts of lines, by the indexes of three lines.
  private var sides: [Side?]
  private let width: Double
  private let height: Double

  /// The share of a part of a line that lies on edges, 0 to 1, and whether the same side of it is
  /// brighter throughout.
  private struct Side {
    var support: Double
    var steadiness: Double
  }

  /// The smallest share of the image that counts as a sheet.
  private static var leastArea: Double { 0.08 }
  /// The smallest support of each side, and the smallest score.
  private static var leastSupport: Double { 0.25 }
  private static var leastScore: Double { 0.5 }

  private init(_ edges: SheetEdges) {
    self.edges = edges
    lines = SheetLines(edges).lines
    (width, height) = (Double(edges.width), Double(edges.height))
    let count = lines.count
    crossings = [FramePoint?](repeating: nil, count: count * count)
    sides = [Side?](repeating: nil, count: count * count * count)
    for a in 0..<count {
      for b in 0..<a {
        let point = Self.crossing(lines[a], lines[b])
          .map { FramePoint(x: $0.x + width / 2, y: $0.y + height / 2) }
        guard let point, point.x >= -3, point.y >= -3, point.x <= width + 3, point.y <= height + 3
        else { continue }
        crossings[a * count + b] = point
        crossings[b * count + a] = point
      }
    }
  }

  /// The intersection of two lines that are not nearly parallel; nil for others.
  private static func crossing(_ a: SheetLines.Line, _ b: SheetLines.Line) -> FramePoint? {
    let area = a.x * b.y - a.y * b.x
    guard abs(area) > 0.2 else { return nil }
    return FramePoint(
      x: (a.distance * b.y - b.distance * a.y) / area,
      y: (a.x * b.distance - b.x * a.distance) / area)
  }

  /// The figure with the highest score, clockwise from the corner nearest to the top left.
  private mutating func best() -> Quad? {
    let count = lines.count
    // Opposite sides are within 45° of each other.
    var pairs: [(Int, Int)] = []
    for a in 0..<count {
      for b in a + 1..<max(a + 1, count)
      where abs(lines[a].x * lines[b].x + lines[a].y * lines[b].y) > 0.7071 { pairs.append((a, b)) }
    }
    var best: (score: Double, quad: Quad)?
    for (a, b) in pairs {
      for (c, d) in pairs where c > a && c != b && d != b && d != a {
        guard let p0 = crossings[a * count + c], let p1 = crossings[a * count + d],
          let p2 = crossings[b * count + d], let p3 = crossings[b * count + c]
        else { continue }
        let quad = Quad(topLeft: p0, topRight: p1, bottomRight: p2, bottomLeft: p3).clockwise
        guard quad.fault == nil else { continue }
        let share = quad.area / (width * height)
        guard share > Self.leastArea else { continue }
        let found = [side(a, c, d), side(b, c, d), side(c, a, b), side(d, a, b)]
        let least = found.reduce(1) { min($0, $1.support) }
        guard least >= Self.leastSupport else { continue }
        let support = found.reduce(0) { $0 + $1.support } / 8 + least / 2
        let steadiness = found.reduce(0) { $0 + $1.steadiness } / 4
        let score =
          support * (0.6 + 0.4 * steadiness) * share.squareRoot().squareRoot()
        if score > best?.score ?? Self.leastScore { best = (score, quad) }
      }
    }
    return best?.quad
  }

  /// Examines the part of a line between its intersections with two others.
  private mutating func side(_ line: Int, _ a: Int, _ b: Int) -> Side {
    let count = lines.count
    let at = (line * count + min(a, b)) * count + max(a, b)
    if let known = sides[at] { return known }
    var side = Side(support: 0, steadiness: 0)
    if let p = crossings[line * count + a], let q = crossings[line * count + b] {
      side = self.side(from: p, to: q)
    }
    sides[at] = side
    return side
  }

  private func side(from p: FramePoint, to q: FramePoint) -> Side {
    let way = q - p
    let length = way.length
    guard length > 0 else { return Side(support: 0, steadiness: 0) }
    let (nx, ny) = (way.dy / length, -way.dx / length)
    let count = max(8, Int(length))
    var (sum, signed) = (0.0, 0.0)
    for index in 0..<count {
      let share = (Double(index) + 0.5) / Double(count)
      var (most, sign) = (0.0, 0.0)
      for offset in [-1.5, -0.5, 0.5, 1.5] {
        let x = min(max(Int(p.x + way.dx * share + nx * offset), 0), edges.width - 1)
        let y = min(max(Int(p.y + way.dy * share + ny * offset), 0), edges.height - 1)
        let place = y * edges.width + x
        let across = Double(edges.dx[place]) * nx + Double(edges.dy[place]) * ny
        let strength = Double(edges.strength[place])
        if abs(across) > 0.9, strength > most { (most, sign) = (strength, across < 0 ? -1 : 1) }
      }
      sum += most
      signed += most * sign
    }
    return Side(
      support: sum / Double(count), steadiness: sum > 0 ? abs(signed) / sum : 0)
  }

  /// The quad with each side fitted to the edges along it.
  private func fitted(_ quad: Quad) -> Quad {
    var lines: [SheetLines.Line] = []
    for index in 0..<4 { lines.append(fitted(from: quad[index], to: quad[index + 1])) }
    var result = quad
    for index in 0..<4 {
      if let point = Self.crossing(lines[(index + 3) & 3], lines[index]),
        (point - quad[index]).length < 8
      {
        result[index] = point
      }
    }
    return result
  }

  /// The line that is nearest to the edges along a side, by least squares; its distance is measured
  /// from the image's corner.
  private func fitted(from start: FramePoint, to end: FramePoint) -> SheetLines.Line {
    let length = (end - start).length
    var (point, way) = (start, (end - start) * (1 / length))
    for reach in [3.0, 1.8] {
      var (n, t, o, tt, to) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for edge in edges.points {
        let (x, y) = (Double(edge.x) - point.x, Double(edge.y) - point.y)
        let (along, off) = (x * way.dx + y * way.dy, x * way.dy - y * way.dx)
        let across = Double(edge.dx) * way.dy - Double(edge.dy) * way.dx
        guard abs(across) > 0.95, abs(off) < reach, along > 0.03 * length, along < 0.97 * length
        else { continue }
        let weight = Double(edge.weight)
        n += weight
        t += weight * along
        o += weight * off
        tt += weight * along * along
        to += weight * along * off
      }
      let spread = n * tt - t * t
      guard n > 16, spread > 0 else { break }
      let slope = (n * to - t * o) / spread
      let offset = (o - slope * t) / n
      let normal = FrameVector(dx: way.dy, dy: -way.dx)
      point = point + normal * offset
      way = way + normal * slope
      way = way * (1 / way.length)
    }
    return SheetLines.Line(
      x: way.dy, y: -way.dx, distance: point.x * way.dy - point.y * way.dx)
  }
}

extension Quad {
  /// The signed area: positive for a clockwise quad.
  fileprivate var area: Double {
    let (a, b) = (bottomRight - topLeft, bottomLeft - topRight)
    return (a.dx * b.dy - a.dy * b.dx) / 2
  }

  /// The same corners clockwise, from the one nearest to the top left.
  public var clockwise: Self {
    var corners =
      area < 0
      ? [topLeft, bottomLeft, bottomRight, topRight] : [topLeft, topRight, bottomRight, bottomLeft]
    var first = 0
    for index in 1..<4
    where corners[index].x + corners[index].y < corners[first].x + corners[first].y {
      first = index
    }
    corners = (0..<4).map { corners[(first + $0) & 3] }
    return Self(
      topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
  }
}
