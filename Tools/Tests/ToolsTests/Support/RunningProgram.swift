import Dispatch
import Foundation
import Glibc
import Synchronization

/// A program that a test has started. It never outlives what holds it: a test that throws, or is
/// given up, leaves no process behind.
final class RunningProgram: Sendable {
  let process: pid_t
  private let hasEnded = Atomic(false)

  /// Takes over a process that was just started.
  init(_ process: pid_t) {
    self.process = process
  }

  deinit {
    guard !hasEnded.load(ordering: .acquiring) else { return }
    kill(process, SIGKILL)
    _ = reap()
  }

  /// Sends a signal, unless the program has ended: its number may be another's by then.
  func send(_ signal: Int32) {
    if !hasEnded.load(ordering: .acquiring) { kill(process, signal) }
  }

  /// Whether no signal that was sent still waits to be taken, or the program has ended.
  var hasHeardAll: Bool {
    let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let pending = text.split(separator: "\n").filter {
      $0.hasPrefix("SigPnd:") || $0.hasPrefix("ShdPnd:")
    }
    return pending.allSatisfy { $0.hasSuffix("\t0000000000000000") }
  }

  /// Whether there was a moment, just now, in which every thread of the program slept.
  ///
  /// A program at rest goes on only when something from outside wakes it: a pipe that has room, a line that
  /// comes, a signal, the end of a time that it waits for.
  var isAtRest: Bool {
    guard let first = sleepers, let second = sleepers else { return false }
    // A thread that slept at both looks and did not run in between slept from one to the other.
    return !first.isEmpty && first == second
  }

  /// How often each thread went to sleep, by its number; nil if one does not sleep.
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

  /// Whether the program has come to its end.
  var isOver: Bool {
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    return text.isEmpty || text.contains(") Z ")
  }

  /// Waits for the end without blocking other tests, and returns the exit status, or 128 + the
  /// signal that ended it. It is asked for once.
  func end() async -> Int32 {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: self.reap()) }
    }
  }

  private func reap() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    hasEnded.store(true, ordering: .releasing)
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}
