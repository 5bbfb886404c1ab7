import CropImaging
import Dispatch
import PhotoLibrary
import Synchronization

/// Limits how many images are processed at the same time: further requests wait in a queue, and are
/// rejected when that is full.
final class CropScheduler: Sendable {
  private struct Waiting {
    let number: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var free: Int
    var waiting: [Waiting] = []
    var lastNumber = 0
  }

  private let state: Mutex<State>
  private let places: Int
  private let queueLength: Int
  private let threads: BlockingThreads

  /// A scheduler that processes `places` images at the same time, with a queue of `queueLength`.
  init(places: Int, queueLength: Int) {
    self.places = max(1, places)
    state = Mutex(State(free: max(1, places)))
    threads = BlockingThreads(label: "cropkit.crops", count: places)
    self.queueLength = queueLength
  }

  /// How many images are being processed, and how many wait.
  var counts: (active: Int, waiting: Int) {
    state.withLock { (places - $0.free, $0.waiting.count) }
  }

  /// Runs blocking work when its turn comes, for the task's `CropPrincipal`; `stop` cancels a crop
  /// in it.
  ///
  /// - Throws: `Problem.busy` if the queue is full or the turn does not come in time;
  ///   `CancellationError` if `stop` is cancelled before; otherwise what `work` throws.
  func perform<Result: Sendable>(
    until stop: CropStop? = nil, _ work: @escaping @Sendable () throws(CropError) -> Result
  ) async throws -> Result {
    guard await takePlace(until: stop) else {
      if stop?.isCancelled == true { throw CancellationError() }
      throw Problem.busy
    }
    defer { leavePlace() }
    let principal = CropPrincipal.current
    return try await withCheckedContinuation { continuation in
      threads.submit {
        let result = CropPrincipal.$current.withValue(principal) {
          CropStop.$current.withValue(stop) {
            Swift.Result { () throws(CropError) in
              try CropStop.check()
              return try work()
            }
          }
        }
        continuation.resume(returning: result)
      }
    }.get()
  }

  /// Runs a set of crops with a common time limit when its turn comes.
  ///
  /// - Parameters:
  ///   - seconds: the maximum duration, without waiting.
  ///   - name: the image's.
  /// - Throws: `CropError.timedOut`; otherwise as ``perform(until:_:)``.
  func performSet<Result: Sendable>(
    until stop: CropStop, seconds: Int, name: String,
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await perform(until: stop) { () throws(CropError) in
      let limit = CropStop()
      stop.onCancel { limit.cancel() }
      let end = DispatchWorkItem { limit.cancel() }
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: end)
      defer { end.cancel() }
      let result = CropStop.$current.withValue(limit) { Swift.Result { try work() } }
      if case .failure = result, limit.isCancelled, !stop.isCancelled {
        throw .timedOut(file: name, seconds: seconds)
      }
      return result
    }.get()
  }

  private enum Turn {
    case now, never
    case later(number: Int)
  }

  private func takePlace(until stop: CropStop?) async -> Bool {
    await withCheckedContinuation { continuation in
      let turn: Turn = state.withLock { state in
        if state.free > 0 {
          state.free -= 1
          return .now
        }
        guard state.waiting.count < queueLength else { return .never }
        state.lastNumber += 1
        state.waiting.append(Waiting(number: state.lastNumber, continuation: continuation))
        return .later(number: state.lastNumber)
      }
      switch turn {
      case .now: continuation.resume(returning: true)
      case .never: continuation.resume(returning: false)
      case .later(let number):
        stop?.onCancel { [weak self] in self?.giveUp(number) }
        Task { [weak self] in
          try? await Task.sleep(for: ServerTimes.turn)
          self?.giveUp(number)
        }
      }
    }
  }

  private func leavePlace() {
    let next: Waiting? = state.withLock { state in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.continuation.resume(returning: true)
  }

  private func giveUp(_ number: Int) {
    let late: Waiting? = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiting.remove(at: index)
    }
    late?.continuation.resume(returning: false)
  }
}
