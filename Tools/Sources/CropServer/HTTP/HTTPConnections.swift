import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// HTTP connections that may be dropped before they are served.
///
/// When the server's task is cancelled, or the server stops listening, connections that were just
/// accepted are dropped. NIO ends the whole program if such a connection is not closed first.
struct HTTPConnections: ServerChildChannel {
  private let channel: HTTP1Channel

  init(_ channel: HTTP1Channel) { self.channel = channel }

  /// A builder of servers whose connections are set up like this.
  static func builder(
    _ configuration: HTTP1Channel.Configuration,
    _ onBuild: @escaping @Sendable (HTTPConnections) -> Void = { _ in }
  ) -> HTTPServerBuilder {
    HTTPServerBuilder { responder in
      let connections = Self(HTTP1Channel(responder: responder, configuration: configuration))
      onBuild(connections)
      return connections
    }
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Accepted> {
    self.channel.setup(channel: channel, logger: logger).map(Accepted.init)
  }

  func handle(value: Accepted, logger: Logger) async {
    await channel.handle(value: value.connection, logger: logger)
  }

  /// An accepted connection, which is closed when nobody uses it any more.
  final class Accepted: ServerChildChannelValue {
    fileprivate let connection: HTTP1Channel.Value
    var channel: any Channel { connection.channel }

    fileprivate init(_ connection: HTTP1Channel.Value) { self.connection = connection }

    deinit {
      // This does nothing if the connection was served.
      Task { [connection] in try? await connection.executeThenClose { _, _ in } }
    }
  }
}
