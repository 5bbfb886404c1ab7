/// A document in a view, as commands, keys and gestures change it: with animations, announcements and
/// steps of the history.
struct SessionEditor: Hashable, Sendable {
  var document = Document()
  var placement = Placement()
  var announcer = Announcer()
  /// The time of the latest input.
  var now: Seconds = 0
  var focus: ElementKey?
  var shade = ShadeFade()
  /// The ruler under the image.
  var ruler = Ruler()
}

extension SessionEditor {
  var settings: SessionSettings { document.settings }
  /// The viewport that is displayed now, unless a gesture moves the image.
  var displayedViewport: Viewport { placement.viewport(at: now) }
  var layout: CropLayout { placement.layout(of: document) }
  /// Whether an image is open and the view is large enough to show it.
  var isVisible: Bool {
    document.image != nil && placement.view.width >= 1 && placement.view.height >= 1
  }
  /// The zoom, as a multiple of the smallest zoom.
  var zoom: Double {
    document.image == nil
      ? 1
      : placement.viewport.scale
        / layout.zoomRange(for: placement.cropFrame(of: document)).least
  }

  // MARK: Steps

  /// Applies a change as one step of the history, then shows the selection where the style requires
  /// it.
  mutating func step(_ kind: History.Kind, _ change: (inout Document) -> Void) {
    let displayed = displayedViewport
    if document.step(kind, at: now, change) { reveal(from: displayed) }
  }

  /// Changes the selection as one step, and announces it.
  mutating func place(_ change: (inout Document) -> Void) {
    let before = document.edit.selection
    step(.command, change)
    announcer.announceSelection(of: document, isLimit: document.edit.selection == before)
  }

  /// Stores the changes since an edit as one step, and announces the selection.
  mutating func record(since before: Edit, _ kind: History.Kind) {
    if document.record(since: before, kind, at: now) { announcer.announceSelection(of: document) }
  }

  // MARK: Animations

  /// Advances the clock, and returns the time since the last input.
  mutating func advance(to time: Seconds?) -> Seconds {
    // If the clock runs backwards, no time passes.
    let elapsed = max(0, (time ?? now) - now)
    now = max(now, time ?? now)
    if let motion = placement.motion, motion.isOver(at: now) {
      placement.motion = nil
      announcer.changes.formUnion([.scene, .elements])
    }
    return elapsed
  }

  /// Shows the selection where the style requires it, with an animation from `displayed`.
  mutating func reveal(from displayed: Viewport) {
    if settings.style.restsPicture { placement.settle(document) } else { placement.rest(document) }
    animate(from: displayed, for: Interaction.ratioDuration, .out)
  }

  /// Shows the selection as if the user had not zoomed, without an animation.
  mutating func rest() {
    placement.rest(document)
    placement.motion = nil
  }

  /// Springs the image back if it is shown beyond its limits.
  mutating func settle() {
    let displayed = displayedViewport
    placement.settle(document)
    if displayed != placement.viewport {
      animate(from: displayed, for: Interaction.bounceDuration, .out)
    }
  }

  /// Shows the selection of the style `studio` as large as it fits, after a delay.
  mutating func recenter() {
    let displayed = displayedViewport
    placement.rest(document)
    animate(from: displayed, for: Interaction.recenterDuration, .spring)
    announcer.changes.formUnion([.scene, .elements])
  }

  /// Stops an animation that can be interrupted, and returns whether there was one.
  mutating func catchMotion() -> Bool {
    let isCaught = placement.catchMotion(at: now, &document)
    if isCaught { announcer.changes.insert(.scene) }
    return isCaught
  }

  /// Animates the image from a displayed position to the one in the state.
  mutating func animate(
    from displayed: Viewport, for duration: Seconds, _ easing: Motion.Easing
  ) {
    let isInstant = settings.reducesMotion || !isVisible
    placement.animate(from: displayed, for: isInstant ? 0 : duration, easing, at: now)
  }

  /// Records whether something is held, which changes the shade.
  mutating func hold(_ isHeld: Bool) {
    guard shade.isHeld != isHeld else { return }
    shade = ShadeFade(time: now, isHeld: isHeld)
    announcer.changes.insert(.scene)
  }

  // MARK: Layout

  /// Changes something that determines the layout, then updates the layout. The selected and the
  /// visible part of the image stay the same.
  mutating func relayout(_ change: (inout Self) -> Void) {
    let center = Placement.Center(placement, document)
    change(&self)
    placement.motion = nil
    announcer.changes.formUnion([.scene, .elements])
    placement.restore(center, document)
  }
}
