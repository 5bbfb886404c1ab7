/// The lines of the image that the selection has snapped to, in frame pixels: edges and center
/// lines. Only an untilted image has such lines.
struct Snaps: Hashable, Sendable {
  var x: Double?
  var y: Double?
}

// Without arrays, which would be allocated for every event of a drag.
extension Snaps {
  /// Three places along an axis, in frame pixels.
  private typealias Places = (Double, Double, Double)

  /// Moves a handle so that its edges are on nearby lines.
  init(moving target: inout FramePoint, of handle: CropHandle, on editor: borrowing SessionEditor) {
    self.init(
      handle.x == 0.5 ? nil : (target.x, target.x, target.x),
      handle.y == 0.5 ? nil : (target.y, target.y, target.y), of: &target, on: editor)
  }

  /// Moves a rectangle so that an edge or a center line of it is on a nearby line.
  init(moving rect: inout FrameRect, on editor: borrowing SessionEditor) {
    var origin = rect.origin
    self.init(rect.columns, rect.rows, of: &origin, on: editor)
    (rect.x, rect.y) = (origin.x, origin.y)
  }

  private init(
    _ xs: Places?, _ ys: Places?, of point: inout FramePoint, on editor: borrowing SessionEditor
  ) {
    guard editor.document.edit.tilt.degrees == 0 else { return }
    let (frame, reach) = (
      editor.document.frame, Interaction.snapReach / editor.placement.viewport.scale
    )
    if let xs, let snap = Self.snap(xs, to: frame.width, within: reach) {
      x = snap.line
      point.x += snap.distance
    }
    if let ys, let snap = Self.snap(ys, to: frame.height, within: reach) {
      y = snap.line
      point.y += snap.distance
    }
  }

  /// The smallest move that puts one of `places` on a line of a side, if one is within reach.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  private static func snap(
    _ places: Places, to length: Int, within reach: Double
  ) -> (line: Double, distance: Double)? {
    var best: (line: Double, distance: Double)?
    var least = reach
    func measure(_ place: Double, from line: Double) {
      guard abs(line - place) <= least else { return }
      best = (line, line - place)
      least = abs(line - place)
    }
    for halves in 0...2 {
      let line = Double(halves) * Double(length) / 2
      measure(places.0, from: line)
      measure(places.1, from: line)
      measure(places.2, from: line)
    }
    return best
  }

  /// Forgets the lines that a ratio or a limit kept the selection away from.
  mutating func keep(metBy selection: FrameRect?) {
    guard let selection else { return self = Snaps() }
    if Self.misses(x, selection.columns) { x = nil }
    if Self.misses(y, selection.rows) { y = nil }
  }

  @inline(never)  // One copy for all its callers, for the size of the page's module.
  private static func misses(_ line: Double?, _ places: Places) -> Bool {
    guard let line else { return false }
    return abs(places.0 - line) > 0.5 && abs(places.1 - line) > 0.5 && abs(places.2 - line) > 0.5
  }
}

extension FrameRect {
  /// The left edge, the center line and the right edge.
  fileprivate var columns: (Double, Double, Double) { (minX, midX, maxX) }
  /// The top edge, the center line and the bottom edge.
  fileprivate var rows: (Double, Double, Double) { (minY, midY, maxY) }
}
