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

/// The steps that can be taken back and done again.
struct History: Hashable, Sendable {
  /// What a step was made by: steps of one kind in quick succession are one.
  enum Kind: Hashable, Sendable {
    case gesture, nudge, resize(Handle), wheel, tilt(TiltPhase), command
  }

  private(set) var past: [Edit] = []
  private(set) var future: [Edit] = []
  private var lastKind: Kind?
  private var lastTime: Seconds = 0

  /// Remembers `before` as the state to come back to.
  mutating func record(_ before: Edit, kind: Kind, at time: Seconds) {
    let coalesces =
      switch kind {
      case .nudge, .resize, .wheel, .tilt(.once):
        kind == lastKind && time - lastTime < Interaction.nudgePause
      case .tilt: kind == lastKind
      case .gesture, .command: false
      }
    if !coalesces {
      past.append(before)
      if past.count > Interaction.longestHistory { past.removeFirst() }
    }
    future.removeAll()
    (lastKind, lastTime) = (kind, time)
  }

  /// The history with every edit changed, as when limits change, less the steps that no longer change
  /// anything.
  func rewritten(around current: Edit, _ change: (Edit) -> Edit) -> Self {
    func rewritten(_ edits: [Edit]) -> [Edit] {
      var kept: [Edit] = []
      // From the present outwards: the first of the top of a stack must differ from what is shown.
      var neighbour = change(current)
      for edit in edits.reversed() {
        let edit = change(edit)
        if edit != neighbour { kept.append(edit) }
        neighbour = edit
      }
      return kept.reversed()
    }
    var copy = self
    copy.past = rewritten(past)
    copy.future = rewritten(future)
    return copy
  }

  /// Ends the run of steps that count as one.
  mutating func separate() { lastKind = nil }

  /// The state before the last step; `current` can be done again.
  mutating func undo(from current: Edit) -> Edit? {
    guard let edit = past.popLast() else { return nil }
    future.append(current)
    lastKind = nil
    return edit
  }

  /// The state after the step taken back last.
  mutating func redo(from current: Edit) -> Edit? {
    guard let edit = future.popLast() else { return nil }
    past.append(current)
    lastKind = nil
    return edit
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
