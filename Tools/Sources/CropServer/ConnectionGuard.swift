import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends connections that would otherwise go on: after an answer that says `Connection: close`, and
/// when an answer is left unread.
///
/// After a refused upload the connection is closed for writing at once and for reading a little
/// later: closing both at once while the client still sends would destroy the answer on its way.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let clients: Clients
  private var isLastAnswer = false
  private var isDraining = false
  private var unread: Scheduled<Void>?

  init(_ clients: Clients) { self.clients = clients }

  func handlerAdded(context: ChannelHandlerContext) {
    // In front of all that would hold back what the client does next.
    try? context.pipeline.syncOperations.addHandler(ClientWatch(clients), position: .first)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isDraining, case .head = unwrapInboundIn(data) {
      context.close(promise: nil)
    } else {
      context.fireChannelRead(data)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head):
      isLastAnswer = head.headerFields[.connection] == "close"
      context.write(data, promise: promise)
    case .end where isLastAnswer:
      isDraining = true
      context.writeAndFlush(data, promise: promise)
      context.close(mode: .output, promise: nil)
      let channel = context.channel
      context.eventLoop.scheduleTask(in: ServerTimes.linger) { channel.close(promise: nil) }
    case .body, .end:
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
