import CropImaging
import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// Accepts connections from an inherited socket.
///
/// Hummingbird only binds addresses. So it gets a socket that nobody connects to (`PrivateSocket`),
/// and its channel setup is applied to connections of the inherited socket too.
final class InheritedListener: Service {
  private let socket: InheritedSocket
  private let logger: Logger
  private let (built, builds) = AsyncStream<HTTPConnections>.makeStream()
  private let onListening: @Sendable (any Channel) async -> Void

  /// A listener that reports when it is listening.
  init(
    _ socket: InheritedSocket, logger: Logger,
    onListening: @escaping @Sendable (any Channel) async -> Void
  ) {
    self.socket = socket
    self.logger = logger
    self.onListening = onListening
  }

  /// A builder for Hummingbird, whose channel setup this listener also uses.
  func sharing(_ configuration: HTTP1Channel.Configuration) -> HTTPServerBuilder {
    HTTPConnections.builder(configuration) { self.builds.yield($0) }
  }

  func run() async throws {
    // The server that runs beside this listener builds the handler.
    for await connections in built { return try await listen(connections) }
  }

  private func listen(_ connections: HTTPConnections) async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let quiescing = ServerQuiescingHelper(group: group)
    let server = try await ServerBootstrap(group: group)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            quiescing.makeServerChannelHandler(channel: channel))
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .bind(socket.file) { [logger] channel in connections.setup(channel: channel, logger: logger) }
    await withGracefulShutdownHandler {
      await onListening(server.channel)
      await withDiscardingTaskGroup { tasks in
        do {
          try await server.executeThenClose { inbound in
            for try await connection in inbound {
              tasks.addTask { [logger] in
                await connections.handle(value: connection, logger: logger)
              }
            }
          }
        } catch {
          logger.error("no more connections", metadata: ["reason": "\(error)"])
        }
      }
    } onGracefulShutdown: {
      quiescing.initiateShutdown(promise: nil)
    }
  }
}

/// A socket that nobody connects to: in a private folder, and removed as soon as it is bound.
struct PrivateSocket: Sendable {
  private let folder: String
  /// Where to bind.
  let path: String

  init() throws(CropError) {
    var template = Array("/tmp/.cropkit-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .outputUncreatable(path: "/tmp", detail: String(cString: strerror(errno)))
    }
    folder = String(
      decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = "\(folder)/s"
  }

  func remove() {
    unlink(path)
    rmdir(folder)
  }
}
