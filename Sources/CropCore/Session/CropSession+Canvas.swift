/// The canvas around the result.
extension CropSession {
  /// The canvas around the result and its fill; nil if the result has no canvas.
  public var canvas: FilledCanvas? { document.edit.canvas }

  /// The position of the crop on its canvas, in pixels of the result; nil without a canvas or a
  /// valid selection, and if the canvas can't contain this crop.
  public var canvasLayout: CanvasLayout? {
    guard let canvas, let size = resultSize else { return nil }
    return canvas.canvas.layout(of: size)
  }

  /// Whether the canvas is visible around the crop, or makes the crop smaller.
  var showsCanvas: Bool {
    guard canvas != nil, let layout = canvasLayout else { return canvas != nil }
    return layout.crop.size != layout.size || layout.size != resultSize
  }

  /// Puts the result on a canvas, or on none, as one step.
  ///
  /// - Parameter movesRatio: moves the ratio from the selection to the canvas. The selection
  ///   becomes the complete image if nothing of the canvas would be visible. Without a canvas, the
  ///   selection gets its ratio back.
  mutating func setCanvas(_ canvas: FilledCanvas?, movesRatio: Bool) {
    guard canvas?.canvas.isUsable ?? true else {
      feedback.changes.insert(.refused)
      return
    }
    let old = document.edit.canvas
    // Consecutive changes of the colour are one undo step.
    let kind: History.Kind =
      if case .color = old?.fill, case .color = canvas?.fill, old?.canvas == canvas?.canvas {
        .fill
      } else {
        .command
      }
    let (shown, wasFitted) = (shownViewport, zoom < 1.001)
    step(kind, moving: false) { session in
      session.document.edit.canvas = canvas
      guard movesRatio, (canvas == nil) != (old == nil), session.settings.style != .quad else {
        return
      }
      if canvas != nil {
        session.freeRatio()
      } else if let ratio = old?.canvas.ratio {
        session.document.edit.ratio = .fixed(ratio)
        session.reselect(isChosen: true)
      }
    }
    guard canvas?.canvas != old?.canvas, isShown else { return }
    if wasFitted { placement.viewport = layout.restingViewport(for: document.edit.selection) }
    show(from: shown)
  }

  /// Removes the selection's ratio, and extends it to the complete image if nothing of the canvas
  /// would be visible otherwise.
  private mutating func freeRatio() {
    // A viewfinder always has a ratio.
    document.edit.ratio = settings.style == .viewfinder ? .original(isSwapped: false) : .free
    if document.edit.output?.isExact ?? false { document.edit.output = nil }
    guard document.edit.selection == nil || !showsCanvas || settings.style == .viewfinder else {
      return
    }
    document.intent = nil
    let whole = picture.largestCentered
    select(rules.ratio?.fitted(in: whole) ?? whole)
  }
}

extension Canvas {
  /// Whether the canvas is valid for some crop.
  var isUsable: Bool {
    let sides = 1...Self.largestSide
    if case .size(let size) = extent {
      guard sides.contains(size.width), sides.contains(size.height) else { return false }
    }
    return switch margin {
    case .pixels(let count): count >= 0 && count < Double(Self.largestSide)
    case .percent(let share): (0..<50).contains(share)
    }
  }

  /// The requested ratio, or that of the requested size.
  var ratio: AspectRatio? {
    switch extent {
    case .crop: nil
    case .ratio(let ratio): ratio
    case .size(let size): AspectRatio(size.width, size.height)
    }
  }
}

extension CropLayout {
  /// The part of the area for a crop of this many pixels, so that its canvas fits in the area too;
  /// the complete area without a canvas.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func room(for crop: FrameSize) -> ViewRect {
    guard let layout = canvas?.layout(of: crop) else { return area }
    let size = FrameRect(
      x: 0, y: 0, width: Double(layout.size.width), height: Double(layout.size.height))
    let shown = Viewport(showing: size, in: area)(
      FrameRect(
        x: Double(layout.crop.x), y: Double(layout.crop.y), width: Double(layout.crop.width),
        height: Double(layout.crop.height)))
    // If the canvas is far larger than the crop, the crop must still be large enough to edit.
    let least = Self.leastRoom
    let growth = max(
      1, least / max(shown.width / area.width, shown.height / area.height))
    return growth == 1
      ? shown
      : ViewRect(
        center: area.center, width: shown.width * growth, height: shown.height * growth)
  }

  /// The smallest share of the area's width or height that a crop on its canvas has.
  private static var leastRoom: Double { 0.3 }
}
