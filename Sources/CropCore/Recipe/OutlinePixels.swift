/// The pixels that the outline of a crop contains or touches, row by row, among those that the crop
/// is computed from.
///
/// Code that resamples replaces all other pixels with the nearest of these in their row, so that
/// the result doesn't depend on what the outline hides.
public struct OutlinePixels: Sendable {
  /// The rows that have such pixels, from the first row of ``ResolvedCrop/neededPart``.
  public let rows: Range<Int>
  /// The columns in each of these rows.
  private let columns: [Range<Int>]

  /// Nil for a rectangle, which hides nothing.
  public init?(_ crop: ResolvedCrop) {
    guard let outline = crop.outline else { return nil }
    let part = crop.neededPart
    var spans = [Span](repeating: Span(), count: part.height)
    var from = outline[outline.count - 1]
    for to in outline {
      Self.widen(&spans, from: from, to: to)
      from = to
    }
    let touched = spans.indices.filter { spans[$0].left <= spans[$0].right }
    guard let first = touched.first, let last = touched.last else { return nil }
    rows = first..<last + 1
    columns = spans[first...last].map { $0.columns(of: part.width) }
  }

  /// The columns of the row, or of the nearest one that has any.
  public subscript(row: Int) -> Range<Int> {
    columns[min(max(row, rows.lowerBound), rows.upperBound - 1) - rows.lowerBound]
  }

  /// The extent of the outline in a row.
  private struct Span {
    var left = Double.infinity
    var right = -Double.infinity

    func columns(of width: Int) -> Range<Int> {
      let first = min(max(Int(left.rounded(.down)), 0), width - 1)
      return first..<max(first + 1, min(Int(right.rounded(.up)), width))
    }
  }

  /// Adds a straight part of the outline to the rows that it touches.
  private static func widen(_ spans: inout [Span], from: FramePoint, to: FramePoint) {
    let (top, bottom) = from.y < to.y ? (from, to) : (to, from)
    let most = spans.count - 1
    let first = min(max(Int(top.y.rounded(.down)), 0), most)
    let last = min(max(Int(bottom.y.rounded(.up)) - 1, first), most)
    let slope = bottom.y > top.y ? (bottom.x - top.x) / (bottom.y - top.y) : 0
    for row in first...last {
      let isFirst = Double(row) <= top.y
      let isLast = Double(row + 1) >= bottom.y
      let upper = isFirst ? top.x : top.x + slope * (Double(row) - top.y)
      let lower = isLast ? bottom.x : top.x + slope * (Double(row + 1) - top.y)
      spans[row].left = min(spans[row].left, upper, lower)
      spans[row].right = max(spans[row].right, upper, lower)
    }
  }
}

extension ResolvedCrop {
  /// Points on the outline, in order, in pixels of ``neededPart``; nil for a rectangle.
  fileprivate var outline: [FramePoint]? {
    let drawing = drawing
    let (width, height) = (Double(output.width), Double(output.height))
    var radius = (x: drawing.cornerWidth, y: drawing.cornerHeight)
    if shape == .ellipse { radius = (width / 2, height / 2) }
    guard radius.x > 0, radius.y > 0 else { return nil }
    let toPart = partPoint
    var points: [FramePoint] = []
    for (right, down) in [(1.0, 1.0), (-1, 1), (-1, -1), (1, -1)] {
      var corner = (0...Self.cornerSteps).map { step in
        // A circle as a rational curve. From the middle of a side to that of the next one.
        let t = Double(step) / Double(Self.cornerSteps)
        let x = (1 - t * t) / (1 + t * t)
        let y = 2 * t / (1 + t * t)
        return toPart(
          CropPoint<ResultSpace>(
            x: width / 2 + right * (width / 2 - radius.x + radius.x * x),
            y: height / 2 + down * (height / 2 - radius.y + radius.y * y)))
      }
      if right * down < 0 { corner.reverse() }
      points += corner
    }
    return points
  }

  /// The number of straight parts of a quarter of an ellipse: the largest distance from the true
  /// outline is 1/30 pixel for a radius of 16,384.
  private static var cornerSteps: Int { 512 }

  /// From the result to the pixels that it is computed from.
  private var partPoint: (CropPoint<ResultSpace>) -> FramePoint {
    let part = neededPart
    func moved(_ point: FramePoint) -> FramePoint {
      FramePoint(x: point.x - Double(part.x), y: point.y - Double(part.y))
    }
    if let homography { return { moved(homography($0)) } }
    let picture = TiltedPicture(frame: frame, tilt: tilt)
    let across = rect.width / Double(output.width)
    let down = rect.height / Double(output.height)
    return {
      moved(picture.turnedBack(FramePoint(x: rect.x + $0.x * across, y: rect.y + $0.y * down)))
    }
  }
}
