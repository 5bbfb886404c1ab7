import CropImaging
import Glibc

/// Reports outcomes, one at a time.
protocol BatchReport {
  /// Whether it prints anything about the outcome on the terminal.
  func prints(about outcome: BatchOutcome) -> Bool
  /// Prints messages on standard error.
  func warn(about outcome: BatchOutcome)
  /// Prints the machine-readable outcome on standard output.
  ///
  /// - Throws: `CropError.writeFailed` or `.diskFull`.
  func print(_ outcome: BatchOutcome) throws(CropError)
}

/// A running batch: one thread reads lines, others crop and save, and outcomes are printed in the
/// order of the lines, or as they finish.
///
///     lines ──► groups of one image ──► threads ──► outcomes, sorted ──► standard output
///
/// There are as many groups in progress as jobs. Only one thread at a time works on a group, so
/// that its crops share what was read of the image. While that thread waits for the disk to save,
/// another continues with the group. Only a window of lines, and of the bytes that arrive or leave
/// with them, is in memory at any time: a slow reader applies backpressure.
final class BatchRun: @unchecked Sendable {
  private let cropper: BatchCropper
  private let total: Int?
  private let stop: BatchStop
  private let report: any BatchReport

  // The lock protects all of the following.
  private let lock = Monitor()
  private var queue: [BatchGroup] = []
  private var inWork: [BatchGroup] = []
  private var isComplete = false
  private var handedOut = 0
  private var outcomes: OutcomeQueue
  private var isTelling = false
  /// The outputs that lines are about to write.
  private var claims: Set<UInt64> = []
  /// The number of bytes of inputs in memory.
  private var inputBytes = 0
  private var tally = BatchTally()
  private var progress: BatchProgress
  private var failure: CropError?

  /// The maximum number per job of started lines without a printed outcome.
  private static let window = 128
  /// The maximum number of bytes per job of waiting inputs, and of results; a single one may be
  /// larger.
  private static let byteWindow = 32 << 20

  /// `total` is the number of crops, nil if unknown.
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
    stop.onSignal { [lock] in lock.withLock { lock.broadcast() } }
  }

  /// Makes all crops and reports their outcomes.
  ///
  /// - Throws: `CropError` if reading the list or writing to standard output fails.
  func run(_ requests: some BatchRequests, _ claims: some OutputConflictChecker) throws(CropError)
    -> BatchTally
  {
    var threads: [WorkThread] = []
    // While some threads wait for the disk, others crop.
    for _ in 0..<min(4 * cropper.jobs, max(1, total ?? .max)) {
      guard let thread = WorkThread({ self.work() }) else {
        // With fewer threads, none would be left for the processes that decode.
        fail(.resourceUnavailable(errno, "a thread for --jobs \(cropper.jobs)"))
        break
      }
      threads.append(thread)
    }
    let read = Result { () throws(CropError) in
      let input = BatchInput(of: self, claims)
      defer { input.flush() }
      try requests.hand(to: input)
    }
    lock.withLock {
      isComplete = true
      lock.broadcast()
    }
    for thread in threads { thread.join() }
    // The outcomes after a gap that a stop left.
    for outcome in lock.withLock({ outcomes.rest() }) { tell(outcome) }
    let (tally, failure) = lock.withLock {
      progress.clear()
      return (self.tally, self.failure)
    }
    if let failure { throw failure }
    try read.get()
    return tally
  }

  /// Stops the batch with an error; only the first one counts.
  private func fail(_ error: CropError) {
    lock.withLock {
      failure = failure ?? error
      lock.broadcast()
    }
  }

  private var isStopping: Bool { failure != nil || stop.signal != nil }
}

