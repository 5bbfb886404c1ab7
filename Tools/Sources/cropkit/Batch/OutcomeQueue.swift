/// Outcomes on their way out: in the order of the lines, or as they come.
struct OutcomeQueue {
  private let isOrdered: Bool
  /// By the place at which they are told.
  private var waiting: [Int: BatchOutcome] = [:]
  private var arrived = 0
  /// How many were taken out.
  private(set) var told = 0
  /// How many bytes of results wait.
  private(set) var byteCount = 0

  init(isOrdered: Bool) { self.isOrdered = isOrdered }

  /// How many wait.
  var count: Int { waiting.count }

  /// Adds the outcome of the line at `place`.
  mutating func add(_ outcome: BatchOutcome, at place: Int) {
    waiting[isOrdered ? place : arrived] = outcome
    arrived += 1
    byteCount += outcome.byteCount
  }

  /// Takes out the one that is to be told now; nil if it is not there yet.
  mutating func next() -> BatchOutcome? {
    guard let outcome = waiting.removeValue(forKey: told) else { return nil }
    told += 1
    byteCount -= outcome.byteCount
    return outcome
  }

  /// Takes out all that are left, behind whatever gaps.
  mutating func rest() -> [BatchOutcome] {
    defer { waiting = [:] }
    return waiting.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Whether all others wait for the line at `place`.
  func waits(for place: Int) -> Bool { isOrdered && place == told }
}

extension BatchOutcome {
  /// How many bytes of a result it holds.
  fileprivate var byteCount: Int { done?.content?.byteCount ?? 0 }
}
