import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends connections that would otherwise go on: after an answer that says `Connection: close` or comes
/// before the whole request did, and when an answer is left unread.
///
/// Then the connection is closed for writing at once and for reading a little later: closing both at
/// once while the client still sends would destroy the answer on its way.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let clients: Clients
  /// How many requests are there to their end and not answered yet.
  private var wholeRequests = 0
  private var isLastAnswer = false
  private var isDraining = false
  private var unread: Scheduled<Void>?

  init(_ clients: Clients) { self.clients = clients }

  func handlerAdded(context: ChannelHandlerContext) {
    // In front of all that would hold back what the client does next.
    try? context.pipeline.syncOperations.addHandler(ClientWatch(clients), position: .first)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head where isDraining:
      context.close(promise: nil)
      return
    case .end: wholeRequests += 1
    case .head, .body: break
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head) where head.status.kind == .informational:
      context.write(data, promise: promise)
    case .head(var head):
      // What the client still sends of a request that was answered is not read for long.
      if wholeRequests == 0 { head.headerFields[.connection] = "close" }
      isLastAnswer = head.headerFields[.connection] == "close"
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end where isLastAnswer:
      isDraining = true
      context.writeAndFlush(data, promise: promise)
      context.close(mode: .output, promise: nil)
      let channel = context.channel
      context.eventLoop.scheduleTask(in: ServerTimes.linger) { channel.close(promise: nil) }
    case .end:
      wholeRequests -= 1
      context.write(data, promise: promise)
    case .body:
      context.write(data, promise: promise)
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    unread?.cancel()
    unread = nil
    if !context.channel.isWritable {
      let channel = context.channel
      unread = context.eventLoop.scheduleTask(in: ServerTimes.unread) {
        channel.close(promise: nil)
      }
    }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    unread?.cancel()
    unread = nil
    context.fireChannelInactive()
  }
}
