import CropImaging
import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PhotoLibrary
import ServiceLifecycle
import Synchronization

/// The web server: the page and its API.
///
/// The processes of a `WorkerPool` decode images, never this one.
public struct CropServer: Sendable {
  let live: LiveSettings
  private let logger: Logger
  let userFolders: UserFolders
  private let endsAtSignals: Bool

  /// A server that is not running yet.
  public init(_ live: LiveSettings, logger: Logger) {
    self.init(live, logger: logger, userFolders: UserFolders(), endsAtSignals: true)
  }

  /// A server that keeps its data in the given folders. It also stops if its task is cancelled.
  init(_ live: LiveSettings, logger: Logger, userFolders: UserFolders, endsAtSignals: Bool) {
    self.live = live
    self.logger = logger
    self.userFolders = userFolders
    self.endsAtSignals = endsAtSignals
  }

  /// The settings that the server was started with, for those that can't change.
  var settings: ServerSettings { live.now }

  /// Runs until SIGTERM or SIGINT, or until no page uses the named files any more; then waits for
  /// running requests to finish.
  ///
  /// - Parameters:
  ///   - onListening: called once when the server accepts connections.
  ///   - onStopping: called when the server starts to stop.
  /// - Throws: an error if the address can't be bound.
  public func run(
    onListening: @escaping @Sendable (Listening) -> Void,
    onStopping: @escaping @Sendable () -> Void = {}
  ) async throws {
    guard settings.inherited == nil || settings.tls == nil else {
      throw ServerSettings.Refusal(words: "TLS is for a port that the server opens itself")
    }
    let parts = try makeParts()
    parts.library?.start { [logger] reason in
      guard let reason else { return logger.notice("the library's index is written again") }
      logger.error(
        "the library's index can't be written, photos are missing from its lists",
        metadata: ["reason": "\(reason)"])
    }
    defer { parts.library?.stop() }
    let socket = try socketFile()
    defer {
      socket?.remove()
      parts.access.codes.end()
    }
    let isListening = listening(parts, onListening)
    let listener = settings.inherited.map {
      InheritedListener($0, logger: logger, onListening: isListening)
    }
    let placeholderSocket = try listener == nil ? nil : PrivateSocket()
    defer { placeholderSocket?.remove() }
    let failure = Mutex<CropError?>(nil)
    let application = Application(
      router: router(parts), server: try channel(parts.clients, listener),
      configuration: ApplicationConfiguration(
        address: placeholderSocket.map { .unixDomainSocket(path: $0.path) }
          ?? settings.place.binding(socket),
        serverName: nil),
      onServerRunning: { channel in
        do throws(CropError) {
          try socket?.publish()
        } catch {
          failure.withLock { $0 = error }
          kill(getpid(), SIGTERM)
          return
        }
        placeholderSocket?.remove()
        if placeholderSocket == nil { await isListening(channel) }
      },
      logger: logger)
    var group = ServiceGroupConfiguration(
      services: [application] + (listener.map { [$0] } ?? []),
      gracefulShutdownSignals: endsAtSignals ? [.sigterm, .sigint] : [], logger: logger)
    group.services.append(
      .init(
        service: housekeeping(parts, onStopping),
        successTerminationBehavior: .gracefullyShutdownGroup))
    group.maximumGracefulShutdownDuration = ServerTimes.stop
    do {
      try await ServiceGroup(configuration: group).run()
    } catch {
      throw ListeningFailure(error, at: settings.place) ?? error
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Creates the server's components.
  ///
  /// - Throws: an error if the configured library is unusable.
  private func makeParts() throws -> ServerParts {
    let settings = settings
    let clients = Clients(
      capacity: Self.allowConnections(settings.connections), longestSilence: settings.silence)
    // One process per slot of the scheduler, as many for thumbnails, and one for previews of the
    // samples: a job that gets a slot never waits for a process. Each serves one client.
    let workers = WorkerPool(
      executable: settings.worker, size: settings.concurrency * 2 + 1, limits: settings.limits)
    let engine = CropEngine(backend: workers, limits: settings.limits)
    // This comes first, so that nothing else is created if the library can't be opened.
    let library = try openLibrary(engine)
    let page = Page()
    let devices = Devices(
      folder: "\(userFolders.data)/cropkit/devices", logger: logger,
      ended: { ids in
        clients.close(devices: ids)
        for id in ids { workers.end(servingOnly: Clients.Sender.device(id).principal) }
      })
    let parts = ServerParts(
      engine: engine, workers: workers, library: library, clients: clients,
      devices: devices, page: page, access: Access(live, devices: devices, page: page),
      audience: settings.claim.map { _ in
        IdleShutdown(absence: settings.absence, at: settings.now())
      },
      requestGuard: RequestGuard(live))
    let endOldDevices: @Sendable (ServerSettings) -> Void = { settings in
      if !settings.keepsDevices { devices.endAll(except: [settings.token] + settings.otherTokens) }
    }
    endOldDevices(settings)
    live.onChange { settings in
      endOldDevices(settings)
      clients.close(programsWithout: [settings.token] + settings.otherTokens)
      // Also those of tokens that no longer sign in.
      workers.end()
    }
    return parts
  }

  /// Called when the server accepts connections.
  private func listening(
    _ parts: ServerParts, _ onListening: @escaping @Sendable (Listening) -> Void
  ) -> @Sendable (any Channel) async -> Void {
    let (settings, userFolders) = (settings, userFolders)
    return { channel in
      let port = channel.localAddress?.port
      if let port {
        parts.requestGuard.listens(on: port)
        let server = InstanceLock.Server(port: port, token: settings.token.text)
        // Without it, waiting clients find no server, and this one stops because no page connects.
        try? settings.claim?.publish(server)
      }
      onListening(
        Listening(settings: settings, port: port, access: parts.access, userFolders: userFolders))
    }
  }

  /// The channel of a connection: plain or TLS, on a new socket or an inherited one.
  private func channel(
    _ clients: Clients, _ listener: InheritedListener?
  ) throws -> HTTPServerBuilder {
    let configuration = HTTP1Channel.Configuration(
      additionalChannelHandlers: [ConnectionGuard(clients)],
      httpDecoderConfiguration: .init(maxHeaderFieldSize: 32 << 10, maxHeaderListSize: 64 << 10))
    let plain = listener?.sharing(configuration) ?? HTTPConnections.builder(configuration)
    return try settings.tls?.wrapped(plain) ?? plain
  }

  private func housekeeping(
    _ parts: ServerParts, _ onStopping: @escaping @Sendable () -> Void
  ) -> Housekeeping {
    let settings = settings
    return Housekeeping(clients: parts.clients, devices: parts.devices) {
      settings.claim?.withdraw()
      onStopping()
    } isOver: {
      let now = settings.now()
      return parts.audience?.isOver(at: now) {
        parts.listeners.count > 0 || parts.access.codes.hasPending(at: now)
      } == true
    }
  }

  private func socketFile() throws -> SocketFile? {
    guard settings.inherited == nil, case .socket(let path, let mode) = settings.place else {
      return nil
    }
    return try SocketFile(path: path, mode: mode)
  }

  /// The configured library; nil if none is configured.
  ///
  /// - Throws: an error if a configured folder is unusable.
  private func openLibrary(_ engine: CropEngine) throws -> PhotoLibrary? {
    let folder: String?
    var isOptional = false
    switch settings.library {
    case .none: return nil
    case .pictures:
      folder = userFolders.pictures
      isOptional = true
      if folder == nil { return nil }
    case .folder(let path): folder = path
    case .named: folder = nil
    }
    do {
      guard let folder else {
        return try PhotoLibrary(
          ofNamedFilesWith: engine, userFolders: userFolders, thumbnailsAtOnce: settings.concurrency
        )
      }
      return try PhotoLibrary(
        folder: folder, engine: engine, userFolders: userFolders,
        thumbnailsAtOnce: settings.concurrency)
    } catch  where isOptional {
      logger.warning("no library", metadata: ["reason": "\(error)"])
      return nil
    } catch let error as CropError {
      throw error
    } catch {
      throw CropError.outputUncreatable(
        path: "\(userFolders.data)/cropkit", detail: "\(error)")
    }
  }

  /// Raises the limit of open files for connections, images and workers.
  ///
  /// - Returns: how many connections the limit allows, at most `count`.
  private static func allowConnections(_ count: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return count }
    // Each connection may also send a file.
    let others: rlim_t = 512
    limit.rlim_cur = max(limit.rlim_cur, min(rlim_t(count) * 2 + others, limit.rlim_max))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    guard limit.rlim_cur > others * 2 else { return min(count, Int(limit.rlim_cur / 4)) }
    return min(count, Int((limit.rlim_cur - others) / 2))
  }
}

extension ListenAddress {
  /// What to bind: the address, or the prepared socket.
  fileprivate func binding(_ socket: SocketFile?) -> BindAddress {
    switch self {
    case .port(let host, let port): .hostname(host.number, port: port)
    case .socket(let path, _): .unixDomainSocket(path: socket?.bindingPath ?? path)
    }
  }
}

/// Work that is done once a second. It returns when the server should stop.
private struct Housekeeping: Service {
  let clients: Clients
  let devices: Devices
  let onStopping: @Sendable () -> Void
  let isOver: @Sendable () -> Bool

  func run() async throws {
    defer { onStopping() }
    try? await cancelWhenGracefulShutdown {
      while !isOver() {
        try await Task.sleep(for: .seconds(1))
        clients.closeSilent()
        // Another server of the same user may have signed devices in or out.
        await devices.refresh(pause: 5)
      }
    }
  }
}
