import CropImaging

/// Crops to be carried out, which are read one after the other.
protocol BatchOrders {
  /// Hands over each order until there is none, or no more are taken.
  ///
  /// - Throws: `CropError` if there is no reading on, and what the intake throws.
  func hand(to intake: BatchIntake) throws(CropError)
}

/// Where the orders of a batch come in, on one thread: it groups those about one picture.
final class BatchIntake {
  private let run: BatchRun
  private var claims: any BatchClaims
  private var group = BatchGroup(start: 0, input: nil)

  /// The most lines of a group: one that shares more saves little more, and others would wait.
  static let mostOrders = 16

  init(of run: BatchRun, _ claims: any BatchClaims) {
    self.run = run
    self.claims = claims
  }

  /// Takes an order; false if no more are taken.
  func add(_ order: BatchOrder) throws(CropError) -> Bool {
    var order = order
    var input: BatchGroup.Input?
    if case .success(let task) = order.task {
      do throws(CropError) {
        try task.folder?.makeFolder()
        order.claim = try claims.claim(task)
        // Bytes belong to one line alone.
        input = task.bytes == nil ? BatchGroup.Input(task) : nil
      } catch {
        order.task = .failure(error)
      }
    }
    if let claim = order.claim, !run.reserve(claim, waits: false) {
      // An earlier line is about to write there; this one finds what is there then.
      guard flush(), run.reserve(claim, waits: true) else { return false }
    }
    let isFull = group.orders.count >= Self.mostOrders
    if isFull || input == nil || input != group.input {
      guard flush(input) else { return false }
    }
    group.add(order)
    return true
  }

  /// To be called while nothing more comes: what has come is worked on. False if no more are taken.
  func pause() -> Bool { flush(group.input) && run.isOpen }

  /// Waits until so many bytes can be held in memory; false if no more are taken.
  func makeRoom(for bytes: Int) -> Bool { flush() && run.makeRoom(for: bytes) }

  /// Hands the group to the threads and begins another.
  @discardableResult
  func flush(_ input: BatchGroup.Input? = nil) -> Bool {
    let full = group
    group = BatchGroup(start: full.start + full.orders.count, input: input)
    return run.enqueue(full)
  }
}
