import CropImaging
import Glibc

/// Crops to be carried out, which are read one after the other.
protocol BatchOrders {
  /// Calls `body` for each order until it returns false.
  ///
  /// - Throws: `CropError` if there is no reading on, and what `body` throws.
  func forEachOrder(_ body: (BatchOrder) throws(CropError) -> Bool) throws(CropError)
}

/// What is said about outcomes, in the order of the orders.
protocol BatchReport {
  /// Whether the terminal will show anything of it.
  func speaks(of outcome: BatchOutcome) -> Bool
  /// What a person is told on standard error.
  func complain(of outcome: BatchOutcome)
  /// What a program is told on standard output.
  ///
  /// - Throws: `CropError.writeFailed` or `.diskFull`.
  func print(_ outcome: BatchOutcome) throws(CropError)
}

/// A batch at work: one thread reads lines, others crop and save, and outcomes are printed in the order
/// of the lines.
///
///     lines ──► groups of one picture ──► threads ──► outcomes, put in order ──► standard output
///
/// As many groups are worked on as there are jobs, each by one thread at a time, so that its crops share
/// what was read of the picture. While that thread saves, which is waiting for the disk, another goes on
/// with the group. Only a window of lines is in memory at any time.
final class BatchRun: @unchecked Sendable {
  private let cropper: BatchCropper
  private let total: Int
  private let stop: BatchStop
  private let report: any BatchReport

  // All below is touched under this lock only.
  private let lock = Condition()
  private var queue: [BatchGroup] = []
  private var inWork: [BatchGroup] = []
  private var isComplete = false
  /// The lines that were handed out, and those whose outcome was printed.
  private var handedOut = 0
  private var told = 0
  /// Outcomes that wait for earlier ones, by their place.
  private var waiting: [Int: BatchOutcome] = [:]
  private var tally = BatchTally()
  private var progress: BatchProgress
  private var failure: CropError?

  /// The most lines of a group: one that shares more saves little more, and others would wait.
  private static let mostOrders = 16
  /// The most lines that have begun and whose outcome is not printed yet, for each job.
  private static let window = 128

  init(
    _ cropper: BatchCropper, total: Int, stop: BatchStop, report: any BatchReport,
    isQuiet: Bool = false
  ) {
    self.cropper = cropper
    self.total = total
    self.report = report
    self.stop = stop
    progress = BatchProgress(total: total, isQuiet: isQuiet)
  }

  /// Carries out all orders and reports what became of them.
  ///
  /// - Throws: `CropError` if their list or standard output breaks off.
  func run(_ orders: some BatchOrders, _ places: BatchPlaces) throws(CropError) -> BatchTally {
    var threads: [WorkThread] = []
    // While some wait for the disk others crop.
    for _ in 0..<min(4 * cropper.jobs, max(1, total)) {
      guard let thread = WorkThread({ self.work() }) else {
        // With fewer there would be none left for the processes that decode.
        let missing = CropError.resourceUnavailable(errno, "a thread for --jobs \(cropper.jobs)")
        lock.withLock { self.failure = missing }
        break
      }
      threads.append(thread)
    }
    let read = Result { () throws(CropError) in try handOut(orders, places) }
    lock.withLock {
      isComplete = true
      lock.broadcast()
    }
    for thread in threads { thread.join() }
    let (tally, failure) = lock.withLock {
      // What follows a gap that a stop left.
      for (_, outcome) in waiting.sorted(by: { $0.key < $1.key }) { tell(outcome) }
      waiting = [:]
      progress.clear()
      return (self.tally, self.failure)
    }
    if let failure { throw failure }
    try read.get()
    return tally
  }
}

// Reading.
extension BatchRun {
  private func handOut(_ orders: some BatchOrders, _ places: BatchPlaces) throws(CropError) {
    var places = places
    var group = BatchGroup(start: 0, input: nil)
    try orders.forEachOrder { order throws(CropError) in
      var order = order
      var input: BatchGroup.Input?
      if case .success(let task) = order.task {
        do throws(CropError) {
          try task.folder?.makeFolder()
          try places.claim(task)
          input = BatchGroup.Input(task)
        } catch {
          order.task = .failure(error)
        }
      }
      let isFull = group.orders.count >= Self.mostOrders
      if isFull || input == nil || input != group.input {
        let next = BatchGroup(start: group.start + group.orders.count, input: input)
        guard enqueue(group) else { return false }
        group = next
      }
      group.add(order)
      return true
    }
    _ = enqueue(group)
  }

  /// Hands a group to the threads once there is room; false if all is to stop.
  private func enqueue(_ group: BatchGroup) -> Bool {
    lock.withLock {
      if group.orders.isEmpty { return !isStopping }
      while handedOut - told >= Self.window * cropper.jobs, !isStopping { lock.wait() }
      if isStopping { return false }
      queue.append(group)
      handedOut += group.orders.count
      lock.broadcast()
      return true
    }
  }

  private var isStopping: Bool { failure != nil || stop.signal != nil }
}

// Working.
extension BatchRun {
  private func work() {
    while let (group, place, order) = nextOrder() {
      let cropped = Result { () throws(CropError) in
        let task = try order.task.get()
        return try cropper.crop(task, from: group.shared(task, by: cropper))
      }
      release(group)
      let result = Result { () throws(CropError) in
        switch try cropped.get() {
        case .done(let done): return done
        case .cropped(let cropped): return try cropper.save(cropped)
        }
      }
      finish(place, BatchOutcome(order, result))
    }
  }

  /// Takes a group that no thread works on, with its next order; nil once there is none, or when all must stop.
  private func nextOrder() -> (group: BatchGroup, place: Int, order: BatchOrder)? {
    lock.withLock {
      while !isStopping {
        if let group = inWork.first(where: { !$0.isTaken }) ?? nextGroup(),
          let (place, order) = group.takeFirst()
        {
          return (group, place, order)
        }
        if isComplete, queue.isEmpty, inWork.isEmpty { return nil }
        lock.wait()
      }
      return nil
    }
  }

  /// Begins with one more group, which may be half of one that would keep others waiting.
  private func nextGroup() -> BatchGroup? {
    guard inWork.count < cropper.jobs else { return nil }
    if queue.isEmpty {
      let longest = inWork.max { $0.orders.count < $1.orders.count }
      guard let half = longest?.split() else { return nil }
      inWork.append(half)
    } else {
      inWork.append(queue.removeFirst())
    }
    return inWork.last
  }

  private func release(_ group: BatchGroup) {
    lock.withLock {
      group.release()
      if group.orders.isEmpty { inWork.removeAll { $0 === group } }
      lock.broadcast()
    }
  }
}

// Telling.
extension BatchRun {
  private func finish(_ place: Int, _ outcome: BatchOutcome) {
    lock.withLock {
      waiting[place] = outcome
      while let next = waiting.removeValue(forKey: told) {
        told += 1
        tell(next)
      }
      // What waits to be printed is done, too.
      var done = tally
      done.finished += waiting.count
      progress.show(done)
      lock.broadcast()
    }
  }

  private func tell(_ outcome: BatchOutcome) {
    tally.finished += 1
    switch outcome.result {
    case .success(let done): if done.isSkipped { tally.skipped += 1 }
    case .failure: tally.failed += 1
    }
    // What is said may go where the bar is.
    if report.speaks(of: outcome) { progress.clear() }
    report.complain(of: outcome)
    guard failure == nil else { return }
    do throws(CropError) {
      try report.print(outcome)
    } catch {
      failure = error
    }
  }
}
