import CoreMetrics
import CropImaging
import Glibc
import HTTPTypes
import Synchronization

/// The server's metrics for Prometheus.
final class ServerMetrics: Sendable {
  /// Sources of values that are read on demand.
  struct Gauges: Sendable {
    let scheduler: CropScheduler
    let workers: WorkerPool
    let uploads: Uploads
    let results: UnreadResults
    let clients: Clients
  }

  private let factory = PrometheusMetrics()
  private let running = Mutex(0)

  /// Counts a request that was received.
  func requestStarted() { running.withLock { $0 += 1 } }

  /// Counts a request that got its response.
  func requestEnded() { running.withLock { $0 -= 1 } }

  /// Counts a completed request.
  ///
  /// - Parameter route: the pattern of its path; nil if there is none, since anyone can request an
  ///   unlimited number of paths.
  func note(method: HTTPRequest.Method, route: String?, status: Int, seconds: Double) {
    let route = route ?? "none"
    let method = Routes.known.contains(method) ? method.rawValue : "other"
    Counter(
      label: "cropkit_http_requests_total",
      dimensions: [("method", method), ("route", route), ("status", "\(status)")],
      factory: factory
    ).increment()
    Timer(
      label: "cropkit_http_request_duration_seconds", dimensions: [("route", route)],
      factory: factory
    ).recordNanoseconds(Int64((seconds * 1e9).rounded()))
  }

  /// All metrics in Prometheus' text format.
  func text(_ gauges: Gauges) -> String {
    let (active, waiting) = gauges.scheduler.counts
    let values = [
      ("cropkit_http_requests_active", running.withLock { $0 }),
      ("cropkit_connections", gauges.clients.count),
      ("cropkit_pictures_active", active), ("cropkit_pictures_waiting", waiting),
      ("cropkit_workers_busy", gauges.workers.busyCount),
      ("cropkit_workers_waiting", gauges.workers.waitingCount),
      ("cropkit_uploads_bytes", gauges.uploads.heldBytes),
      ("cropkit_unread_results_bytes", gauges.results.heldBytes),
      ("process_resident_memory_bytes", Self.residentBytes ?? 0),
    ]
    for (name, value) in values { Meter(label: name, factory: factory).set(value) }
    return factory.text
  }

  /// The resident memory of this process in bytes, without its workers.
  private static var residentBytes: Int? {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let text = PrivateFile.read(file, limit: 256).map { String(decoding: $0, as: UTF8.self) }
    let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
  }
}
