import Synchronization

/// Tells when nobody looks any more at a server that was started to open files.
///
/// Somebody looks as long as a page listens to what happens, and is awaited as long as a browser may come
/// by a code.
final class Audience: Sendable {
  private struct State {
    /// When it is over, unless somebody is there before.
    var end: ContinuousClock.Instant
    var isOver = false
  }

  private let state: Mutex<State>
  private let absence: Duration

  /// - Parameter absence: how long nobody may be there.
  init(absence: Duration, at now: ContinuousClock.Instant = .now) {
    self.absence = absence
    state = Mutex(State(end: now + absence))
  }

  /// Lets somebody be awaited by what `work` does, unless it is over.
  ///
  /// - Returns: nil where it is.
  func expecting<Value>(_ work: () throws -> Value) rethrows -> Value? {
    try state.withLock { state in state.isOver ? nil : try work() }
  }

  /// Whether it is over, and stays so.
  ///
  /// - Parameter isSomebodyThere: whether a page listens or a browser is awaited.
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
