import CropImaging
import Dispatch
import PhotoLibrary

extension CropScheduler {
  /// Runs a set of crops with a common time limit when its turn comes.
  ///
  /// - Parameters:
  ///   - seconds: the maximum duration, without waiting.
  ///   - name: the image's.
  /// - Throws: `CropError.timedOut`; otherwise as ``perform(cost:until:_:)``.
  func performSet<Result: Sendable>(
    cost: Int, until stop: CropStop, seconds: Int, name: String,
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await perform(cost: cost, until: stop) { () throws(CropError) in
      let limit = CropStop()
      stop.onCancel { limit.cancel() }
      let end = DispatchWorkItem { limit.cancel() }
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: end)
      defer { end.cancel() }
      let result = CropStop.$current.withValue(limit) { Swift.Result { try work() } }
      if case .failure = result, limit.isCancelled, !stop.isCancelled {
        throw .timedOut(file: name, seconds: seconds)
      }
      return result
    }.get()
  }
}

extension Photo {
  /// The estimated cost of work on the photo.
  var cost: Int { CropScheduler.leastCost + Int(clamping: stamp.size) }
}
