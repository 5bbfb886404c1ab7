import Hummingbird

/// The calls for programs that monitor the server.
struct MonitoringRoutes: Sendable {
  let readiness: Readiness
  let metrics: ServerMetrics
  let gauges: ServerMetrics.Gauges

  func add(to routes: Routes) {
    routes.get(AccessRoutes.health) { _, _ in Response(status: .noContent) }
    routes.get(AccessRoutes.ready) { request, _ in
      _ = try Query(of: request, known: [])
      let report = try await readiness.report()
      return try Response(status: report.ready ? .ok : .serviceUnavailable, json: report)
    }
    routes.get("api/metrics") { request, _ in
      _ = try Query(of: request, known: [])
      return Response(
        status: .ok,
        headers: [
          .contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store",
        ], body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text(gauges))))
    }
  }
}
