import Foundation
import Glibc
import Synchronization

/// Whether a condition becomes true; it is tested repeatedly, for at most five minutes.
///
/// For events in another process or thread, however busy the machine is.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<30_000 {
    if try condition() { return true }
    usleep(10_000)
  }
  return try condition()
}

/// Runs `work` for each number at the same time, each on a separate thread, and returns the
/// results.
///
/// Tasks would block each other: there are only as many threads for them as cores.
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
