/// Where things lie, and what becomes of it when the view or a setting changes.
extension CropSession {
  /// Where things lie when they rest.
  var layout: CropLayout {
    @inline(never)  // One copy for all its callers, for the size of the page's module.
    get {
      CropLayout(
        settings: settings, view: view, picture: picture, ratio: ratioToKeep,
        heldScale: interaction.gesture.isActive
          ? interaction.viewportBeforeGesture.scale : placement.viewport.scale)
    }
  }

  /// Whether there is a picture, and a view large enough to show it.
  var isShown: Bool { image != nil && view.width >= 1 && view.height >= 1 }

  /// The crop frame that stays where it is while the picture moves beneath; nil in a marquee, where the
  /// picture rests and nothing else does.
  var restingCropFrame: ViewRect? {
    switch settings.style {
    case .marquee: nil
    case .viewfinder: layout.viewfinderFrame
    case .studio:
      unroundedPlacement?.cropFrame ?? document.edit.selection.map { placement.viewport($0) }
    }
  }

  /// Where crop frame and picture were put, if nothing has changed since.
  var unroundedPlacement: UnroundedPlacement? {
    guard let put = placement.unrounded, put.viewport == placement.viewport,
      put.selection == document.edit.selection
    else { return nil }
    return put
  }

  /// Remembers where crop frame and picture were put, beside what became of it in whole pixels.
  mutating func keepUnrounded(_ cropFrame: ViewRect?, raw: Viewport) {
    placement.unrounded =
      if let cropFrame, let selection = document.edit.selection {
        UnroundedPlacement(
          raw: raw, cropFrame: cropFrame, viewport: placement.viewport, selection: selection)
      } else {
        nil
      }
  }

  /// The selection that a viewport puts in the frame on the screen, quantised.
  ///
  /// - Parameter start: the selection before, whose size is kept to the pixel while only panning.
  func selection(in cropFrame: ViewRect, under viewport: Viewport, keeping start: FrameRect?)
    -> FrameRect
  {
    let shown = viewport.inverse(cropFrame)
    if let start {
      let corner = FramePoint(
        x: shown.midX - start.width / 2, y: shown.midY - start.height / 2)
      return rules.moved(start, to: corner)
    }
    if layout.fitsWidth, shown.height > Double(frame.height) {
      // The picture is lower than the viewfinder's frame: the largest of the ratio that it covers.
      let scale = Double(frame.height) / shown.height
      let strip = FrameRect(
        center: FramePoint(x: shown.midX, y: Double(frame.height) / 2),
        width: shown.width * scale, height: Double(frame.height))
      return rules.quantised(strip).rect
    }
    return rules.quantised(shown).rect
  }

  /// Lays everything out in a view of another size; the same part of the picture stays selected and
  /// the same part stays in view.
  mutating func resize(to size: ViewSize) {
    guard size != view else { return }
    relayout { $0.placement.view = size }
  }

  /// Changes what decides where things lie, and lays them out anew.
  mutating func relayout(_ change: (inout Self) -> Void) {
    endGesture(keeping: true)
    let shown = ShownMiddle(self)
    change(&self)
    placement.motion = nil
    feedback.changes.formUnion([.scene, .elements])
    relayout(from: shown)
  }

  /// Lays everything out; what was shown in the middle, and the zoom, stay as far as they can.
  mutating func relayout(from shown: ShownMiddle) {
    let layout = layout
    guard layout.isShown else { return }
    guard settings.style == .marquee || layout.fitsWidth, let zoom = shown.zoom else {
      return placement.viewport = layout.restingViewport(for: document.edit.selection)
    }
    let cropFrame = restingCropFrame
    let scale = layout.zoomRange(for: cropFrame).least * zoom
    placement.viewport = layout.rested(
      Viewport(scale: scale, placing: picture.turned(shown.middle), at: layout.middle),
      cropFrame: cropFrame, about: layout.middle)
  }
}

/// What a session showed in the middle before it is laid out anew.
struct ShownMiddle {
  /// The zoom in multiples of the smallest; nil where nothing was shown.
  let zoom: Double?
  /// What lay in the middle, on the picture before its tilt.
  let middle: FramePoint

  init(_ session: borrowing CropSession) {
    let (layout, viewport) = (session.layout, session.placement.viewport)
    zoom =
      layout.isShown ? viewport.scale / layout.zoomRange(for: session.restingCropFrame).least : nil
    middle = session.picture.turnedBack(viewport.inverse(layout.middle))
  }
}
