import CSystemCalls
import Synchronization

/// Ends a crop whose result nobody waits for any more.
///
///     let stop = CropStop()
///     // In the thread that crops:
///     try CropStop.$current.withValue(stop) { try engine.crop(source, recipe: recipe) }
///     // In any other:
///     stop.cancel()
///
/// A `WorkerPool` then ends the process that has the picture, at once, and its place is free; work
/// in this process goes on to its end. A save that has not been published by then is given up.
public final class CropStop: Sendable {
  /// What may stop the crops of this thread and of the tasks below it.
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

  /// Cancels the crops. More than once is the same as once.
  public func cancel() {
    let action = state.withLock { state in
      state.isCancelled = true
      defer { state.action = nil }
      return state.action
    }
    // Set before anybody is woken, so that whoever wakes finds it.
    if let signal { ckc_system_raise(signal.raw) }
    action?()
  }

  /// Whether it was cancelled.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Calls `action`, in place of an earlier one, on cancelling; at once if that has happened already.
  public func onCancel(_ action: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.action = action }
      return state.isCancelled
    }
    if isCancelled { action() }
  }

  /// Ends work that nobody waits for any more.
  ///
  /// - Throws: ``CropError/workerDied(file:detail:)`` if the stop of this thread was cancelled.
  public static func check() throws(CropError) {
    guard current?.isCancelled != true else {
      throw .workerDied(file: "", detail: "it was cancelled")
    }
  }

  /// Becomes readable on cancelling; nil where the system has no more descriptors.
  var descriptor: Int32? { signal?.raw }
}