// Adding requests, for the thread that reads.
extension BatchRun {
  /// Passes a group to the threads when there is room; false if the batch must stop.
  func enqueue(_ group: BatchGroup) -> Bool {
    lock.withLock {
      if group.requests.isEmpty { return !isStopping }
      while handedOut - outcomes.takenCount >= Self.window * cropper.jobs, !isStopping {
        lock.wait()
      }
      if isStopping { return false }
      handedOut += group.requests.count
      // If lines arrive one by one, waiting lines are merged into one group.
      if let last = queue.last, last.joins(group, most: BatchInput.mostRequests) {
        group.requests.forEach(last.add)
      } else {
        queue.append(group)
      }
      lock.broadcast()
      return true
    }
  }

  /// Reserves an output for one line. If another line has reserved it, this waits if `waits`.
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

  /// Waits until this number of bytes of an input can be held in memory; false if the batch must
  /// stop.
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

  /// Whether to wait for more lines: the batch was not cancelled, and its output can still be
  /// written.
  var isOpen: Bool {
    if Terminal.isUnread { fail(.writeFailed(path: "standard output", detail: "nothing reads it")) }
    return lock.withLock { !isStopping }
  }
}

// Processing, for the threads that crop.
extension BatchRun {
  private func work() {
    while let (group, place, request) = nextRequest() {
      let start = ContinuousClock.now
      let cropped = Result { () throws(CropError) in
        let task = try request.task.get()
        return try cropper.crop(task, from: group.shared(task, by: cropper))
      }
      release(group)
      let result = Result { () throws(CropError) in
        switch try cropped.get() {
        case .done(let done): return done
        case .cropped(let cropped): return try cropper.save(cropped)
        }
      }
      var outcome = BatchOutcome(request, result)
      outcome.took(ContinuousClock.now - start)
      finish(request, place, outcome)
    }
  }

  /// Takes a free group with its next request; nil if there is none, or if the batch must stop.
  private func nextRequest() -> (group: BatchGroup, place: Int, request: BatchRequest)? {
    lock.withLock {
      while !isStopping {
        if let group = inWork.first(where: { !$0.isTaken && mayBegin($0) }) ?? nextGroup(),
          let (place, request) = group.takeFirst()
        {
          return (group, place, request)
        }
        if isComplete, queue.isEmpty, inWork.isEmpty { return nil }
        lock.wait()
      }
      return nil
    }
  }

  /// Whether there is room for the result of a group's next line, or all other outcomes wait for
  /// it.
  private func mayBegin(_ group: BatchGroup) -> Bool {
    outcomes.byteCount < Self.byteWindow * cropper.jobs || outcomes.waits(for: group.start)
  }

  /// Starts another group, which may be half of one that would keep threads waiting.
  private func nextGroup() -> BatchGroup? {
    guard inWork.count < cropper.jobs else { return nil }
    if let next = queue.first {
      guard mayBegin(next) else { return nil }
      inWork.append(queue.removeFirst())
    } else {
      let longest = inWork.max { $0.requests.count < $1.requests.count }
      guard let half = longest?.split() else { return nil }
      inWork.append(half)
    }
    return inWork.last
  }

  private func release(_ group: BatchGroup) {
    lock.withLock {
      group.release()
      if group.requests.isEmpty { inWork.removeAll { $0 === group } }
      lock.broadcast()
    }
  }
}

// Reporting.
extension BatchRun {
  private func finish(_ request: BatchRequest, _ place: Int, _ outcome: BatchOutcome) {
    lock.withLock {
      if let claim = request.claim { claims.remove(claim) }
      inputBytes -= request.heldBytes
      outcomes.add(outcome, at: place)
      lock.broadcast()
    }
    tellFinished()
    lock.withLock {
      guard !isTelling else { return }
      // Outcomes that wait to be printed count as finished.
      var done = tally
      done.finished += outcomes.count
      progress.show(done)
    }
  }

  /// Prints all outcomes that are due, unless another thread is doing so. A slow reader only blocks
  /// that thread, until the window is full.
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
      // Clears the progress bar before a message.
      if report.prints(about: outcome) { progress.clear() }
      return failure == nil
    }
    report.warn(about: outcome)
    guard isHeard else { return }
    do throws(CropError) {
      try report.print(outcome)
    } catch {
      fail(error)
    }
  }
}
