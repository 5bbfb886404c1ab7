/// The shade's lightening while something is held.
struct TouchFade: Hashable, Sendable {
  /// When it was last taken hold of, or let go.
  var time: Seconds = -1000
  /// Whether something is held.
  var isHeld = false

  /// How much lighter the shade is, 0 to 1.
  func lightness(at now: Seconds, isInstant: Bool) -> Double {
    if isInstant { return isHeld ? 1 : 0 }
    if isHeld { return min(max((now - time) / Interaction.shadeLighten, 0), 1) }
    let elapsed = now - time - Interaction.shadeWait
    return 1 - min(max(elapsed / Interaction.shadeDarken, 0), 1)
  }

  /// Whether the shade is still on its way.
  func isFading(at now: Seconds) -> Bool {
    isHeld
      ? now - time < Interaction.shadeLighten
      : now - time < Interaction.shadeWait + Interaction.shadeDarken
  }
}

/// What moves by itself.
extension CropSession {
  /// Brings everything that runs by the clock up to the moment of an input.
  mutating func advance(to input: Input) {
    // A clock that runs backwards is taken to stand still.
    let time = max(now, input.time ?? now)
    let elapsed = time - now
    now = time
    if case .tick = input { scroll(for: elapsed) }
    if let tap = pendingTap, !tap.awaits(input, at: now, isFollowed: isPressedAgain) {
      pendingTap = nil
      clearSelection()
    }
    if let motion, motion.isOver(at: now) {
      self.motion = nil
      changes.formUnion([.scene, .elements])
    }
    if let time = recentreTime {
      if case .tick = input {
        if now >= time { recentre() }
      } else if input.cancelsRecentring {
        recentreTime = nil
      }
    }
  }

  /// Whether a press is down that may become the second of a double tap.
  private var isPressedAgain: Bool {
    guard case .pressed(let press) = gesture else { return false }
    return press.followsTap
  }

  /// Where the picture is shown now: the state's viewport, or on the way to it.
  var shownViewport: Viewport {
    if case .panning(let panning) = gesture {
      return resisted(panning.raw, frame: panning.frame, about: panning.focus)
    }
    guard let motion else { return viewport }
    return motion.from.mixed(with: viewport, at: motion.progress(at: now))
  }

  /// Lets the picture go from where it is shown to where the state says.
  mutating func animate(
    from start: Viewport, for duration: Seconds, _ easing: Motion.Easing, frame: ViewRect? = nil
  ) {
    guard !reducesMotion, isShown, duration > 0, start != viewport else {
      motion = nil
      return
    }
    motion = Motion(from: start, start: now, duration: duration, easing: easing, frame: frame)
  }

  /// Shows the studio's selection as large as fits, after a pause.
  mutating func recentre() {
    recentreTime = nil
    let start = shownViewport
    viewport = restingViewport()
    animate(from: start, for: Interaction.recentreDuration, .spring)
    changes.formUnion([.scene, .elements])
  }
}

extension Input {
  /// Whether the person has begun something else, so that the frame should stay where it is.
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
