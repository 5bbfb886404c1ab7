/// The lines of the image that the selection has snapped to, in frame pixels.
struct Snaps: Hashable, Sendable {
  var x: Double?
  var y: Double?
}

/// Drawing, moving and resizing the selection.
extension CropSession {
  mutating func beginDrawing(at start: ViewPoint) {
    let point = insidePicture(placement.viewport.inverse(start))
    let rect = FrameRect(x: point.x, y: point.y, width: 0, height: 0)
    interaction.gesture = .resizing(
      Resizing(
        .bottomRight, start: rect, offset: .zero, last: placement.viewport.inverse(start),
        isDrawing: true))
    feedback.focus = nil
  }

  mutating func beginResizing(_ handle: Handle, at start: ViewPoint) {
    guard let selection = document.edit.selection else { return }
    let point = placement.viewport.inverse(start)
    interaction.gesture = .resizing(
      Resizing(
        handle, start: selection, offset: document.edit.point(of: handle, on: selection) - point,
        last: point,
        isDrawing: false))
  }

  mutating func beginMoving(at start: ViewPoint) {
    guard let selection = document.edit.selection else { return }
    interaction.gesture = .moving(start: selection, grab: placement.viewport.inverse(start))
  }

  /// Moves the selection from its position `start`; its size stays exactly the same.
  mutating func move(_ start: FrameRect, by vector: FrameVector) {
    if let quad = interaction.editBeforeGesture.quad {
      return document.edit.setQuad(quad.moved(by: vector, in: frame))
    }
    var target = document.picture.moved(inside: start.offset(by: vector))
    interaction.snaps = Snaps()
    if let x = snapped([target.minX, target.midX, target.maxX], to: frame.width) {
      target.x += x.distance
      interaction.snaps.x = x.line
    }
    if let y = snapped([target.minY, target.midY, target.maxY], to: frame.height) {
      target.y += y.distance
      interaction.snaps.y = y.line
    }
    document.edit.selection = document.rules.moved(start, to: target.origin)
    dropMissedSnaps()
  }

  /// Resizes the selection so that its handle is at the pointer.
  mutating func resize(_ resizing: Resizing, to position: ViewPoint, modifiers: Modifiers) {
    var resizing = resizing
    let point = placement.viewport.inverse(position)
    if let quad = interaction.editBeforeGesture.quad {
      return drag(resizing, of: quad, to: point, modifiers: modifiers)
    }
    if modifiers.contains(.space) {
      // The rectangle drawn so far moves along with its pinned corner.
      let moved = document.picture.moved(inside: resizing.drawn.offset(by: point - resizing.last))
      resizing.start = resizing.start.offset(by: moved.origin - resizing.drawn.origin)
    }
    resizing.last = point
    interaction.snaps = Snaps()
    var target = point + resizing.offset
    if !resizing.isDrawing, !modifiers.contains(.command) {
      target = snapping(target, of: resizing.handle)
    }
    let drag = HandleDrag(
      handle: resizing.handle, start: resizing.start, ratio: keptRatio(resizing, modifiers),
      isCentered: modifiers.contains(.alt),
      mayCross: settings.style == .marquee || resizing.isDrawing,
      picture: document.picture)
    let (drawn, anchor) = drag.rect(at: target)
    resizing.drawn = drawn
    resizing.held = resizing.handle.crossed(on: drawn, towards: target)
    interaction.gesture = .resizing(resizing)
    if resizing.isDrawing, isNothing(drawn) {
      document.edit.selection =
        settings.style == .marquee ? nil : interaction.editBeforeGesture.selection
      return
    }
    var rules = document.rules
    rules.ratio = drag.ratio
    document.edit.selection = rules.quantised(drawn, anchor: anchor).rect
    dropMissedSnaps()
  }

  /// Whether a drawn rectangle is too small to be intended; a side as long as the image's is
  /// intended.
  func isNothing(_ drawn: FrameRect) -> Bool {
    func isShort(_ length: Double, _ whole: Int) -> Bool {
      length * placement.viewport.scale < Interaction.leastDrawn && length < Double(whole)
    }
    return isShort(drawn.width, frame.width) || isShort(drawn.height, frame.height)
  }

  /// Forgets the lines that a ratio or a limit kept the selection away from.
  private mutating func dropMissedSnaps() {
    guard let selection = document.edit.selection else { return interaction.snaps = Snaps() }
    func misses(_ line: Double?, _ places: [Double]) -> Bool {
      line.map { line in !places.contains { abs($0 - line) <= 0.5 } } ?? false
    }
    if misses(interaction.snaps.x, [selection.minX, selection.midX, selection.maxX]) {
      interaction.snaps.x = nil
    }
    if misses(interaction.snaps.y, [selection.minY, selection.midY, selection.maxY]) {
      interaction.snaps.y = nil
    }
  }

