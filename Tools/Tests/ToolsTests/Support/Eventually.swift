import Foundation
import Testing

/// Waits until a condition is true, for at least five minutes: longer than any busy machine needs,
/// so only a failure takes that long. Returns as soon as it is true.
func eventually(
  _ claim: String, _ isSo: () async throws -> Bool,
  location: SourceLocation = #_sourceLocation
) async throws {
  for _ in 0..<30_000 {
    if try await isSo() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  Issue.record("\(claim): never", sourceLocation: location)
}

/// Runs blocking work on a separate thread.
///
/// The few threads that tests share also run servers inside the tests, which may be what the work waits
/// for. Dispatch's global queues share them too, and add threads only if none of them is running: on a busy
/// machine, work there may start after a server's idle timeout. The work remains part of the test's
/// task, so its failed expectations are reported with the test's name.
func onOwnThread<Result: Sendable, Failure: Error>(
  _ work: @Sendable () throws(Failure) -> Result
) async throws(Failure) -> Result {
  try await withTaskExecutorPreference(ThreadExecutor.shared) {
    () async throws(Failure) -> Result in
    try work()
  }
}

/// Runs each job on a new thread.
private final class ThreadExecutor: TaskExecutor {
  static let shared = ThreadExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
