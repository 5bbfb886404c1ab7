import CropImaging

/// A source of crops, read one after another.
protocol BatchRequests {
  /// Passes on all requests, unless the batch stops.
  ///
  /// - Throws: `CropError` if reading can't continue, and what the input throws.
  func hand(to input: BatchInput) throws(CropError)
}

/// Receives the requests of a batch, on one thread, and groups those about the same image.
final class BatchInput {
  private let run: BatchRun
  private var claims: any OutputConflictChecker
  private var group = BatchGroup(start: 0, input: nil)

  /// The maximum number of lines in a group. A longer group saves little more, and other threads
  /// would wait.
  static let mostRequests = 16

  init(of run: BatchRun, _ claims: any OutputConflictChecker) {
    self.run = run
    self.claims = claims
  }

  /// Adds a request; false if the batch has stopped.
  func add(_ request: BatchRequest) throws(CropError) -> Bool {
    var request = request
    var input: BatchGroup.Input?
    if case .success(let task) = request.task {
      do throws(CropError) {
        try task.folder?.makeFolder()
        request.claim = try claims.claim(task)
        // Bytes belong to only one line.
        input = task.bytes == nil ? BatchGroup.Input(task) : nil
      } catch {
        request.task = .failure(error)
      }
    }
    if let claim = request.claim, !run.reserve(claim, waits: false) {
      // An earlier line is about to write this file; wait until it has.
      guard flush(), run.reserve(claim, waits: true) else { return false }
    }
    let isFull = group.requests.count >= Self.mostRequests
    if isFull || input == nil || input != group.input {
      guard flush(input) else { return false }
    }
    group.add(request)
    return true
  }

  /// Call this while no data arrive, so that earlier requests are processed. False if the batch has
  /// stopped.
  func pause() -> Bool { flush(group.input) && run.isOpen }

  /// Waits until this number of bytes can be held in memory; false if the batch has stopped.
  func makeRoom(for bytes: Int) -> Bool { flush() && run.makeRoom(for: bytes) }

  /// Passes the group to the threads and starts a new one.
  @discardableResult
  func flush(_ input: BatchGroup.Input? = nil) -> Bool {
    let full = group
    group = BatchGroup(start: full.start + full.requests.count, input: input)
    return run.enqueue(full)
  }
}
