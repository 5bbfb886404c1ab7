import Dispatch
import Synchronization

/// Threads for calls that may block, usually because they wait for a disk.
///
/// Swift's tasks, `DispatchQueue.global()` and every concurrent queue share one pool of about as many
/// threads as there are processors: a few blocked calls there stop all requests. Each of these threads
/// is a serial queue, for which Dispatch has a thread outside that pool.
public final class BlockingThreads: Sendable {
  private struct State {
    var idle: [DispatchQueue] = []
    /// How many were created.
    var count = 0
    var waiting: [@Sendable () -> Void] = []
  }

  private let label: String
  private let most: Int
  private let state = Mutex(State())

  /// At most `count` threads, at least 1. Each is only created when it has work.
  public init(label: String, count: Int) {
    self.label = label
    most = max(1, count)
  }

  /// Runs work on one of the threads, in the order of submission.
  public func submit(_ work: @escaping @Sendable () -> Void) {
    let queue: DispatchQueue? = state.withLock { state in
      if let queue = state.idle.popLast() { return queue }
      if state.count < most {
        state.count += 1
        return DispatchQueue(label: "\(label).\(state.count)")
      }
      state.waiting.append(work)
      return nil
    }
    queue.map { run(work, on: $0) }
  }

  /// Runs work on one of the threads and returns its result.
  public func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      submit { continuation.resume(with: Result(catching: work)) }
    }
  }

  private func run(_ work: @escaping @Sendable () -> Void, on queue: DispatchQueue) {
    queue.async { [self] in
      work()
      let next = state.withLock { state in
        if state.waiting.isEmpty {
          state.idle.append(queue)
          return nil as (@Sendable () -> Void)?
        }
        return state.waiting.removeFirst()
      }
      next.map { run($0, on: queue) }
    }
  }
}
