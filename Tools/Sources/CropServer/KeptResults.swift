import CropImaging
import Synchronization

/// Results that everybody asks for, such as the samples' previews on the first screen: made once.
final class KeptResults: Sendable {
  private struct State {
    var results: [String: CropResult] = [:]
    var byteCount = 0
  }

  private let state = Mutex(State())

  /// The most bytes that are kept.
  private static let most = 32 << 20

  /// The result that is kept under `key`, or the one that `make` makes.
  ///
  /// - Throws: what `make` throws; nothing is kept then.
  func result(for key: String, make: () async throws -> CropResult) async throws -> CropResult {
    if let kept = state.withLock({ $0.results[key] }) { return kept }
    let result = try await make()
    state.withLock { state in
      if state.byteCount + result.byteCount > Self.most { state = State() }
      guard result.byteCount <= Self.most, state.results[key] == nil else { return }
      state.results[key] = result
      state.byteCount += result.byteCount
    }
    return result
  }
}