  /// The ratio that a drag keeps: the chosen one or, with Shift, the selection's current one.
  private func keptRatio(_ resizing: Resizing, _ modifiers: Modifiers) -> AspectRatio? {
    if let ratio = document.rules.ratio { return ratio }
    guard modifiers.contains(.shift) else { return nil }
    if resizing.isDrawing { return .square }
    return AspectRatio(Int(resizing.start.width), Int(resizing.start.height))
  }

  /// The point of the frame, or the nearest point on the image.
  private func insidePicture(_ point: FramePoint) -> FramePoint {
    document.picture.moved(inside: FrameRect(x: point.x, y: point.y, width: 0, height: 0)).origin
  }

  // MARK: Snapping

  /// Moves the edge of a handle to a nearby line of the image.
  mutating func snapping(_ target: FramePoint, of handle: Handle) -> FramePoint {
    var target = target
    if handle.x != 0.5, let x = snapped([target.x], to: frame.width) {
      target.x += x.distance
      interaction.snaps.x = x.line
    }
    if handle.y != 0.5, let y = snapped([target.y], to: frame.height) {
      target.y += y.distance
      interaction.snaps.y = y.line
    }
    return target
  }

  /// The smallest move that puts one of `values` on an edge or the centre line of a side of
  /// `length` pixels, if one is within reach. Only an untilted image has such lines.
  private func snapped(_ values: [Double], to length: Int) -> (line: Double, distance: Double)? {
    guard document.edit.tilt.degrees == 0 else { return nil }
    let reach = Interaction.snapReach / placement.viewport.scale
    var best: (line: Double, distance: Double)?
    for line in [0, Double(length) / 2, Double(length)] {
      for value in values where abs(line - value) <= min(reach, abs(best?.distance ?? reach)) {
        best = (line, line - value)
      }
    }
    return best
  }

  // MARK: Scrolling along

  /// Whether a drag near the view's edge is scrolling a zoomed image.
  var isScrolling: Bool { scrollSpeed != .zero }

  private var scrollSpeed: ViewVector {
    guard settings.style != .viewfinder, let pointer = interaction.pointers.first else {
      return .zero
    }
    switch interaction.gesture {
    case .resizing, .moving: break
    default: return .zero
    }
    func speed(_ value: Double, _ length: Double, _ lower: Double, _ upper: Double) -> Double {
      let band = min(Interaction.scrollBand, length / 4)
      if value < band, lower < 0 {
        return min(1, (band - value) / band) * Interaction.scrollSpeed
      }
      if value > length - band, upper > length {
        return -min(1, (value - length + band) / band) * Interaction.scrollSpeed
      }
      return 0
    }
    let box = placement.viewport(layout.pictureBox)
    return ViewVector(
      dx: speed(pointer.position.x, view.width, box.minX, box.maxX),
      dy: speed(pointer.position.y, view.height, box.minY, box.maxY))
  }

  /// Scrolls for the elapsed time; the drag continues at the new position.
  mutating func scroll(for elapsed: Seconds) {
    let speed = scrollSpeed
    guard speed != .zero else { return }
    let old = placement.viewport
    var moved = placement.viewport.panned(by: speed * min(elapsed, 0.1))
    if settings.style.restsPicture {
      moved = layout.panRested(moved, cropFrame: nil)
    } else {
      let box = moved(layout.pictureBox)
      if box.minX > 0 && speed.dx > 0 || box.maxX < view.width && speed.dx < 0 {
        moved.origin.x = old.origin.x
      }
      if box.minY > 0 && speed.dy > 0 || box.maxY < view.height && speed.dy < 0 {
        moved.origin.y = old.origin.y
      }
    }
    guard moved != old else { return }
    placement.viewport = moved
    follow(modifiers: interaction.heldModifiers)
  }

  // MARK: Levelling

  /// Tilts the image so that the drawn line becomes level or, if that is nearer, vertical.
  mutating func level(from: ViewPoint, to: ViewPoint) {
    guard (to - from).length >= Interaction.leastDrawn else { return }
    var degrees = Angle.direction(from: from, to: to).degrees
    degrees -= (degrees / 90).rounded(.toNearestOrAwayFromZero) * 90
    setTilt(Angle(degrees: document.edit.tilt.degrees - degrees), kind: .gesture)
  }
}
