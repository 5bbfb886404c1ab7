import CropImaging
import Synchronization

/// Orders thumbnail requests: the most recent ones first, since the user sees those, then those
/// that will be needed soon. Cancelled requests free their slots.
final class ThumbnailQueue: Sendable {
  /// Identifies a thumbnail of a version of a file.
  struct Key: Hashable, Sendable {
    let photo: LibraryID
    let stamp: FileStamp
    let size: ThumbnailSize
  }

  typealias Work = @Sendable () throws -> Thumbnail
  typealias Waiter = CheckedContinuation<Thumbnail, any Error>

  private struct Job {
    let work: Work
    var waiters: [Int: Waiter] = [:]
    var isRunning = false
    var isAhead = false
  }

  private struct State {
    var jobs: [Key: Job] = [:]
    /// Requested thumbnails, the newest at the end; may contain keys of finished jobs.
    var wanted: [Key] = []
    /// Thumbnails to make in advance, the next one at the end.
    var ahead: [Key] = []
    var free: Int
    var lastWaiter = 0
    var waiting = 0
  }

  private let state: Mutex<State>
  private let threads: BlockingThreads
  private let mostWaiting: Int

  /// A queue that makes `places` thumbnails at the same time, while at most `mostWaiting` requests
  /// wait.
  init(places: Int, mostWaiting: Int = 1000) {
    state = Mutex(State(free: max(1, places)))
    threads = BlockingThreads(label: "cropkit.thumbnails", count: places)
    self.mostWaiting = mostWaiting
  }

  /// The number of waiting requests.
  var askedFor: Int { state.withLock { $0.waiting } }

  /// The thumbnail for a key, made by `work` unless it is already being made.
  ///
  /// - Throws: `LibraryError.busy` if too many requests wait, `CancellationError` if the task is
  ///   cancelled, or what `work` throws.
  func thumbnail(_ key: Key, _ work: @escaping Work) async throws -> Thumbnail {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        let refusal: (any Error)? = state.withLock { state in
          if Task.isCancelled { return CancellationError() }
          guard state.waiting < mostWaiting else { return LibraryError.busy }
          var job = state.jobs[key] ?? Job(work: work)
          job.waiters[number] = waiter
          state.waiting += 1
          state.jobs[key] = job
          if !job.isRunning { state.wanted.append(key) }
          return nil
        }
        if let refusal { waiter.resume(throwing: refusal) } else { startNext() }
      }
    } onCancel: {
      leave(key, number)
    }
  }

  /// Makes these in order when idle, replacing those of an earlier call.
  func prepare(_ all: [(Key, Work)]) {
    state.withLock { state in
      for key in state.ahead where state.jobs[key]?.isRunning == false {
        if state.jobs[key]?.waiters.isEmpty == true { state.jobs[key] = nil }
      }
      state.ahead = []
      for (key, work) in all.reversed() where state.jobs[key] == nil {
        state.jobs[key] = Job(work: work, isAhead: true)
        state.ahead.append(key)
      }
    }
    startNext()
  }

  private func leave(_ key: Key, _ number: Int) {
    let waiter: Waiter? = state.withLock { state in
      guard let waiter = state.jobs[key]?.waiters.removeValue(forKey: number) else { return nil }
      state.waiting -= 1
      if let job = state.jobs[key], job.waiters.isEmpty, !job.isRunning, !job.isAhead {
        state.jobs[key] = nil
      }
      return waiter
    }
    waiter?.resume(throwing: CancellationError())
  }

  private func startNext() {
    while let (key, work) = next() {
      threads.submit {
        let result = Result { try work() }
        let waiters = self.state.withLock { state in
          let waiters = state.jobs.removeValue(forKey: key)?.waiters.values.map { $0 } ?? []
          state.waiting -= waiters.count
          state.free += 1
          return waiters
        }
        for waiter in waiters { waiter.resume(with: result) }
        self.startNext()
      }
    }
  }

  private func next() -> (Key, Work)? {
    state.withLock { state in
      guard state.free > 0 else { return nil }
      while let key = state.wanted.popLast() ?? state.ahead.popLast() {
        guard var job = state.jobs[key], !job.isRunning else { continue }
        job.isRunning = true
        state.jobs[key] = job
        state.free -= 1
        return (key, job.work)
      }
      return nil
    }
  }
}
