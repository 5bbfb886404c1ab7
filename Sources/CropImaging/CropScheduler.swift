import CropImaging
import Dispatch
import PhotoLibrary
import Synchronization

/// Limits how many images are processed at the same time. Further requests wait in a queue; one is
/// rejected if the queue is full, or if its turn would not come in time.
final class CropScheduler: Sendable {
  private enum Admission {
    case admitted
    /// Rejected; how many seconds later there should be room.
    case refused(retryAfter: Int)
  }

  private struct Waiting {
    let number: Int
    let cost: Int
    let continuation: CheckedContinuation<Admission, Never>
  }

  private struct State {
    var free: Int
    var waiting: [Waiting] = []
    var lastNumber = 0
    /// The estimated cost of all work that runs or waits.
    var load = 0
    var pace = WorkPace()
  }

  /// The cost of work on the smallest image.
  static let leastCost = 128 << 10
  /// The cost of reading a header.
  static let headerCost = 16 << 10

  private let state: Mutex<State>
  private let places: Int
  private let queueLength: Int
  private let threads: BlockingThreads
  private let now: @Sendable () -> ContinuousClock.Instant

  /// A scheduler that processes `places` images at the same time, with a queue of at most
  /// `queueLength`.
  init(
    places: Int, queueLength: Int, label: String = "cropkit.crops",
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.places = max(1, places)
    state = Mutex(State(free: max(1, places)))
    threads = BlockingThreads(label: label, count: places)
    self.queueLength = queueLength
    self.now = now
  }

  /// How many images are being processed, and how many wait.
  var counts: (active: Int, waiting: Int) {
    state.withLock { (places - $0.free, $0.waiting.count) }
  }

  /// Runs blocking work when its turn comes, for the task's `CropPrincipal`; `stop` cancels a crop
  /// in it.
  ///
  /// - Parameter cost: its estimated cost, in bytes of the image's file.
  /// - Throws: `Problem.busy` if the queue is full or the turn does not come in time;
  ///   `CancellationError` if `stop` is cancelled before; otherwise what `work` throws.
  func perform<Result: Sendable>(
    cost: Int, until stop: CropStop? = nil,
    _ work: @escaping @Sendable () throws(CropError) -> Result
  ) async throws -> Result {
    if case .refused(let seconds) = await takePlace(cost, until: stop) {
      if stop?.isCancelled == true { throw CancellationError() }
      throw Problem.busy(retryAfter: seconds)
    }
    let start = now()
    let principal = CropPrincipal.current
    let result = await withCheckedContinuation { continuation in
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
    }
    // Failures are not counted: most are much faster than success.
    let isSuccess = if case .success = result { true } else { false }
    leavePlace(cost, after: isSuccess ? (now() - start) / .seconds(1) : nil)
    return try result.get()
  }

  /// Runs a set of crops with a common time limit when its turn comes.
  ///
  /// - Parameters:
  ///   - seconds: the maximum duration, without waiting.
  ///   - name: the image's.
  /// - Throws: `CropError.timedOut`; otherwise as ``perform(cost:until:_:)``.
  func performSet<Result: Sendable>(
    cost: Int, until stop: CropStop, seconds: Int, name: String,
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await perform(cost: cost, until: stop) { () throws(CropError) in
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
    case now
    case never(retryAfter: Int)
    case later(number: Int)
  }

  private func takePlace(_ cost: Int, until stop: CropStop?) async -> Admission {
    await withCheckedContinuation { continuation in
      let turn: Turn = state.withLock { state in
        if state.free > 0 {
          state.free -= 1
          state.load += cost
          return .now
        }
        let delay = delay(state)
        guard state.waiting.count < queueLength, delay <= Self.turn else {
          return .never(retryAfter: retryAfter(delay))
        }
        state.load += cost
        state.lastNumber += 1
        state.waiting.append(
          Waiting(number: state.lastNumber, cost: cost, continuation: continuation))
        return .later(number: state.lastNumber)
      }
      switch turn {
      case .now: continuation.resume(returning: .admitted)
      case .never(let seconds): continuation.resume(returning: .refused(retryAfter: seconds))
      case .later(let number):
        stop?.onCancel { [weak self] in self?.giveUp(number) }
        Task { [weak self] in
          try? await Task.sleep(for: ServerTimes.turn)
          self?.giveUp(number)
        }
      }
    }
  }

  private static let turn = ServerTimes.turn / .seconds(1)

  /// The estimated number of seconds until the turn of a new request comes.
  private func delay(_ state: State) -> Double {
    state.pace.seconds(for: state.load) / Double(places)
  }

  /// When a rejected client should retry: after half of the queue's time.
  private func retryAfter(_ delay: Double) -> Int {
    Int(min(60, max(1, (delay - Self.turn / 2).rounded(.up))))
  }

  private func leavePlace(_ cost: Int, after seconds: Double?) {
    let next: Waiting? = state.withLock { state in
      state.load -= cost
      if let seconds { state.pace.note(seconds, for: cost) }
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.continuation.resume(returning: .admitted)
  }

  private func giveUp(_ number: Int) {
    let late: (Waiting, Int)? = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
      let late = state.waiting.remove(at: index)
      state.load -= late.cost
      return (late, retryAfter(delay(state)))
    }
    late?.0.continuation.resume(returning: .refused(retryAfter: late?.1 ?? 1))
  }
}

/// How long work takes in relation to its estimated cost, learned from recent work.
private struct WorkPace {
  private var seconds = 0.0
  private var cost = 0.0

  /// The weight of earlier work after each new one.
  private static let memory = 0.9

  mutating func note(_ seconds: Double, for cost: Int) {
    self.seconds = self.seconds * Self.memory + seconds
    self.cost = self.cost * Self.memory + Double(cost)
  }

  /// The estimated duration; 0 before anything is known.
  func seconds(for cost: Int) -> Double {
    self.cost > 0 ? Double(cost) * seconds / self.cost : 0
  }
}

extension ImageSource {
  /// The estimated cost of work on the image. Images of few bytes are not free.
  var cost: Int { CropScheduler.leastCost + byteCount }
}

extension Photo {
  /// The estimated cost of work on the photo.
  var cost: Int { CropScheduler.leastCost + Int(clamping: stamp.size) }
}
