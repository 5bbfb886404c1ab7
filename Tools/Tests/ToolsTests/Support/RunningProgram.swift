import Foundation
import Glibc
import Synchronization

/// A program that a test has started. It never outlives its owner: a test that throws or is
/// cancelled leaves no process behind.
final class RunningProgram: Sendable {
  let process: pid_t
  private let hasEnded = Atomic(false)

  /// Takes ownership of a process that was just started.
  init(_ process: pid_t) {
    self.process = process
  }

  deinit {
    guard !hasEnded.load(ordering: .acquiring) else { return }
    kill(process, SIGKILL)
    _ = reap()
  }

  /// Sends a signal, unless the program has exited: its id may have been reused.
  func send(_ signal: Int32) {
    if !hasEnded.load(ordering: .acquiring) { kill(process, signal) }
  }

  /// Whether all sent signals were delivered, or the program has exited.
  var hasHeardAll: Bool {
    let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let pending = text.split(separator: "\n").filter {
      $0.hasPrefix("SigPnd:") || $0.hasPrefix("ShdPnd:")
    }
    return pending.allSatisfy { $0.hasSuffix("\t0000000000000000") }
  }

  /// Whether all threads of the program were asleep at the same moment just now.
  ///
  /// A program at rest only continues after an external event: space in a pipe, a line, a signal, a
  /// timeout.
  var isAtRest: Bool {
    guard let first = sleepers, let second = sleepers else { return false }
    // A thread that slept both times and did not run in between has slept all the time.
    return !first.isEmpty && first == second
  }

  /// How often each thread went to sleep, by its id; nil if one is not sleeping.
  private var sleepers: [String: Substring]? {
    let folder = "/proc/\(process)/task"
    guard let threads = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return nil
    }
    var counts: [String: Substring] = [:]
    for thread in threads {
      guard let text = try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8),
        text.contains("\nState:\tS"),
        let count = text.split(separator: "\n").first(where: { $0.hasPrefix("voluntary_ctxt") })
      else { return nil }
      counts[thread] = count
    }
    return counts
  }

  /// Whether the program has exited.
  var isOver: Bool { Processes.isOver(process) }

  /// Waits for the exit without blocking other tests, and returns the exit status, or 128 + the
  /// signal that killed it. Can only be called once.
  func end() async -> Int32 {
    await onOwnThread { reap() }
  }

  private func reap() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    hasEnded.store(true, ordering: .releasing)
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}
