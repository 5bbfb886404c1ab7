/// The position of the image in the view.
struct Placement: Hashable, Sendable {
  /// The size of the view, in points.
  var view = ViewSize(width: 0, height: 0)
  /// The viewport, or the one at the end of the current animation.
  var viewport = Viewport(scale: 1, origin: .zero)
  /// The scale before the current gesture; nil without one. No step zooms out below it
  /// automatically.
  var heldScale: Double?
  /// The position before the selection was rounded to whole pixels.
  private var unrounded: Unrounded?
  /// The current animation; nil for none.
  var motion: Motion?

  /// The position of frame and image before the selection was rounded to whole pixels. Small steps
  /// of a wheel or a ruler start from there, so that they add up and the frame does not creep.
  private struct Unrounded: Hashable, Sendable {
    /// The position of the image.
    var raw: Viewport
    /// The crop frame, in the view.
    var cropFrame: ViewRect
    /// The rounded viewport and the selection that resulted; with any other, the rest is invalid.
    var viewport: Viewport
    var selection: FrameRect
  }
}

extension Placement {
  /// The layout of a document in the view.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func layout(of document: borrowing Document) -> CropLayout {
    CropLayout(
      settings: document.settings, view: view, picture: document.picture,
      ratio: document.ratioToKeep, canvas: document.edit.canvas?.canvas,
      heldScale: heldScale ?? viewport.scale)
  }

  /// The crop frame that stays in place while the image moves behind it; nil in styles in which the
  /// image does not move.
  func cropFrame(of document: borrowing Document) -> ViewRect? {
    switch document.settings.style {
    case .marquee, .quad: nil
    case .viewfinder: layout(of: document).viewfinderFrame
    case .studio:
      unrounded(of: document)?.cropFrame ?? document.edit.selection.map { viewport($0) }
    }
  }

  /// The unrounded position of the image.
  func raw(of document: borrowing Document) -> Viewport { unrounded(of: document)?.raw ?? viewport }

  /// The unrounded position of crop frame and image, if nothing has changed since.
  private func unrounded(of document: borrowing Document) -> Unrounded? {
    guard let unrounded, unrounded.viewport == viewport,
      unrounded.selection == document.edit.selection
    else { return nil }
    return unrounded
  }

  /// Stores the unrounded position of crop frame and image together with the rounded one.
  mutating func keepUnrounded(
    _ cropFrame: ViewRect?, raw: Viewport, of document: borrowing Document
  ) {
    unrounded =
      if let cropFrame, let selection = document.edit.selection {
        Unrounded(raw: raw, cropFrame: cropFrame, viewport: viewport, selection: selection)
      } else {
        nil
      }
  }

  // MARK: Changes

  /// Shows the selection as if the user had not zoomed.
  mutating func rest(_ document: borrowing Document) {
    viewport = layout(of: document).restingViewport(for: document.edit.selection)
  }

  /// Moves the image back within its limits.
  mutating func settle(_ document: borrowing Document) {
    let layout = layout(of: document)
    viewport = layout.rested(
      viewport, cropFrame: cropFrame(of: document), about: layout.middle)
  }

  /// Aligns the quantized selection exactly with the crop frame.
  mutating func align(_ cropFrame: ViewRect?, to document: borrowing Document) {
    guard let cropFrame, let selection = document.edit.selection, !document.fitsWidth
    else { return }
    viewport = layout(of: document).viewport(filling: cropFrame, with: selection)
  }

  /// Shows the image at a position within its limits, and selects what the crop frame then shows.
  mutating func move(
    to raw: Viewport, about point: ViewPoint, zooms: Bool, _ document: inout Document
  ) {
    let cropFrame = cropFrame(of: document)
    motion = nil
    viewport = layout(of: document).rested(raw, cropFrame: cropFrame, about: point)
    guard let cropFrame, let selection = document.edit.selection else { return }
    let rested = viewport
    document.select(
      visible: rested.inverse(cropFrame), keeping: zooms ? nil : selection)
    align(cropFrame, to: document)
    keepUnrounded(cropFrame, raw: rested, of: document)
  }

  /// Tilts the image. What is in the middle of the view, or in the crop frame, stays there.
  mutating func tilt(to angle: CropAngle, _ document: inout Document) {
    let (cropFrame, center) = (cropFrame(of: document), Center(self, document))
    document.tilt(to: angle)
    motion = nil
    if document.settings.style == .marquee {
      restore(center, document)
    } else if let cropFrame, let selection = document.edit.selection {
      viewport = layout(of: document).viewport(filling: cropFrame, with: selection)
      keepUnrounded(cropFrame, raw: viewport, of: document)
    }
  }

  /// The visible center and the zoom before the layout changes.
  struct Center {
    /// The zoom as a multiple of the smallest; nil if nothing was visible.
    fileprivate let zoom: Double?
    /// The point at the view's center, on the image before its tilt.
    fileprivate let point: FramePoint

    init(_ placement: Placement, _ document: borrowing Document) {
      let layout = placement.layout(of: document)
      zoom =
        layout.isVisible
        ? placement.viewport.scale
          / layout.zoomRange(for: placement.cropFrame(of: document)).least : nil
      point = document.picture.turnedBack(placement.viewport.inverse(layout.middle))
    }
  }

  /// Updates the layout; the visible center and the zoom are kept as far as possible.
  mutating func restore(_ center: Center, _ document: borrowing Document) {
    let layout = layout(of: document)
    guard layout.isVisible else { return }
    guard document.settings.style.restsPicture || layout.fitsWidth, let zoom = center.zoom else {
      return rest(document)
    }
    let cropFrame = cropFrame(of: document)
    let scale = layout.zoomRange(for: cropFrame).least * zoom
    viewport = layout.rested(
      Viewport(scale: scale, placing: document.picture.turned(center.point), at: layout.middle),
      cropFrame: cropFrame, about: layout.middle)
  }

  // MARK: Scrolling along

  /// The speed at which a pointer near the view's edge scrolls a zoomed image, in points per
  /// second.
  func scrollSpeed(at point: ViewPoint, _ document: borrowing Document) -> ViewVector {
    if document.settings.style == .viewfinder { return .zero }
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
    let box = viewport(layout(of: document).pictureBox)
    return ViewVector(
      dx: speed(point.x, view.width, box.minX, box.maxX),
      dy: speed(point.y, view.height, box.minY, box.maxY))
  }

  /// Scrolls by a vector, as far as the image reaches.
  mutating func scroll(by vector: ViewVector, _ document: borrowing Document) {
    let layout = layout(of: document)
    var moved = viewport.panned(by: vector)
    if document.settings.style.restsPicture {
      moved = layout.panRested(moved, cropFrame: nil)
    } else {
      let box = moved(layout.pictureBox)
      if box.minX > 0 && vector.dx > 0 || box.maxX < view.width && vector.dx < 0 {
        moved.origin.x = viewport.origin.x
      }
      if box.minY > 0 && vector.dy > 0 || box.maxY < view.height && vector.dy < 0 {
        moved.origin.y = viewport.origin.y
      }
    }
    viewport = moved
  }
}

