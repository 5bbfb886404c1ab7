import Foundation
import Testing

/// Waits until something is so, for at least five minutes: longer than any busy machine needs, so that only
/// what never happens reaches the end. A claim that holds ends it immediately.
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

/// Does work that blocks, on a thread of its own: the few that tests share also drive a server inside
/// the tests, and it may be what is waited for.
func onOwnThread<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
  }
}
