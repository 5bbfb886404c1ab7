import CropImaging
import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PhotoLibrary
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
    // As many again for thumbnails, so that no crop waits for a page of them.
    let engine = CropEngine(
      backend: WorkerPool(
        executable: settings.worker, size: settings.concurrency * 2, limits: settings.limits),
      limits: settings.limits)
    let library = try openLibrary(engine)
    library?.start()
    defer { library?.stop() }
    let clients = Clients()
    let router = router(gate: gate, engine: engine, library: library, clients: clients)
    let settings = settings
    let plain = HTTPServerBuilder.http1(
      configuration: .init(
        additionalChannelHandlers: [ConnectionGuard(clients)], idleTimeout: ServerTimes.idle,
        httpDecoderConfiguration: .init(maxHeaderFieldSize: 32 << 10, maxHeaderListSize: 64 << 10)))
    let application = Application(
      router: router, server: try settings.tls?.wrapped(plain) ?? plain,
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

  /// The library that was asked for; nil where there is none.
  ///
  /// - Throws: where a folder was named and can't be used.
  private func openLibrary(_ engine: CropEngine) throws -> PhotoLibrary? {
    let places = LibraryPlaces()
    let folder: String?
    switch settings.library {
    case .none: folder = nil
    case .pictures: folder = places.pictures
    case .folder(let path): folder = path
    }
    guard let folder else { return nil }
    do {
      return try PhotoLibrary(
        folder: folder, engine: engine, places: places, thumbnailsAtOnce: settings.concurrency)
    } catch  where settings.library == .pictures {
      logger.warning("no library", metadata: ["reason": "\(error)"])
      return nil
    } catch let error as CropError {
      throw error
    } catch {
      throw CropError.outputUncreatable(
        path: "\(places.data)/cropkit", detail: error.localizedDescription)
    }
  }

  private func router(
    gate: Gate, engine: CropEngine, library: PhotoLibrary?, clients: Clients
  ) -> Router<CropContext> {
    let router = Router(context: CropContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: AnswerHeaders())
    router.add(middleware: ProblemMiddleware())
    router.add(middleware: gate)
    let desk = CropDesk(places: settings.concurrency, queueLength: settings.queue)
    let uploads = Uploads(limits: settings.limits)
    CropRoutes(
      engine: engine, desk: desk, clients: clients, uploads: uploads,
      samples: Samples(folder: settings.samples, engine: engine),
      samplePreviews: SamplePreviews(
        engine: engine, places: settings.concurrency, queueLength: settings.queue)
    ).add(to: router)
    if let library {
      LibraryRoutes(library: library, engine: engine, desk: desk, clients: clients).add(to: router)
      LibraryChanges(library: library, desk: desk, uploads: uploads, clients: clients)
        .add(to: router)
      LibraryNews(library: library, clients: clients).add(to: router)
    } else {
      for path in ["api/albums", "api/albums/**", "api/photos/**", "api/events"] {
        router.get(RouterPath(path)) { _, _ -> Response in throw Problem.noLibrary }
      }
      for path in ["api/photos", "api/photos/**"] {
        router.post(RouterPath(path)) { _, _ -> Response in throw Problem.noLibrary }
      }
    }
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
      // From here "localhost" would do, but it is for others that the server listens everywhere.
      case "0.0.0.0", "::": OwnAddress.network ?? "localhost"
      case _ where host.contains(":"): "[\(host)]"
      default: host
      }
    return "\(scheme)://\(name):\(port)/" + (token.map { "?token=\($0)" } ?? "")
  }
}
