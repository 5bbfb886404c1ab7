import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Ends connections that would otherwise go on: after an answer to a request that asks for it, or that
/// comes before the whole request did. It notes down who waits for whom.
///
/// Then the connection is closed for writing at once and for reading a little later: closing both at
/// once while the client still sends would destroy the answer on its way.
///
/// It also adds what is wrong to the answer to bytes that are not HTTP, which else has no text.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let clients: Clients
  /// How many requests are there to their end and not answered yet.
  private var wholeRequests = 0
  /// Of the requests that are not answered yet, whether the connection is to be closed afterwards.
  private var wishes = CircularBuffer<Bool>()
  private var mistake: HTTPParserError?
  private var isLastAnswer = false
  private var isDraining = false

  init(_ clients: Clients) { self.clients = clients }

  func handlerAdded(context: ChannelHandlerContext) {
    // In front of all that would hold back what the client does next.
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

  /// More of a request has come.
  private func noteProgress(_ context: ChannelHandlerContext) {
    if wholeRequests == 0 { clients.wait(for: context.channel) }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head) where head.status.kind == .informational:
      context.write(data, promise: promise)
    case .head(let head)
    where mistake != nil && head.status == .badRequest && head.headerFields[.contentLength] == "0":
      // Hummingbird's answer to bytes that are not HTTP.
      isLastAnswer = true
      let problem = Problem(mistake)
      context.write(wrapOutboundOut(.head(problem.head)), promise: promise)
      context.write(wrapOutboundOut(.body(ByteBuffer(bytes: problem.body))), promise: nil)
    case .head(var head):
      // What the client still sends of a request that was answered is not read for long.
      if wholeRequests == 0 || wishes.first == true { head.headerFields[.connection] = "close" }
      isLastAnswer = head.headerFields[.connection] == "close"
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end where isLastAnswer:
      isDraining = true
      clients.wait(for: context.channel)
      let written = context.eventLoop.makePromise(of: Void.self)
      written.futureResult.cascade(to: promise)
      let own = NIOLoopBound(context, eventLoop: context.eventLoop)
      // A client that reads slowly gets all of it: only then does the time run.
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
    // The first one; what is sent after it is one more.
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
  /// What is no HTTP.
  fileprivate init(_ mistake: HTTPParserError?) {
    switch mistake {
    case .headerOverflow:
      self.init(
        .requestHeaderFieldsTooLarge, code: "request", "the fields of the request are too long")
    default: self.init(.badRequest, code: "request", "this request can't be read")
    }
    headers[.connection] = "close"
  }
}
