import Hummingbird
import Logging

/// Logs each request as one line and counts it in the metrics.
struct RequestRecord: RouterMiddleware {
  let metrics: ServerMetrics

  /// The maximum number of a path's bytes in the log: any client can send a path of any length.
  private static let longestPath = 500

  func handle(
    _ request: Request, context: CropContext,
    next: (Request, CropContext) async throws -> Response
  ) async throws -> Response {
    let clock = ContinuousClock()
    let start = clock.now
    metrics.requestStarted()
    defer { metrics.requestEnded() }
    let response = try await next(request, context)
    let seconds = (clock.now - start) / .seconds(1)
    metrics.note(
      method: request.method, route: context.endpointPath, status: response.status.code,
      seconds: seconds)
    var metadata: Logger.Metadata = [
      "method": "\(request.method)", "path": "\(Self.cut(request.uri.path))",
      "status": .stringConvertible(response.status.code),
      "seconds": .stringConvertible((seconds * 1e6).rounded() / 1e6),
      "address": "\(context.address.text)",
    ]
    if let device = context.device { metadata["device"] = "\(device)" }
    context.logger.info("answered", metadata: metadata)
    return response
  }

  static func cut(_ path: String) -> String {
    guard path.utf8.count > longestPath else { return path }
    return String(decoding: path.utf8.prefix(longestPath), as: UTF8.self) + "…"
  }
}
