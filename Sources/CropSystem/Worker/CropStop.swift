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
/// A `WorkerPool` immediately kills the process that handles the image and frees its slot. Work in
/// this process runs to its end, but a save that has not been published by then is abandoned.
public final class CropStop: Sendable {
  /// The stop that can cancel the crops of this task and its child tasks.
  @TaskLocal public static var current: CropStop?

  private struct State {
    var isCancelled = false
    var action: (@Sendable () -> Void)?
  }

  private let signal: Descriptor?
  private let state = Mutex(State())

  /// A stop that is not cancelled yet.
  public init() {
    let raw = ckc_system_signal()
    signal = raw >= 0 ? Descriptor(adopting: raw) : nil
  }

  /// Cancels the crops. Further calls have no effect.
  public func cancel() {
    let action = state.withLock { state in
      state.isCancelled = true
      defer { state.action = nil }
      return state.action
    }
    // Set before waiters wake, so that each of them sees it.
    if let signal { ckc_system_raise(signal.raw) }
    action?()
  }

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Sets the action that ``cancel()`` calls, replacing an earlier one. If this is already
  /// cancelled, it calls the action immediately.
  public func onCancel(_ action: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.action = action }
      return state.isCancelled
    }
    if isCancelled { action() }
  }

  /// Throws if the current work was cancelled; long work calls this between its steps.
  ///
  /// - Throws: ``CropError/cancelled`` if ``current`` is cancelled.
  public static func check() throws(CropError) {
    guard current?.isCancelled != true else { throw .cancelled }
  }

  /// Becomes readable on cancelling; nil if the system has no more descriptors.
  var descriptor: Int32? { signal?.raw }
}
