/// The lightening of the shade during a gesture.
struct ShadeFade: Hashable, Sendable {
  /// The time at which the last gesture started or ended.
  var time: Seconds = -1000
  /// Whether a gesture is active.
  var isHeld = false

  /// How much lighter the shade is, 0 to 1.
  func lightness(at now: Seconds, isInstant: Bool) -> Double {
    if isInstant { return isHeld ? 1 : 0 }
    if isHeld { return min(max((now - time) / Interaction.shadeLighten, 0), 1) }
    let elapsed = now - time - Interaction.shadeWait
    return 1 - min(max(elapsed / Interaction.shadeDarken, 0), 1)
  }

  /// Whether the shade is still changing.
  func isFading(at now: Seconds) -> Bool {
    isHeld
      ? now - time < Interaction.shadeLighten
      : now - time < Interaction.shadeWait + Interaction.shadeDarken
  }
}

/// Animations.
extension CropSession {
  /// Updates everything that depends on time to the time of an input.
  mutating func advance(to input: Input) {
    // If the clock runs backwards, no time passes.
    let time = max(interaction.now, input.time ?? interaction.now)
    let elapsed = time - interaction.now
    interaction.now = time
    if case .tick = input { scroll(for: elapsed) }
    if let tap = interaction.pendingTap,
      !tap.awaits(input, at: interaction.now, isFollowed: isPressedAgain)
    {
      interaction.pendingTap = nil
      clearSelection()
    }
    if let motion = placement.motion, motion.isOver(at: interaction.now) {
      self.placement.motion = nil
      feedback.changes.formUnion([.scene, .elements])
    }
    if let time = interaction.recenterTime {
      if case .tick = input {
        if interaction.now >= time { recenter() }
      } else if input.cancelsRecentring {
        interaction.recenterTime = nil
      }
    }
  }

  /// Whether the pointer is down for what may be the second tap of a double tap.
  private var isPressedAgain: Bool {
    guard case .pressed(let press) = interaction.gesture else { return false }
    return press.followsTap
  }

  /// The viewport that is displayed now: the state's, or one on the way to it.
  var displayedViewport: Viewport {
    if case .panning(let panning) = interaction.gesture {
      return layout.resisted(panning.raw, cropFrame: panning.cropFrame, about: panning.focus)
    }
    guard let motion = placement.motion else { return placement.viewport }
    return motion.from.mixed(with: placement.viewport, at: motion.progress(at: interaction.now))
  }

  /// Animates the image from its displayed position to the one in the state.
  mutating func animate(
    from start: Viewport, for duration: Seconds, _ easing: Motion.Easing
  ) {
    guard !settings.reducesMotion, isVisible, duration > 0, start != placement.viewport else {
      placement.motion = nil
      return
    }
    placement.motion = Motion(
      from: start, start: interaction.now, duration: duration, easing: easing)
  }

  /// Shows the selection of the style `studio` as large as it fits, after a delay.
  mutating func recenter() {
    interaction.recenterTime = nil
    let start = displayedViewport
    rest()
    animate(from: start, for: Interaction.recenterDuration, .spring)
    feedback.changes.formUnion([.scene, .elements])
  }
}

extension Input {
  /// Whether the user started something else, so that the frame should stay where it is.
  fileprivate var cancelsRecentring: Bool {
    switch self {
    case .pointer(let pointer): pointer.phase == .down
    case .wheel, .magnify, .key: true
    case .command(let command, _):
      switch command {
      case .focus, .reduceMotion, .rightToLeft, .grid: false
      default: true
      }
    case .resize, .tick: false
    }
  }
}
