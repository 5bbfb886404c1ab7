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
    case gesture, nudge, resize(CropHandle), wheel, tilt(TiltPhase), fill, command
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
    setPresent(before, made: before.made)
    future.removeAll()
    (lastKind, lastTime) = (kind, time)
  }

  /// The step back to the displayed edit or, if that replaces another one, to the other one.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func step(to current: Edit) -> Step {
    current == present.edit ? present : Step(edit: current, made: current.made, era: era)
  }

  /// Stores the displayed edit with the selection that it replaces.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  mutating func setPresent(_ edit: Edit, made: Edit.Made) {
    present = Step(edit: edit, made: made, era: era)
  }

  /// Records that the style or the limits have changed.
  mutating func startEra() {
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
