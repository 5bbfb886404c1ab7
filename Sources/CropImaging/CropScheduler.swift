import CropSystem
import Glibc
import Synchronization

/// Limits how many images are processed at the same time, in threads outside the pool that Swift's
/// tasks share: a crop blocks its thread.
///
/// Further requests wait in a queue. One is rejected with `CropError.busy(retryAfter:)` if the
/// queue is full, or if its turn would not come within ``longestWait``, estimated from recent work.
public final class CropScheduler: Sendable {
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
  public static let leastCost = 128 << 10
  /// The cost of reading a header.
  public static let headerCost = 16 << 10
  /// How many images may wait unless something else is set.
  public static let usualQueue = 64
  /// The longest time that an image waits for its turn.
  public static let longestWait = Duration.seconds(20)

  private let state: Mutex<State>
  private let places: Int
  private let queueLength: Int
  private let threads: BlockingThreads
  private let now: @Sendable () -> ContinuousClock.Instant

  /// A scheduler that processes `places` images at the same time, at least 1 and as many as there
  /// are cores if it is nil, with a queue of at most `queueLength`. Threads are only created when
  /// they have work.
  public init(
    places: Int? = nil, queueLength: Int = CropScheduler.usualQueue,
    label: String = "cropkit.crops",
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    let places = max(1, places ?? sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    self.places = places
    state = Mutex(State(free: places))
    threads = BlockingThreads(label: label, count: places)
    self.queueLength = queueLength
    self.now = now
  }

  /// How many images are being processed, and how many wait.
  public var counts: (active: Int, waiting: Int) {
    state.withLock { (places - $0.free, $0.waiting.count) }
  }

  /// Runs blocking work when its turn comes, for the task's `CropPrincipal`.
  ///
  /// The work is cancelled with the task, with the task's `CropStop` and with `stop`: if it waits, it
  /// leaves the queue. If it runs, a worker process that handles its image ends; work in this
  /// process stops at its next step.
  ///
  /// - Parameters:
  ///   - cost: its estimated cost, in bytes of the image's file.
  ///   - stop: cancels the work, besides the task and its `CropStop`.
  ///   - work: what to run; it may block.
  /// - Throws: `CropError.busy(retryAfter:)` if the queue is full or the turn does not come in
  ///   time; `CropError.cancelled` if the work was cancelled and did not succeed; otherwise what
  ///   `work` throws.
  public func perform<Value: Sendable>(
    cost: Int = CropScheduler.leastCost, until stop: CropStop? = nil,
    _ work: @escaping @Sendable () throws(CropError) -> Value
  ) async throws(CropError) -> Value {
    let own = CropStop()
    let outer = [stop, CropStop.current].compactMap(\.self)
    let handlers = outer.map { ($0, $0.onCancel { own.cancel() }) }
    defer { for (stop, handler) in handlers { stop.remove(handler) } }
    let outcome = await withTaskCancellationHandler {
      await result(cost, until: own, work)
    } onCancel: {
      own.cancel()
    }
    return try outcome.get()
  }

  private func result<Value: Sendable>(
    _ cost: Int, until stop: CropStop, _ work: @escaping @Sendable () throws(CropError) -> Value
  ) async -> Result<Value, CropError> {
    if case .refused(let seconds) = await takePlace(cost, until: stop) {
      return .failure(stop.isCancelled ? .cancelled : .busy(retryAfter: seconds))
    }
    let start = now()
    let principal = CropPrincipal.current
    let result: Result<Value, CropError> = await withCheckedContinuation { continuation in
      threads.submit {
        let result = CropPrincipal.$current.withValue(principal) {
          CropStop.$current.withValue(stop) {
            Result { () throws(CropError) in
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
    return stop.isCancelled && !isSuccess ? .failure(.cancelled) : result
  }

  private enum Turn {
    case now
    case never(retryAfter: Int)
    case later(number: Int)
  }

  private func takePlace(_ cost: Int, until stop: CropStop) async -> Admission {
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
        stop.onCancel { [weak self] in self?.giveUp(number) }
        Task { [weak self] in
          try? await Task.sleep(for: Self.longestWait)
          self?.giveUp(number)
        }
      }
    }
  }

  private static let turn = longestWait / .seconds(1)

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
  /// The estimated cost of work on the image, for a ``CropScheduler``. Images of few bytes are not
  /// free.
  public var cost: Int { CropScheduler.leastCost + byteCount }
}
