import CropImaging
import Foundation
import Glibc

/// A batch at work: one thread reads lines, others crop and save, and outcomes are told in the order
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
  /// Whether outcomes go where the bar may be.
  private let isOnTerminal = isatty(STDOUT_FILENO) != 0

  // All below is touched under this lock only.
  private let lock = NSCondition()
  private var queue: [BatchGroup] = []
  private var inWork: [BatchGroup] = []
  private var isComplete = false
  /// The lines that were handed out, and those that were told.
  private var handedOut = 0
  private var told = 0
  /// Outcomes that wait for earlier ones, by their place.
  private var waiting: [Int: BatchOutcome] = [:]
  private var tally = BatchTally()
  private var progress: BatchProgress
  private var failure: CropError?

  /// The most lines of a group: one that shares more saves little more, and others would wait.
  private static let mostOrders = 16
  /// The most lines that have begun and are not told yet, for each job.
  private static let window = 128

  init(_ cropper: BatchCropper, total: Int, stop: BatchStop, progress: BatchProgress) {
    self.cropper = cropper
    self.total = total
    self.stop = stop
    self.progress = progress
  }

  /// Carries out all lines and tells what became of them.
  ///
  /// - Throws: `CropError` if the manifest or standard output breaks off.
  func run(_ manifest: BatchManifest, _ places: BatchPlaces) throws(CropError) -> BatchTally {
    let threads = DispatchGroup()
    // While some wait for the disk others crop.
    for _ in 0..<min(4 * cropper.jobs, max(1, total)) {
      threads.enter()
      Thread.detachNewThread {
        self.work()
        threads.leave()
      }
    }
    let read = Result { () throws(CropError) in try handOut(manifest, places) }
    lock.withLock {
      isComplete = true
      lock.broadcast()
    }
    threads.wait()
    let (tally, failure) = lock.withLock {
      // What a stop has left a gap before.
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
  private func handOut(_ manifest: BatchManifest, _ places: BatchPlaces) throws(CropError) {
    var places = places
    var group = BatchGroup(start: 0, input: nil)
    try manifest.forEachLine { line throws(CropError) in
      var order = BatchOrder(line, folder: manifest.folder)
      var input: FileArgument?
      if case .success(let task) = order.task {
        do throws(CropError) {
          try places.claim(task.output)
          input = task.input
        } catch {
          order.task = .failure(error)
        }
      }
      let isFull = group.orders.count >= Self.mostOrders
      if isFull || input == nil || input?.path != group.input?.path {
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
    lock.lock()
    defer { lock.unlock() }
    if group.orders.isEmpty { return !isStopping }
    while handedOut - told >= Self.window * cropper.jobs, !isStopping {
      // A signal wakes nobody.
      _ = lock.wait(until: Date(timeIntervalSinceNow: 0.2))
    }
    if isStopping { return false }
    queue.append(group)
    handedOut += group.orders.count
    lock.broadcast()
    return true
  }

  private var isStopping: Bool { failure != nil || stop.signal != nil }
}

// Working.
extension BatchRun {
  private func work() {
    while let (group, place, order) = nextOrder() {
      let cropped = Result { () throws(CropError) in
        let task = try order.task.get()
        return try cropper.crop(task, from: group.shared(task.input, by: cropper))
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

  /// Takes a group that nobody has, with its next order; nil once there is none, or all is to stop.
  private func nextOrder() -> (group: BatchGroup, place: Int, order: BatchOrder)? {
    lock.lock()
    defer { lock.unlock() }
    while !isStopping {
      if let group = inWork.first(where: { !$0.isTaken }) ?? nextGroup(),
        let (place, order) = group.takeFirst()
      {
        return (group, place, order)
      }
      if isComplete, queue.isEmpty, inWork.isEmpty { return nil }
      // A signal wakes nobody.
      _ = lock.wait(until: Date(timeIntervalSinceNow: 0.2))
    }
    return nil
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
      // What waits to be told is done, too.
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
    case .failure(let error):
      tally.failed += 1
      progress.clear()
      Terminal.complain("line \(outcome.line): \(error.batchMessage)")
    }
    guard failure == nil else { return }
    if isOnTerminal { progress.clear() }
    do throws(CropError) {
      try Terminal.print(json: outcome)
    } catch {
      failure = error
    }
  }
}