// Animations.
extension Placement {
  /// Whether an animation is running. (A comparison with nil would need to compare motions.)
  var isMoving: Bool { if case .some = motion { true } else { false } }

  /// The viewport that is displayed at a time: the state's, or one on the way to it.
  func viewport(at now: Seconds) -> Viewport {
    motion.map { $0.from.mixed(with: viewport, at: $0.progress(at: now)) } ?? viewport
  }

  /// Animates the image from a displayed position to the one in the state.
  mutating func animate(
    from start: Viewport, for duration: Seconds, _ easing: Motion.Easing, at now: Seconds
  ) {
    motion =
      duration > 0 && start != viewport
      ? Motion(from: start, start: now, duration: duration, easing: easing) : nil
  }

  /// Shows the image after a quarter turn, from its displayed position before.
  mutating func animateTurn(
    clockwise: Bool, from displayed: Viewport, _ document: borrowing Document, at now: Seconds
  ) {
    let layout = layout(of: document)
    let pivot =
      document.settings.style.restsPicture
      ? layout.area.center
      : document.edit.selection.map { viewport($0).center } ?? layout.middle
    motion = Motion(
      from: viewport, start: now, duration: Interaction.turnDuration, easing: .inOut,
      turn: clockwise ? -90 : 90, pivot: pivot, pivotScale: displayed.scale / viewport.scale)
  }

  /// Stops an animation that can be interrupted, and returns whether there was one: a glide, with
  /// the image where it is visible, or a recentering, with the frame where it is visible.
  mutating func catchMotion(at now: Seconds, _ document: inout Document) -> Bool {
    guard let motion else { return false }
    let displayed = viewport(at: now)
    switch motion.easing {
    case .out, .inOut, .bounce: return false
    case .spring: viewport = displayed
    case .glide:
      let (cropFrame, layout) = (cropFrame(of: document), layout(of: document))
      viewport = layout.rested(displayed, cropFrame: cropFrame, about: layout.middle)
      if let cropFrame, let selection = document.edit.selection {
        document.select(visible: viewport.inverse(cropFrame), keeping: selection)
      }
      keepUnrounded(cropFrame, raw: viewport, of: document)
    }
    self.motion = nil
    return true
  }
}
