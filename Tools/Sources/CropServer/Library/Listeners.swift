import Synchronization

/// How many streams of events there are; each holds a connection for as long as its page is open.
final class Listeners: Sendable {
  private let number = Mutex(0)
  private static let most = 64

  /// How many there are.
  var count: Int { number.withLock { $0 } }

  /// A place for one more; nil where all are taken.
  func enter() -> Place? {
    number.withLock { number in
      guard number < Self.most else { return nil }
      number += 1
      return Place(among: self)
    }
  }

  /// One stream's place. It is given back with the last reference, so also by an answer that is
  /// never sent.
  final class Place: Sendable {
    private let listeners: Listeners

    fileprivate init(among listeners: Listeners) {
      self.listeners = listeners
    }

    deinit { listeners.number.withLock { $0 -= 1 } }
  }
}
