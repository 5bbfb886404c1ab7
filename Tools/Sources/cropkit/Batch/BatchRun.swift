import CropImaging
import Glibc

/// What is said about outcomes, of one at a time.
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

/// A batch at work: one thread reads lines, others crop and save, and outcomes are told in the order
/// of the lines, or as they come.
///
///     lines ──► groups of one picture ──► threads ──► outcomes, put in order ──► standard output
///
/// As many groups are worked on as there are jobs, each by one thread at a time, so that its crops share
/// what was read of the picture. While that thread saves, which is waiting for the disk, another goes on
/// with the group. Only a window of lines, and of bytes that come with them or go out, is in memory at
/// any time: whoever reads outcomes slowly slows the reading of lines.
final class BatchRun: @unchecked Sendable {
  private let cropper: BatchCropper
  private let total: Int?
  private let stop: BatchStop
  private let report: any BatchReport

  // All below is touched under this lock only.
  private let lock = Condition()
  private var queue: [BatchGroup] = []
  private var inWork: [BatchGroup] = []
  private var isComplete = false
  private var handedOut = 0
  private var outcomes: OutcomeQueue
  private var isTelling = false
  /// The places that lines are about to write to.
  private var claims: Set<UInt64> = []
  /// How many bytes of inputs are in memory.
  private var inputBytes = 0
  private var tally = BatchTally()
  private var progress: BatchProgress
  private var failure: CropError?

  /// The most lines that have begun and whose outcome is not told yet, for each job.
  private static let window = 128
  /// The most bytes of inputs that wait in memory, and of results, for each job; a single one may be more.
  private static let byteWindow = 32 << 20

  /// `total` is the number of crops, nil if nobody knows it yet.
  init(
    _ cropper: BatchCropper, total: Int?, stop: BatchStop, report: any BatchReport,
    isOrdered: Bool = true, isQuiet: Bool = false
  ) {
    self.cropper = cropper
    self.total = total
    self.report = report
    self.stop = stop
    outcomes = OutcomeQueue(isOrdered: isOrdered)
    progress = BatchProgress(total: total ?? 0, isQuiet: isQuiet)
  }

  /// Carries out all orders and reports what became of them.
  ///
  /// - Throws: `CropError` if their list or standard output breaks off.
  func run(_ orders: some BatchOrders, _ claims: some BatchClaims) throws(CropError) -> BatchTally {
    var threads: [WorkThread] = []
    // While some wait for the disk others crop.
    for _ in 0..<min(4 * cropper.jobs, max(1, total ?? .max)) {
      guard let thread = WorkThread({ self.work() }) else {
        // With fewer there would be none left for the processes that decode.
        fail(.resourceUnavailable(errno, "a thread for --jobs \(cropper.jobs)"))
        break
      }
      threads.append(thread)
    }
    let read = Result { () throws(CropError) in
      let intake = BatchIntake(of: self, claims)
      defer { intake.flush() }
      try orders.hand(to: intake)
    }
    lock.withLock {
      isComplete = true
      lock.broadcast()
    }
    for thread in threads { thread.join() }
    // What follows a gap that a stop left.
    for outcome in lock.withLock({ outcomes.rest() }) { tell(outcome) }
    let (tally, failure) = lock.withLock {
      progress.clear()
      return (self.tally, self.failure)
    }
    if let failure { throw failure }
    try read.get()
    return tally
  }

  /// Ends the batch for a reason; the first one counts.
  private func fail(_ error: CropError) {
    lock.withLock {
      failure = failure ?? error
      lock.broadcast()
    }
  }

  private var isStopping: Bool { failure != nil || stop.signal != nil }
}

// Taking in, for the thread that reads.
extension BatchRun {
  /// Hands a group to the threads once there is room; false if all is to stop.
  func enqueue(_ group: BatchGroup) -> Bool {
    lock.withLock {
      if group.orders.isEmpty { return !isStopping }
      while handedOut - outcomes.told >= Self.window * cropper.jobs, !isStopping { lock.wait() }
      if isStopping { return false }
      handedOut += group.orders.count
      // Of lines that come singly those that wait are worked on together.
      if let last = queue.last, last.joins(group, most: BatchIntake.mostOrders) {
        group.orders.forEach(last.add)
      } else {
        queue.append(group)
      }
      lock.broadcast()
      return true
    }
  }

