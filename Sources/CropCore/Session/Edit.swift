/// The edits of an image, which the history stores.
struct Edit: Hashable, Sendable {
  /// The mirror and quarter turns.
  var orientation: Orientation = .up
  /// The tilt.
  var tilt: Angle = .zero
  /// The selected part of the frame, quantised; nil without a selection.
  var selection: FrameRect?
  /// The four corners to straighten, in the style that has them; `selection` is then the smallest
  /// rectangle of whole pixels around them.
  var quad: Quad?
  /// The ratio to keep.
  var ratio: RatioChoice = .free
  /// The outline.
  var shape: CropShape = .rectangle
  /// The requested size of the result; nil for the selection's.
  var output: OutputSize?
  /// The canvas around the result.
  var canvas: FilledCanvas?

  /// The values that a style or a limit may display differently.
  struct Made: Hashable, Sendable {
    var selection: FrameRect?
    var quad: Quad?
    var tilt: Angle
  }

  var made: Made {
    get { Made(selection: selection, quad: quad, tilt: tilt) }
    set { (selection, quad, tilt) = (newValue.selection, newValue.quad, newValue.tilt) }
  }
}

/// The steps that can be undone and redone, across all styles and limits.
///
/// Every edit is stored as the user made it. A style or a limit that does not allow an edit
/// displays another one instead; after the next change of style, the stored one is used again.
struct History: Hashable, Sendable {
  /// An edit to return to.
  struct Step: Hashable, Sendable {
    /// The edit as it was displayed.
    let edit: Edit
    /// The selection as the user made it.
    var made: Edit.Made
    /// The era in which it was displayed like that.
    let era: Int
  }

  /// The cause of a step; steps of the same kind in quick succession are merged.
  enum Kind: Hashable, Sendable {
    case gesture, nudge, resize(Handle), wheel, tilt(TiltPhase), fill, command
  }

  private(set) var past: [Step] = []
  private(set) var future: [Step] = []
  /// Counts the changes of style and limits.
  private(set) var era = 0
  /// The current edit, while it is the one that is displayed.
  private var present = Step(edit: Edit(), made: Edit().made, era: 0)
  private var lastKind: Kind?
  private var lastTime: Seconds = 0

  /// Stores `before` as the state to return to.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  mutating func record(_ before: Edit, kind: Kind, at time: Seconds) {
    let coalesces =
      switch kind {
      case .nudge, .resize, .wheel, .tilt(.once), .fill:
        kind == lastKind && time - lastTime < Interaction.nudgePause
      case .tilt: kind == lastKind
      case .gesture, .command: false
      }
    if !coalesces {
      past.append(step(to: before))
      if past.count > Interaction.longestHistory { past.removeFirst() }
    }
    show(before, for: before.made)
    future.removeAll()
    (lastKind, lastTime) = (kind, time)
  }

  /// The step back to the displayed edit or, if that replaces another one, to the other one.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func step(to current: Edit) -> Step {
    current == present.edit ? present : Step(edit: current, made: current.made, era: era)
  }

  /// Stores the selection that the displayed one replaces.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  mutating func show(_ shown: Edit, for made: Edit.Made) {
    present = Step(edit: shown, made: made, era: era)
  }

  /// Records that the style or the limits have changed.
  mutating func beginEra() {
    era += 1
    lastKind = nil
  }

  /// Ends the series of steps that are merged.
  mutating func separate() { lastKind = nil }

  /// The step before the last one or, if `forward`, the one that was undone last; `current` becomes
  /// the next step in the other direction.
  mutating func walk(forward: Bool, from current: Edit) -> Step? {
    let step = step(to: current)
    lastKind = nil
    guard let found = forward ? future.popLast() : past.popLast() else { return nil }
    if forward { past.append(step) } else { future.append(step) }
    return found
  }
}

/// The user's last choice. Changes of ratio and tilt start from it and not from each other's
/// results, so that changing back restores the original selection.
struct Intent: Hashable, Sendable {
  /// The centre, on the image before its tilt.
  var center: FramePoint
  /// The width, in frame pixels.
  var width: Double
  /// The height, in frame pixels.
  var height: Double
  /// The selection that was last derived from it; any other selection invalidates the intent.
  var result: FrameRect
}
