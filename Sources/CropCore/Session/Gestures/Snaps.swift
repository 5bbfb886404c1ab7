/// The lines of the image that the selection has snapped to, in frame pixels: edges and center
/// lines. Only an untilted image has such lines.
struct Snaps: Hashable, Sendable {
  var x: Double?
  var y: Double?
}

extension Snaps {
  /// Moves a handle so that its edges are on nearby lines.
  init(moving target: inout FramePoint, of handle: CropHandle, on editor: SessionEditor) {
    self.init(
      xs: handle.x == 0.5 ? [] : [target.x], ys: handle.y == 0.5 ? [] : [target.y],
      of: &target, on: editor)
  }

  /// Moves a rectangle so that an edge or a center line of it is on a nearby line.
  init(moving rect: inout FrameRect, on editor: SessionEditor) {
    var origin = rect.origin
    self.init(
      xs: [rect.minX, rect.midX, rect.maxX], ys: [rect.minY, rect.midY, rect.maxY], of: &origin,
      on: editor)
    (rect.x, rect.y) = (origin.x, origin.y)
  }

  private init(xs: [Double], ys: [Double], of point: inout FramePoint, on editor: SessionEditor) {
    guard editor.document.edit.tilt.degrees == 0 else { return }
    let (frame, reach) = (
      editor.document.frame, Interaction.snapReach / editor.placement.viewport.scale
    )
    /// The smallest move that puts one of `values` on a line of a side, if one is within reach.
    func snapped(_ values: [Double], to length: Int) -> (line: Double, distance: Double)? {
      var best: (line: Double, distance: Double)?
      for line in [0, Double(length) / 2, Double(length)] {
        for value in values where abs(line - value) <= min(reach, abs(best?.distance ?? reach)) {
          best = (line, line - value)
        }
      }
      return best
    }
    let (x, y) = (snapped(xs, to: frame.width), snapped(ys, to: frame.height))
    (self.x, self.y) = (x?.line, y?.line)
    point.x += x?.distance ?? 0
    point.y += y?.distance ?? 0
  }

  /// Forgets the lines that a ratio or a limit kept the selection away from.
  mutating func keep(metBy selection: FrameRect?) {
    guard let selection else { return self = Snaps() }
    func misses(_ line: Double?, _ places: [Double]) -> Bool {
      line.map { line in !places.contains { abs($0 - line) <= 0.5 } } ?? false
    }
    if misses(x, [selection.minX, selection.midX, selection.maxX]) { x = nil }
    if misses(y, [selection.minY, selection.midY, selection.maxY]) { y = nil }
  }
}
