// The guide over the result.
extension SceneBuilder {
  /// Appends the marks of the guide. `place` maps shares of the result's width and height to the
  /// view; `ratio` is that of the result, width to height.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  mutating func appendGuide(_ ratio: Double, _ place: (Double, Double) -> ViewPoint) {
    for mark in guide.marks {
      let (left, top) = (mark.x, mark.y)
      let (right, bottom) = (left + mark.width, top + mark.height)
      switch mark.shape {
      case .line: appendGuideLine(place(left, top), place(right, bottom))
      case .oval:
        var last = place(right, (top + bottom) / 2)
        for step in 1...Self.ovalSteps {
          let (x, y) = Self.onCircle(step)
          let next = place(
            (left + right + mark.width * x) / 2, (top + bottom + mark.height * y) / 2)
          appendGuideLine(last, next)
          last = next
        }
      case .area:
        append(
          .guideArea(
            ViewQuad(
              a: place(left, top), b: place(right, top), c: place(right, bottom),
              d: place(left, bottom))))
        appendGuideEdges(left, top, right, bottom, place)
      case .inset:
        let (x, y) = (left / max(ratio, 1), left * min(ratio, 1))
        appendGuideEdges(x, y, 1 - x, 1 - y, place)
      }
    }
    for mark in guide.marks where mark.label != .plain {
      let isInset = mark.shape == .inset
      // Beside each other, the notes of two cut lines would overlap.
      let isCorner = isInset && mark.label != .safe
      let middle = isInset ? 0.5 : mark.y + mark.height / 2
      let y = isCorner ? mark.x * min(ratio, 1) : middle
      append(.note(mark.label, at: place(isInset ? mark.x / max(ratio, 1) : mark.x, y)))
    }
  }

  /// Appends those edges of a rectangle that are inside the result.
  private mutating func appendGuideEdges(
    _ left: Double, _ top: Double, _ right: Double, _ bottom: Double,
    _ place: (Double, Double) -> ViewPoint
  ) {
    let corners = (
      place(left, top), place(right, top), place(right, bottom), place(left, bottom)
    )
    if top > 0 { appendGuideLine(corners.0, corners.1) }
    if right < 1 { appendGuideLine(corners.1, corners.2) }
    if bottom < 1 { appendGuideLine(corners.2, corners.3) }
    if left > 0 { appendGuideLine(corners.3, corners.0) }
  }

  @inline(never)  // One copy for all its callers, for the size of the page's module.
  private mutating func appendGuideLine(_ from: ViewPoint, _ to: ViewPoint) {
    append(.line(from: from, to: to, width: 1, role: .guide))
  }

  /// The number of lines of an oval; 300 points high, it is 0.3 points off.
  private static var ovalSteps: Int { 64 }

  /// A point on a circle of radius 1, without sine and cosine.
  private static func onCircle(_ step: Int) -> (x: Double, y: Double) {
    let (quarter, part) = step.quotientAndRemainder(dividingBy: ovalSteps / 4)
    let share = Double(part) / Double(ovalSteps / 4)
    let scale = 1 / (1 + share * share)
    let (x, y) = ((1 - share * share) * scale, 2 * share * scale)
    return switch quarter % 4 {
    case 0: (x, y)
    case 1: (-y, x)
    case 2: (-x, -y)
    default: (y, -x)
    }
  }
}
