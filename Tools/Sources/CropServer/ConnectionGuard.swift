import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Ends connections that would otherwise go on: after an answer that says `Connection: close` or comes
/// before the whole request did, and when an answer is left unread.
///
/// Then the connection is closed for writing at once and for reading a little later: closing both at
/// once while the client still sends would destroy the answer on its way.
///
/// It also says in the answer to what is no HTTP, which has no words, what is wrong.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let clients: Clients
  /// How many requests are there to their end and not answered yet.
  private var wholeRequests = 0
  private var mistake: HTTPParserError?
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
    case .head(let head)
    where mistake != nil && head.status == .badRequest && head.headerFields[.contentLength] == "0":
      // Hummingbird's answer to what is no HTTP.
      isLastAnswer = true
      let problem = Problem(mistake)
      context.write(wrapOutboundOut(.head(problem.head)), promise: promise)
      context.write(wrapOutboundOut(.body(ByteBuffer(bytes: problem.body))), promise: nil)
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

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The first one; what is sent after it is one more.
    mistake = mistake ?? error as? HTTPParserError
    context.fireErrorCaught(error)
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

extension Problem {
  /// What is no HTTP.
  fileprivate init(_ mistake: HTTPParserError?) {
    switch mistake {
    case .headerOverflow:
      self.init(
        .requestHeaderFieldsTooLarge, code: "request", "the fields of the request are too long")
    default: self.init(.badRequest, code: "request", "this is no request that can be read")
    }
    headers[.connection] = "close"
  }
}
