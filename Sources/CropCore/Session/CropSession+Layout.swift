/// The layout, and its updates after a change of the view or a setting.
extension CropSession {
  /// The current layout.
  var layout: CropLayout {
    @inline(never)  // One copy for all its callers, for the size of the page's module.
    get {
      CropLayout(
        settings: settings, view: view, picture: picture, ratio: ratioToKeep,
        canvas: document.edit.canvas?.canvas,
        heldScale: interaction.gesture.isActive
          ? interaction.viewportBeforeGesture.scale : placement.viewport.scale)
    }
  }

  /// Whether an image is open and the view is large enough to show it.
  var isShown: Bool { image != nil && view.width >= 1 && view.height >= 1 }

  /// The crop frame that stays in place while the image moves behind it; nil in styles in which the
  /// image does not move.
  var restingCropFrame: ViewRect? {
    switch settings.style {
    case .marquee, .quad: nil
    case .viewfinder: layout.viewfinderFrame
    case .studio:
      unroundedPlacement?.cropFrame ?? document.edit.selection.map { placement.viewport($0) }
    }
  }

  /// The unrounded position of crop frame and image, if nothing has changed since.
  var unroundedPlacement: UnroundedPlacement? {
    guard let put = placement.unrounded, put.viewport == placement.viewport,
      put.selection == document.edit.selection
    else { return nil }
    return put
  }

  /// Stores the unrounded position of crop frame and image together with the rounded one.
  mutating func keepUnrounded(_ cropFrame: ViewRect?, raw: Viewport) {
    placement.unrounded =
      if let cropFrame, let selection = document.edit.selection {
        UnroundedPlacement(
          raw: raw, cropFrame: cropFrame, viewport: placement.viewport, selection: selection)
      } else {
        nil
      }
  }

  /// The selection that a viewport shows inside the crop frame, quantised.
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
      // The image doesn't fill the viewfinder's height: select the largest rectangle of the ratio
      // that it covers.
      let scale = Double(frame.height) / shown.height
      let strip = FrameRect(
        center: FramePoint(x: shown.midX, y: Double(frame.height) / 2),
        width: shown.width * scale, height: Double(frame.height))
      return rules.quantised(strip).rect
    }
    return rules.quantised(shown).rect
  }

  /// Updates the layout for another size of the view. The selected and the visible part of the
  /// image stay the same.
  mutating func resize(to size: ViewSize) {
    guard size != view else { return }
    relayout { $0.placement.view = size }
  }

  /// Changes something that determines the layout, then updates the layout.
  mutating func relayout(_ change: (inout Self) -> Void) {
    endGesture(keeping: true)
    let shown = ShownMiddle(self)
    change(&self)
    placement.motion = nil
    feedback.changes.formUnion([.scene, .elements])
    relayout(from: shown)
  }

  /// Updates the layout; the visible centre and the zoom are kept as far as possible.
  mutating func relayout(from shown: ShownMiddle) {
    let layout = layout
    guard layout.isShown else { return }
    guard settings.style.restsPicture || layout.fitsWidth, let zoom = shown.zoom else {
      return placement.viewport = layout.restingViewport(for: document.edit.selection)
    }
    let cropFrame = restingCropFrame
    let scale = layout.zoomRange(for: cropFrame).least * zoom
    placement.viewport = layout.rested(
      Viewport(scale: scale, placing: picture.turned(shown.middle), at: layout.middle),
      cropFrame: cropFrame, about: layout.middle)
  }
}

/// The visible centre and the zoom before the layout is updated.
struct ShownMiddle {
  /// The zoom as a multiple of the smallest; nil if nothing was visible.
  let zoom: Double?
  /// The point at the view's centre, on the image before its tilt.
  let middle: FramePoint

  init(_ session: borrowing CropSession) {
    let (layout, viewport) = (session.layout, session.placement.viewport)
    zoom =
      layout.isShown ? viewport.scale / layout.zoomRange(for: session.restingCropFrame).least : nil
    middle = session.picture.turnedBack(viewport.inverse(layout.middle))
  }
}
