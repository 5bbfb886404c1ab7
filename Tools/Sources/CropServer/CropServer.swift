import CropImaging
import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// The web server: the page, and the calls it makes.
///
/// Pictures are decoded by the processes of a `WorkerPool`, never in this one.
public struct CropServer: Sendable {
  private let settings: ServerSettings
  private let logger: Logger

  /// A server that is not running yet.
  public init(_ settings: ServerSettings, logger: Logger) {
    self.settings = settings
    self.logger = logger
  }

  /// Runs until SIGTERM or SIGINT, then lets the requests that are running end.
  ///
  /// - Parameter onListening: called once with the address to open, such as `http://127.0.0.1:8080/`.
  /// - Throws: when the address can't be had.
  public func run(onListening: @escaping @Sendable (String) -> Void) async throws {
    Self.allowManyConnections()
    let gate = Gate(settings)
    let engine = CropEngine(
      backend: WorkerPool(
        executable: settings.worker, size: settings.concurrency, limits: settings.limits),
      limits: settings.limits)
    let router = router(gate: gate, engine: engine)
    let settings = settings
    let application = Application(
      router: router,
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [ConnectionGuard()], idleTimeout: ServerTimes.idle,
          httpDecoderConfiguration: .init(maxHeaderFieldSize: 32 << 10, maxHeaderListSize: 64 << 10)
        )),
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port), serverName: nil,
        availableConnectionsDelegate: MaximumAvailableConnections(ServerTimes.connections)),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? settings.port
        gate.listens(on: port)
        onListening(settings.address(port: port))
      },
      logger: logger)
    var group = ServiceGroupConfiguration(
      services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    group.maximumGracefulShutdownDuration = ServerTimes.stop
    try await ServiceGroup(configuration: group).run()
  }

  private func router(gate: Gate, engine: CropEngine) -> Router<CropContext> {
    let router = Router(context: CropContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: AnswerHeaders())
    router.add(middleware: ProblemMiddleware())
    router.add(middleware: gate)
    CropRoutes(
      engine: engine,
      desk: CropDesk(places: settings.concurrency, queueLength: settings.queue),
      uploads: Uploads(limits: settings.limits),
      samples: Samples(folder: settings.samples, engine: engine)
    ).add(to: router)
    let page = Page()
    router.get("/") { request, _ in try Self.file(of: page, for: request) }
    router.get("**") { request, _ in try Self.file(of: page, for: request) }
    return router
  }

  private static func file(of page: Page, for request: Request) throws(Problem) -> Response {
    guard let response = page.response(to: request, path: request.uri.path) else {
      throw Problem(.notFound, code: "not-found", "there is nothing at this address")
    }
    return response
  }

  /// Lifts the number of open files to what all connections, pictures and workers need.
  private static func allowManyConnections() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let wanted = rlim_t(ServerTimes.connections * 2 + 512)
    limit.rlim_cur = max(limit.rlim_cur, min(wanted, limit.rlim_max))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}

extension ServerSettings {
  /// The address to open in a browser.
  fileprivate func address(port: Int) -> String {
    let name =
      switch host {
      case "0.0.0.0", "::": "localhost"
      case _ where host.contains(":"): "[\(host)]"
      default: host
      }
    return "http://\(name):\(port)/" + (token.map { "?token=\($0)" } ?? "")
  }
}
