/// A pointer that is down and may become a tap or a drag.
struct Press: Hashable, Sendable {
  let target: Target
  let button: PointerButton
  /// Whether the press stopped a moving image; then it is not a tap.
  let caughtMotion: Bool
  /// Whether it followed a tap so soon that it makes a double tap.
  let followsTap: Bool
}

/// A tap that would clear the selection, held back in case a second one makes it a double tap.
struct PendingTap: Hashable, Sendable {
  let position: ViewPoint
  let time: Seconds

  /// Whether a tap at `position` and `time` is the second of a double tap.
  func isFollowed(byTapAt position: ViewPoint, time: Seconds) -> Bool {
    time - self.time <= Interaction.doubleTapWait
      && (position - self.position).length <= Interaction.doubleTapReach
  }

  /// Whether an input may still turn the tap into a double tap; `isFollowed` while a second press,
  /// started in time, is down.
  func awaits(_ input: Input, at now: Seconds, isFollowed: Bool) -> Bool {
    guard isFollowed || now - time <= Interaction.doubleTapWait else { return false }
    switch input {
    case .tick, .resize: return true
    case .pointer(let pointer):
      return pointer.phase != .down
        || self.isFollowed(byTapAt: pointer.position, time: pointer.time)
    case .wheel, .magnify, .key, .command: return false
    }
  }
}
