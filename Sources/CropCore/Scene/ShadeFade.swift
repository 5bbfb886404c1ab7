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
