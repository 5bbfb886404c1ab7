/// Outcomes to be printed, in the order of the lines or as they finish.
struct OutcomeQueue {
  private let isOrdered: Bool
  /// The waiting outcomes by position in the output.
  private var waiting: [Int: BatchOutcome] = [:]
  private var arrived = 0
  /// The number of outcomes that were removed.
  private(set) var takenCount = 0
  /// The number of bytes of waiting results.
  private(set) var byteCount = 0

  init(isOrdered: Bool) { self.isOrdered = isOrdered }

  var count: Int { waiting.count }

  mutating func add(_ outcome: BatchOutcome, at place: Int) {
    waiting[isOrdered ? place : arrived] = outcome
    arrived += 1
    byteCount += outcome.byteCount
  }

  /// Removes the outcome to report next; nil if it has not arrived.
  mutating func next() -> BatchOutcome? {
    guard let outcome = waiting.removeValue(forKey: takenCount) else { return nil }
    takenCount += 1
    byteCount -= outcome.byteCount
    return outcome
  }

  /// Removes all remaining outcomes, ignoring gaps.
  mutating func rest() -> [BatchOutcome] {
    defer { waiting = [:] }
    return waiting.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Whether all others wait for the line at `place`.
  func waits(for place: Int) -> Bool { isOrdered && place == takenCount }
}

extension BatchOutcome {
  /// The number of bytes of its result.
  fileprivate var byteCount: Int { done?.content?.byteCount ?? 0 }
}
