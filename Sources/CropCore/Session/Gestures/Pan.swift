extension Gesture {
  /// The image is panned by a pointer or, as a part of a pinch, by two fingers.
  struct Pan: Hashable, Sendable {
    /// Where the fingers have moved the image, without limits.
    private(set) var raw: Viewport
    /// The point about which the limits of the zoom are applied: the midpoint of the fingers.
    private(set) var focus: ViewPoint
    /// The crop frame that stays in place, if there is one.
    let cropFrame: ViewRect?
    /// The selection at the start; plain panning keeps its size.
    private let start: FrameRect?
    /// The position of the image when the movement started to count.
    private var origin: Viewport
    /// Whether the zoom has changed since the start.
    private(set) var hasZoomed = false

    /// Starts at the displayed position, which may be beyond the limits if the image is springing
    /// back.
    init(at focus: ViewPoint, on editor: borrowing SessionEditor) {
      self.focus = focus
      cropFrame = editor.placement.cropFrame(of: editor.document)
      start = editor.settings.style.restsPicture ? nil : editor.document.edit.selection
      raw =
        editor.placement.motion?.easing == .bounce
        ? editor.layout.unresisted(
          editor.displayedViewport, cropFrame: cropFrame, about: focus)
        : editor.placement.viewport
      origin = raw
    }

    /// The same position, from which the fingers' movement counts again.
    var rebased: Self {
      var pan = self
      pan.origin = raw
      return pan
    }

    mutating func move(by fingers: Fingers, _ editor: inout SessionEditor) {
      place(by: fingers, zoom: 1)
      settle(&editor)
    }

    /// Places the image under the fingers, which zoom by a factor.
    mutating func place(by fingers: Fingers, zoom factor: Double) {
      raw = origin.panned(by: fingers.now - fingers.start).zoomed(by: factor, about: fingers.now)
      focus = fingers.now
      if factor != 1 { hasZoomed = true }
    }

    /// Follows a tilt of the image: the point in the middle of the crop frame stays fixed while the
    /// image turns about its center.
    mutating func turn(from before: TiltedPicture, to picture: TiltedPicture) {
      guard let cropFrame, before != picture else { return }
      hasZoomed = true
      let content = before.turnedBack(raw.inverse(cropFrame.center))
      raw = Viewport(scale: raw.scale, placing: picture.turned(content), at: cropFrame.center)
    }

    /// Sets the state that applies when the fingers are lifted.
    func settle(_ editor: inout SessionEditor) {
      let viewport = editor.layout.rested(raw, cropFrame: cropFrame, about: focus)
      editor.placement.viewport = viewport
      guard let cropFrame, editor.document.isValid else { return }
      editor.document.select(
        visible: viewport.inverse(cropFrame), keeping: hasZoomed ? nil : start)
    }

    /// Sets the state after the pan, and returns the animation to it: the image glides on, or
    /// springs back to a valid position.
    func end(speed: ViewVector, _ editor: inout SessionEditor) -> (Seconds, Motion.Easing) {
      let isInside = editor.placement.viewport.isNear(raw)
      let glide = hasZoomed ? 0 : Interaction.glideDuration(speed: speed.length)
      let glides = isInside && glide > 0 && !editor.settings.reducesMotion
      if glides {
        let reach = Interaction.glideReach(speed: speed.length)
        var end = self
        end.raw = raw.panned(by: speed * (reach / speed.length))
        end.settle(&editor)
      }
      editor.placement.align(cropFrame, to: editor.document)
      editor.placement.keepUnrounded(
        cropFrame, raw: editor.placement.viewport, of: editor.document)
      return glides ? (glide, .glide) : (Interaction.bounceDuration, .bounce)
    }
  }
}
