import CSystemCalls
import Synchronization

/// A word to a crop that it need not go on, as whoever asked for it has left.
///
///     let stop = CropStop()
///     // In the thread that crops:
///     try CropStop.$current.withValue(stop) { try engine.crop(source, recipe: recipe) }
///     // In any other:
///     stop.say()
///
/// A ``WorkerPool`` then ends the process that has the picture, at once, and its place is free; work
/// in this process goes on to its end. A save that has not been published by then is given up.
public final class CropStop: Sendable {
  /// What may stop the crops of this thread and of the tasks below it.
  @TaskLocal public static var current: CropStop?

  private struct State {
    var isSaid = false
    var action: (@Sendable () -> Void)?
  }

  private let signal: Descriptor?
  private let state = Mutex(State())

  /// A word not yet said.
  public init() {
    let raw = ckc_system_signal()
    signal = raw >= 0 ? Descriptor(adopting: raw) : nil
  }

  /// Says it. More than once is the same as once.
  public func say() {
    let action = state.withLock { state in
      state.isSaid = true
      defer { state.action = nil }
      return state.action
    }
    // Whoever is woken by it finds that it was said.
    if let signal { ckc_system_raise(signal.raw) }
    action?()
  }

  /// Whether it was said.
  public var isSaid: Bool { state.withLock { $0.isSaid } }

  /// Does `action`, in place of an earlier one, when it is said; at once if it was already.
  public func whenSaid(_ action: @escaping @Sendable () -> Void) {
    let isSaid = state.withLock { state in
      if !state.isSaid { state.action = action }
      return state.isSaid
    }
    if isSaid { action() }
  }

  /// Ends work that nobody waits for any more.
  ///
  /// - Throws: ``CropError/workerDied(file:detail:)`` if the stop of this thread was said.
  public static func check() throws(CropError) {
    guard current?.isSaid != true else {
      throw .workerDied(file: "", detail: "nobody waits for it")
    }
  }

  /// Can be read once it was said; nil where the system has no more descriptors.
  var descriptor: Int32? { signal?.raw }
}
