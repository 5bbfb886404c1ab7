import CropImaging
import NIOCore
import Synchronization

/// Who is still there to hear an answer: the crop of a client that leaves is stopped.
final class Clients: Sendable {
  private struct Client {
    var hasLeft = false
    /// What is done when it leaves; nil while nothing is done for it.
    var leaving: (@Sendable () -> Void)?
  }

  /// Those whose connections are open.
  private let clients = Mutex<[ObjectIdentifier: Client]>([:])

  /// Does work for the client at the other end of `channel`, which is told through the stop that it
  /// left.
  func attend<Result>(
    _ channel: any Channel, _ work: (CropStop) async throws -> Result
  ) async rethrows -> Result {
    let stop = CropStop()
    return try await attend(channel, leaving: { stop.say() }) { try await work(stop) }
  }

  /// Does work for the client at the other end of `channel`, cancelled when it leaves.
  func attend<Result: Sendable>(
    _ channel: any Channel, cancelling work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await work() }
    return try await attend(channel, leaving: { task.cancel() }) { try await task.value }
  }

  /// Does work for the client at the other end of `channel`, and what `leaving` does when it leaves;
  /// at once if it has left already.
  func attend<Result>(
    _ channel: any Channel, leaving: @escaping @Sendable () -> Void,
    _ work: () async throws -> Result
  ) async rethrows -> Result {
    let id = ObjectIdentifier(channel)
    let isThere = clients.withLock { clients in
      clients[id]?.leaving = leaving
      return clients[id]?.hasLeft == false
    }
    if !isThere { leaving() }
    defer { clients.withLock { $0[id]?.leaving = nil } }
    return try await work()
  }

  fileprivate func enter(_ channel: any Channel) {
    clients.withLock { $0[ObjectIdentifier(channel)] = Client() }
  }

  /// The client at the other end of `channel` has left.
  fileprivate func leave(_ channel: any Channel) {
    let leaving = clients.withLock { clients in
      clients[ObjectIdentifier(channel)]?.hasLeft = true
      return clients[ObjectIdentifier(channel)]?.leaving
    }
    leaving?()
  }

  /// The connection is closed.
  fileprivate func forget(_ channel: any Channel) {
    clients.withLock { $0[ObjectIdentifier(channel)] = nil }
  }
}

/// Stands next to the socket and sees a client leave, even while its answer is being made.
///
/// One that only says that it will send nothing more looks the same from here.
final class ClientWatch: ChannelInboundHandler {
  typealias InboundIn = Any

  private let clients: Clients

  init(_ clients: Clients) { self.clients = clients }

  func handlerAdded(context: ChannelHandlerContext) { clients.enter(context.channel) }

  func handlerRemoved(context: ChannelHandlerContext) { clients.forget(context.channel) }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed { clients.leave(context.channel) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    clients.leave(context.channel)
    context.fireChannelInactive()
  }
}
