/// The layout, and its updates after a change of the view or a setting.
extension CropSession {
  /// The current layout.
  var layout: CropLayout {
    @inline(never)  // One copy for all its callers, for the size of the page's module.
    get {
      CropLayout(
        settings: settings, view: view, picture: document.picture, ratio: document.ratioToKeep,
        canvas: document.edit.canvas?.canvas,
        heldScale: interaction.gesture.isActive
          ? interaction.viewportBeforeGesture.scale : placement.viewport.scale)
    }
  }

  /// Whether an image is open and the view is large enough to show it.
  var isVisible: Bool { image != nil && view.width >= 1 && view.height >= 1 }

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

  /// Shows the selection as if the user had not zoomed.
  mutating func rest() {
    placement.viewport = layout.restingViewport(for: document.edit.selection)
  }

  /// Shows the image after a turn or a mirror, from its displayed position before.
  mutating func animateTurn(by next: Orientation, from displayed: Viewport) {
    rest()
    guard !next.isMirrored, isVisible, !settings.reducesMotion else {
      return placement.motion = nil
    }
    let center = document.edit.selection.map { placement.viewport($0).center } ?? layout.middle
    placement.motion = Motion(
      from: placement.viewport, start: interaction.now, duration: Interaction.turnDuration,
      easing: .inOut,
      turn: next == .right ? -90 : 90,
      pivot: settings.style.restsPicture ? layout.area.center : center,
      pivotScale: displayed.scale / placement.viewport.scale)
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
    let center = ViewCenter(self)
    change(&self)
    placement.motion = nil
    feedback.changes.formUnion([.scene, .elements])
    relayout(from: center)
  }

  /// Updates the layout; the visible centre and the zoom are kept as far as possible.
  mutating func relayout(from center: ViewCenter) {
    let layout = layout
    guard layout.isVisible else { return }
    guard settings.style.restsPicture || layout.fitsWidth, let zoom = center.zoom else {
      return rest()
    }
    let cropFrame = restingCropFrame
    let scale = layout.zoomRange(for: cropFrame).least * zoom
    placement.viewport = layout.rested(
      Viewport(scale: scale, placing: document.picture.turned(center.point), at: layout.middle),
      cropFrame: cropFrame, about: layout.middle)
  }
}

/// The visible centre and the zoom before the layout is updated.
struct ViewCenter {
  /// The zoom as a multiple of the smallest; nil if nothing was visible.
  let zoom: Double?
  /// The point at the view's centre, on the image before its tilt.
  let point: FramePoint

  init(_ session: borrowing CropSession) {
    let (layout, viewport) = (session.layout, session.placement.viewport)
    zoom =
      layout.isVisible
      ? viewport.scale / layout.zoomRange(for: session.restingCropFrame).least : nil
    point = session.document.picture.turnedBack(viewport.inverse(layout.middle))
  }
}
