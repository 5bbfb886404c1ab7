import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Closes connections that would otherwise stay open: after the response to a request that asks for
/// it, or after a response that is sent before the request is complete. It also records whether the
/// server or the client is waiting.
///
/// The connection is closed for writing immediately and for reading a little later: if both were
/// closed while the client still sends, it would not receive the response.
///
/// It also adds an error message to the response to bytes that are not HTTP, which would otherwise
/// be empty.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let clients: Clients
  /// The number of complete requests without a response.
  private var wholeRequests = 0
  /// For each request without a response, whether to close the connection afterwards.
  private var wishes = CircularBuffer<Bool>()
  private var mistake: HTTPParserError?
  private var isLastAnswer = false
  private var isDraining = false

  init(_ clients: Clients) { self.clients = clients }

  func handlerAdded(context: ChannelHandlerContext) {
    // It must come before all handlers that could hold back what the client does next.
    try? context.pipeline.syncOperations.addHandler(ClientWatch(clients), position: .first)
    if let codec = try? context.pipeline.syncOperations.handler(type: HTTP1ToHTTPServerCodec.self) {
      let heads = RequestHeadHandler()
      try? context.pipeline.syncOperations.addHandler(heads, position: .before(codec))
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head where isDraining:
      context.close(promise: nil)
      return
    case .head(let head):
      wishes.append(head.headerFields[.connection] == "close")
      noteProgress(context)
    case .body: noteProgress(context)
    case .end:
      wholeRequests += 1
      clients.work(for: context.channel)
    }
    context.fireChannelRead(data)
  }

  /// Records that another part of a request was received.
  private func noteProgress(_ context: ChannelHandlerContext) {
    if wholeRequests == 0 { clients.wait(for: context.channel) }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head) where head.status.kind == .informational:
      context.write(data, promise: promise)
    case .head(let head)
    where mistake != nil && head.status == .badRequest && head.headerFields[.contentLength] == "0":
      // Hummingbird's response to bytes that are not HTTP.
      isLastAnswer = true
      let problem = Problem(mistake)
      context.write(wrapOutboundOut(.head(problem.head)), promise: promise)
      context.write(wrapOutboundOut(.body(ByteBuffer(bytes: problem.body))), promise: nil)
    case .head(var head):
      // The rest of a request that already has its response is only read for a short time.
      if wholeRequests == 0 || wishes.first == true { head.headerFields[.connection] = "close" }
      isLastAnswer = head.headerFields[.connection] == "close"
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end where isLastAnswer:
      isDraining = true
      clients.wait(for: context.channel)
      let written = context.eventLoop.makePromise(of: Void.self)
      written.futureResult.cascade(to: promise)
      let own = NIOLoopBound(context, eventLoop: context.eventLoop)
      // The timeout only starts when everything is sent, so that slow clients receive all of it.
      written.futureResult.whenComplete { _ in
        let context = own.value
        context.close(mode: .output, promise: nil)
        let channel = context.channel
        context.eventLoop.scheduleTask(in: ServerTimes.linger) { channel.close(promise: nil) }
      }
      context.writeAndFlush(data, promise: written)
    case .end:
      wholeRequests -= 1
      if !wishes.isEmpty { wishes.removeFirst() }
      if wholeRequests == 0 { clients.wait(for: context.channel) }
      context.write(data, promise: promise)
    case .body:
      context.write(data, promise: promise)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // Keep the first error; later ones only follow from it.
    mistake = mistake ?? error as? HTTPParserError
    context.fireErrorCaught(error)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if !context.channel.isWritable {
      clients.wait(for: context.channel, isReading: true)
    } else if wholeRequests > 0 {
      clients.work(for: context.channel)
    } else {
      clients.wait(for: context.channel)
    }
    context.fireChannelWritabilityChanged()
  }
}

extension Problem {
  /// The problem for bytes that are not HTTP.
  fileprivate init(_ mistake: HTTPParserError?) {
    switch mistake {
    case .headerOverflow:
      self.init(
        .requestHeaderFieldsTooLarge, code: "request", "the request's headers are too long")
    default: self.init(.badRequest, code: "request", "this request can't be read")
    }
    headers[.connection] = "close"
  }
}
