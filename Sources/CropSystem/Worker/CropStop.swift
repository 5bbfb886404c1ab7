import CSystemCalls
import Synchronization

/// Cancels a crop whose result is no longer needed.
///
///     let stop = CropStop()
///     // In the thread that crops:
///     try CropStop.$current.withValue(stop) { try engine.crop(source, recipe: recipe) }
///     // In any other:
///     stop.cancel()
///
/// `await engine.crop(…)` is also cancelled with its task, without a stop.
///
/// A `WorkerPool` immediately kills the process that handles the image and frees its slot. Work in
/// this process stops at its next step; a save that has not been published by then is abandoned.
public final class CropStop: Sendable {
  /// The stop that can cancel the crops of this task and its child tasks.
  @TaskLocal public static var current: CropStop?

  /// An action that is called on cancelling, until it is removed.
  public struct Handler: Sendable, Hashable {
    fileprivate let number: Int
  }

  private struct State {
    var isCancelled = false
    var actions: [Handler: @Sendable () -> Void] = [:]
    var lastNumber = 0
    /// Becomes readable on cancelling; nil until something waits for it.
    var signal: Descriptor?
  }

  private let state = Mutex(State())

  /// A stop that is not cancelled yet.
  public init() {}

  /// Cancels the crops. Further calls have no effect.
  public func cancel() {
    let actions = state.withLock { state in
      state.isCancelled = true
      if let signal = state.signal { ckc_system_raise(signal.raw) }
      defer { state.actions = [:] }
      return state.actions.values
    }
    for action in actions { action() }
  }

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Adds an action that ``cancel()`` calls. If this is already cancelled, it is called immediately.
  @discardableResult public func onCancel(_ action: @escaping @Sendable () -> Void) -> Handler {
    let (handler, isCancelled) = state.withLock { state in
      state.lastNumber += 1
      let handler = Handler(number: state.lastNumber)
      if !state.isCancelled { state.actions[handler] = action }
      return (handler, state.isCancelled)
    }
    if isCancelled { action() }
    return handler
  }

  /// Removes an action; ``cancel()`` does not call it any more.
  public func remove(_ handler: Handler) {
    // Released outside the lock: its end may run other code.
    _ = state.withLock { $0.actions.removeValue(forKey: handler) }
  }

  /// Throws if the current work was cancelled; long work calls this between its steps.
  ///
  /// - Throws: ``CropError/cancelled`` if ``current`` is cancelled.
  public static func check() throws(CropError) {
    guard current?.isCancelled != true else { throw .cancelled }
  }

  /// Becomes readable on cancelling; nil if the system has no more descriptors.
  var descriptor: Int32? {
    state.withLock { state in
      if state.signal == nil {
        let raw = ckc_system_signal()
        guard raw >= 0 else { return nil }
        state.signal = Descriptor(adopting: raw)
        if state.isCancelled { ckc_system_raise(raw) }
      }
      return state.signal?.raw
    }
  }
}
