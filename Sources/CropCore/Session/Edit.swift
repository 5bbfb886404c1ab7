/// All that the history remembers: what was asked of the picture.
struct Edit: Hashable, Sendable {
  /// The mirror and quarter turns.
  var orientation: Orientation = .up
  /// The tilt.
  var tilt: Angle = .zero
  /// The selected part of the frame, quantised; nil where nothing is selected.
  var selection: FrameRect?
  /// The ratio to keep.
  var ratio: RatioChoice = .free
  /// The outline.
  var shape: CropShape = .rectangle
  /// The size of the result, where it is not the selection's.
  var output: OutputSize?
}

/// The steps that can be taken back and done again, through all styles and limits.
///
/// Every edit is kept as it was made. A style or a limit that can't have one shows another in its place;
/// the next style still finds the first.
struct History: Hashable, Sendable {
  /// An edit to come back to.
  struct Step: Hashable, Sendable {
    /// As it was shown.
    let edit: Edit
    /// The selection as it was made.
    var made: FrameRect?
    /// The era in which it was shown so.
    let era: Int
  }

  /// What a step was made by: steps of one kind in quick succession are one.
  enum Kind: Hashable, Sendable {
    case gesture, nudge, resize(Handle), wheel, tilt(TiltPhase), command
  }

  private(set) var past: [Step] = []
  private(set) var future: [Step] = []
  /// Counts the changes of style and limits.
  private(set) var era = 0
  /// The present edit, as long as it is the one that is shown here.
  private var present = Step(edit: Edit(), made: nil, era: 0)
  private var lastKind: Kind?
  private var lastTime: Seconds = 0

  /// Remembers `before` as the state to come back to.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  mutating func record(_ before: Edit, kind: Kind, at time: Seconds) {
    let coalesces =
      switch kind {
      case .nudge, .resize, .wheel, .tilt(.once):
        kind == lastKind && time - lastTime < Interaction.nudgePause
      case .tilt: kind == lastKind
      case .gesture, .command: false
      }
    if !coalesces {
      past.append(step(to: before))
      if past.count > Interaction.longestHistory { past.removeFirst() }
    }
    show(before, for: before.selection)
    future.removeAll()
    (lastKind, lastTime) = (kind, time)
  }

  /// The way back to an edit that is shown; where it stands for another one, to that.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func step(to current: Edit) -> Step {
    current == present.edit ? present : Step(edit: current, made: current.selection, era: era)
  }

  /// Remembers the selection in whose place the present one is shown.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  mutating func show(_ shown: Edit, for made: FrameRect?) {
    present = Step(edit: shown, made: made, era: era)
  }

  /// Notes that style or limits have changed.
  mutating func beginEra() {
    era += 1
    lastKind = nil
  }

  /// Ends the run of steps that count as one.
  mutating func separate() { lastKind = nil }

  /// The step before the last one or, forward, the one that was taken back last; `current` is the next
  /// one the other way.
  mutating func walk(forward: Bool, from current: Edit) -> Step? {
    let step = step(to: current)
    lastKind = nil
    guard let found = forward ? future.popLast() : past.popLast() else { return nil }
    if forward { past.append(step) } else { future.append(step) }
    return found
  }
}

/// What the person last chose by hand: ratio and tilt changes start from it and not from each other's
/// results, so that going there and back ends where it began.
struct Intent: Hashable, Sendable {
  /// The middle, on the picture before its tilt.
  var center: FramePoint
  /// The width, in frame pixels.
  var width: Double
  /// The height, in frame pixels.
  var height: Double
  /// The selection that was derived from it last; any other selection makes the intent void.
  var result: FrameRect
}
