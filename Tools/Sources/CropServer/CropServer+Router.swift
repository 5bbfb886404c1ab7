import CropImaging
import Hummingbird
import PhotoLibrary

/// The components of a running server.
struct ServerParts: Sendable {
  let engine: CropEngine
  let workers: WorkerPool
  let library: PhotoLibrary?
  let clients: Clients
  let devices: Devices
  let page: Page
  let access: Access
  /// Tracks whether pages use the named files; nil if the server does not stop when none does.
  let audience: IdleShutdown?
  let requestGuard: RequestGuard
  let listeners = Listeners()
  let metrics = ServerMetrics()
}

/// What the routes that crop have in common.
private struct CropServices {
  let scheduler: CropScheduler
  let uploads: Uploads
  let results: UnreadResults
  let files = BlockingThreads(label: "cropkit.files", count: 16)
}

extension CropServer {
  func router(_ parts: ServerParts) -> Router<CropContext> {
    let router = Router(context: CropContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: RequestRecord(metrics: parts.metrics))
    router.add(middleware: ProxyMiddleware(live: live))
    router.add(middleware: ResponseHeaders(live: live))
    router.add(middleware: ProblemMiddleware())
    router.add(middleware: parts.requestGuard)
    router.add(middleware: AccessMiddleware(access: parts.access, clients: parts.clients))
    let routes = Routes(router)
    AccessRoutes(access: parts.access, clients: parts.clients).add(to: routes)
    let workshop = CropServices(
      scheduler: CropScheduler(places: settings.concurrency, queueLength: settings.queue),
      uploads: Uploads(limits: settings.limits),
      results: UnreadResults(most: settings.unreadResults))
    addMonitoring(parts, workshop, to: routes)
    addCrops(parts, workshop, to: routes)
    GalleryRoutes(
      settings.galleries, engine: parts.engine, clients: parts.clients, uploads: workshop.uploads,
      files: workshop.files
    ).add(to: routes)
    if let library = parts.library {
      add(library, parts, workshop, to: routes)
    } else {
      Self.refuseLibrary(in: routes)
    }
    let page = parts.page
    routes.get("/") { request, _ in try Self.file(of: page, for: request) }
    routes.get("**") { request, _ in try Self.file(of: page, for: request) }
    routes.refuseOtherMethods { page.has($0.uri.path) }
    return router
  }

  private func addMonitoring(_ parts: ServerParts, _ workshop: CropServices, to routes: Routes) {
    MonitoringRoutes(
      readiness: Readiness(library: parts.library, workers: parts.workers, data: userFolders.data),
      metrics: parts.metrics,
      gauges: ServerMetrics.Gauges(
        scheduler: workshop.scheduler, workers: parts.workers, uploads: workshop.uploads,
        results: workshop.results, clients: parts.clients)
    ).add(to: routes)
  }

  private func addCrops(_ parts: ServerParts, _ workshop: CropServices, to routes: Routes) {
    CropRoutes(
      engine: parts.engine, scheduler: workshop.scheduler, clients: parts.clients,
      uploads: workshop.uploads,
      samples: Samples(folder: settings.samples, engine: parts.engine),
      samplePreviews: SamplePreviews(
        engine: parts.engine, places: 1, queueLength: settings.queue),
      results: workshop.results, files: workshop.files
    ).add(to: routes)
    TargetRoutes(
      engine: parts.engine, scheduler: workshop.scheduler, clients: parts.clients,
      uploads: workshop.uploads, results: workshop.results
    ).add(to: routes)
  }

  private func add(
    _ library: PhotoLibrary, _ parts: ServerParts, _ workshop: CropServices, to routes: Routes
  ) {
    LibraryRoutes(
      library: library, engine: parts.engine, scheduler: workshop.scheduler,
      clients: parts.clients, results: workshop.results, files: workshop.files
    ).add(to: routes)
    LibraryWriteRoutes(
      library: library, scheduler: workshop.scheduler, uploads: workshop.uploads,
      clients: parts.clients
    ).add(to: routes)
    LibraryEventStream(
      library: library, clients: parts.clients, heartbeat: settings.heartbeat,
      listeners: parts.listeners
    ).add(to: routes)
    guard let audience = parts.audience else { return }
    OpenRoutes(
      library: library, access: parts.access, audience: audience, userFolders: userFolders,
      files: workshop.files, galleries: settings.galleries
    ).add(to: routes)
  }

  private static func refuseLibrary(in routes: Routes) {
    for path in ["api/albums", "api/albums/**", "api/photos/**", "api/events"] {
      routes.get(path) { _, _ in throw Problem.noLibrary }
    }
    for path in ["api/photos", "api/photos/**"] {
      routes.post(path) { _, _ in throw Problem.noLibrary }
    }
    routes.put("api/photos/**") { _, _ in throw Problem.noLibrary }
    routes.delete("api/photos/**") { _, _ in throw Problem.noLibrary }
  }

  private static func file(of page: Page, for request: Request) throws(Problem) -> Response {
    guard let response = try page.response(to: request, path: request.uri.path) else {
      throw .nothingHere
    }
    return response
  }
}
