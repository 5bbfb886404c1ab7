import Synchronization

/// Determines when a server that was started to open files is no longer used.
///
/// It is in use while a page listens to its events, and while a browser may still use a code.
final class IdleShutdown: Sendable {
  private struct State {
    /// When it stops, unless a page connects before then.
    var end: ContinuousClock.Instant
    var isOver = false
  }

  private let state: Mutex<State>
  private let absence: Duration

  /// - Parameter absence: how long it may be unused.
  init(absence: Duration, at now: ContinuousClock.Instant = .now) {
    self.absence = absence
    state = Mutex(State(end: now + absence))
  }

  /// Runs `work`, after which a browser is expected, unless the server is stopping.
  ///
  /// - Returns: nil if it is.
  func expecting<Value>(_ work: () throws -> Value) rethrows -> Value? {
    try state.withLock { state in state.isOver ? nil : try work() }
  }

  /// Whether the server is to stop. Once true, it stays so.
  ///
  /// - Parameter isSomebodyThere: whether a page listens or a browser is expected.
  func isOver(
    at now: ContinuousClock.Instant = .now, isSomebodyThere: () -> Bool
  ) -> Bool {
    state.withLock { state in
      if isSomebodyThere() {
        state.end = now + absence
      } else if now >= state.end {
        state.isOver = true
      }
      return state.isOver
    }
  }
}
