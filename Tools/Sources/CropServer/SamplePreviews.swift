import CropImaging
import Synchronization

/// The samples' previews, which everybody's first screen asks for: each is made once.
///
/// They have a scheduler of their own, as a library's thumbnails do, so that no photo waits for them.
final class SamplePreviews: Sendable {
  private struct Kept {
    var results: [String: CropResult] = [:]
    var byteCount = 0
  }

  private let engine: CropEngine
  private let scheduler: CropScheduler
  private let kept = Mutex(Kept())

  /// The most bytes that are kept.
  private static let most = 32 << 20

  /// Previews of which `places` are made at once while `queueLength` more wait.
  init(engine: CropEngine, places: Int, queueLength: Int) {
    self.engine = engine
    scheduler = CropScheduler(places: places, queueLength: queueLength)
  }

  /// The preview of the sample in `source`, its longer side at most `side` pixels; `tag` names both.
  ///
  /// - Throws: `Problem.busy`, or what the engine throws; nothing is kept then.
  func preview(
    of source: PictureSource, side: Int, tag: String, until stop: CropStop
  ) async throws -> CropResult {
    if let result = kept.withLock({ $0.results[tag] }) { return result }
    let result = try await scheduler.perform(until: stop) { [engine] () throws(CropError) in
      try engine.preview(source, maxSide: side)
    }
    kept.withLock { kept in
      guard result.byteCount <= Self.most, kept.results[tag] == nil else { return }
      if kept.byteCount + result.byteCount > Self.most { kept = Kept() }
      kept.results[tag] = result
      kept.byteCount += result.byteCount
    }
    return result
  }
}
