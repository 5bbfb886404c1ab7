import Foundation
import Synchronization

/// Runs `work` for each number at the same time, each on a thread of its own, and returns what it made.
///
/// Tasks would wait for each other: there are as many threads for them as the machine has cores.
public func atOnce<Made: Sendable>(
  _ count: Int, _ work: @escaping @Sendable (Int) -> Made
) -> [Made] {
  let made = Mutex([Int: Made]())
  let running = DispatchGroup()
  for number in 0..<count {
    running.enter()
    Thread.detachNewThread {
      let one = work(number)
      made.withLock { $0[number] = one }
      running.leave()
    }
  }
  running.wait()
  return made.withLock { made in (0..<count).compactMap { made[$0] } }
}