  /// Reserves a place for one line that writes there. While another has it, that is waited for if `waits`.
  ///
  /// - Returns: whether it is reserved.
  func reserve(_ claim: UInt64, waits: Bool) -> Bool {
    lock.withLock {
      while !claims.insert(claim).inserted {
        guard waits, !isStopping else { return false }
        lock.wait()
      }
      return true
    }
  }

  /// Waits until so many bytes of an input can be held in memory; false if all is to stop.
  func makeRoom(for bytes: Int) -> Bool {
    lock.withLock {
      while !isStopping {
        let held = inputBytes + outcomes.byteCount
        if held == 0 || held + bytes <= Self.byteWindow * cropper.jobs {
          inputBytes += bytes
          return true
        }
        lock.wait()
      }
      return false
    }
  }

  /// Whether there is any use in waiting for more lines: nobody has asked for the end, and somebody may read
  /// their outcomes.
  var isOpen: Bool {
    if Terminal.isUnread { fail(.writeFailed(path: "standard output", detail: "nobody reads it")) }
    return lock.withLock { !isStopping }
  }
}

// Working.
extension BatchRun {
  private func work() {
    while let (group, place, order) = nextOrder() {
      let start = ContinuousClock.now
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
      var outcome = BatchOutcome(order, result)
      outcome.took(ContinuousClock.now - start)
      finish(order, place, outcome)
    }
  }

  /// Takes a group that no thread works on, with its next order; nil once there is none, or when all must stop.
  private func nextOrder() -> (group: BatchGroup, place: Int, order: BatchOrder)? {
    lock.withLock {
      while !isStopping {
        if let group = inWork.first(where: { !$0.isTaken && mayBegin($0) }) ?? nextGroup(),
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

  /// Whether the result of a group's next line could be held in memory, or is the one that others wait for.
  private func mayBegin(_ group: BatchGroup) -> Bool {
    outcomes.byteCount < Self.byteWindow * cropper.jobs || outcomes.waits(for: group.start)
  }

  /// Begins with one more group, which may be half of one that would keep others waiting.
  private func nextGroup() -> BatchGroup? {
    guard inWork.count < cropper.jobs else { return nil }
    if let next = queue.first {
      guard mayBegin(next) else { return nil }
      inWork.append(queue.removeFirst())
    } else {
      let longest = inWork.max { $0.orders.count < $1.orders.count }
      guard let half = longest?.split() else { return nil }
      inWork.append(half)
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
  private func finish(_ order: BatchOrder, _ place: Int, _ outcome: BatchOutcome) {
    lock.withLock {
      if let claim = order.claim { claims.remove(claim) }
      inputBytes -= order.heldBytes
      outcomes.add(outcome, at: place)
      lock.broadcast()
    }
    tellFinished()
    lock.withLock {
      guard !isTelling else { return }
      // What waits to be told is done, too.
      var done = tally
      done.finished += outcomes.count
      progress.show(done)
    }
  }

  /// Tells all whose turn it is, unless another thread is at it. Nobody waits for whoever reads slowly but that
  /// thread, until the window is full.
  private func tellFinished() {
    let isOurs = lock.withLock {
      defer { isTelling = true }
      return !isTelling
    }
    while isOurs, let outcome = lock.withLock({ nextToTell() }) { tell(outcome) }
  }

  private func nextToTell() -> BatchOutcome? {
    let next = outcomes.next()
    if next == nil { isTelling = false }
    lock.broadcast()
    return next
  }

  private func tell(_ outcome: BatchOutcome) {
    let isHeard = lock.withLock {
      tally.count(outcome)
      // What is said may go where the bar is.
      if report.speaks(of: outcome) { progress.clear() }
      return failure == nil
    }
    report.complain(of: outcome)
    guard isHeard else { return }
    do throws(CropError) {
      try report.print(outcome)
    } catch {
      fail(error)
    }
  }
}
