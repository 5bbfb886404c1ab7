import NIOCore
import NIOHTTP1

/// Handles parts of a request that the layers above do not see: its version, and its absolute
/// address.
///
/// - A connection is closed after a response if the request asks for it, in any spelling, or if it
///   is HTTP/1.0 and does not ask for the opposite (RFC 9112, 9.3).
/// - An absolute address states the host (3.2.2); a different `Host` is an error.
final class RequestHeadHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private struct PendingRequest {
    let isOld: Bool
    let isHead: Bool
  }

  /// The requests without a response.
  private var pending = CircularBuffer<PendingRequest>()
  private var isBroken = false
  private var isLast = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isBroken else { return }
    guard case .head(var head) = unwrapInboundIn(data) else {
      context.fireChannelRead(data)
      return
    }
    guard resolveTarget(of: &head) else {
      isBroken = true
      context.fireErrorCaught(HTTPParserError.invalidURL)
      return
    }
    let isOld = (head.version.major, head.version.minor) < (1, 1)
    // A proxy may not recognize where it ends (RFC 9112, 6.1).
    guard !isOld || head.headers["Transfer-Encoding"].isEmpty else {
      isBroken = true
      context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
      return
    }
    let wishes = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
    if wishes.contains("close") || (isOld && !wishes.contains("keep-alive")) {
      head.headers.replaceOrAdd(name: "Connection", value: "close")
    }
    pending.append(PendingRequest(isOld: isOld, isHead: head.method == .HEAD))
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  /// Reduces an absolute address to its path; false if the address is invalid.
  private func resolveTarget(of head: inout HTTPRequestHead) -> Bool {
    if head.uri.hasPrefix("/") || (head.uri == "*" && head.method == .OPTIONS) { return true }
    guard let scheme = ["http://", "https://"].first(where: head.uri.lowercased().hasPrefix) else {
      // The target of CONNECT, which is rejected because of its method.
      return head.method == .CONNECT
    }
    let rest = head.uri.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let path = rest.dropFirst(authority.count)
    head.uri = path.hasPrefix("/") ? String(path) : "/\(path)"
    let hosts = head.headers["Host"]
    let agrees = hosts.count == 1 && hosts[0].lowercased() == authority.lowercased()
    // A different host counts as a second Host field, which is rejected.
    if !agrees { head.headers.add(name: "Host", value: String(authority)) }
    return true
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard let request = pending.first, request.isOld else {
      if case .end = unwrapOutboundIn(data), !pending.isEmpty { pending.removeFirst() }
      context.write(data, promise: promise)
      return
    }
    switch unwrapOutboundIn(data) {
    case .head(let head) where head.status.code < 200:
      // HTTP/1.0 has no interim responses.
      promise?.succeed()
    case .head(var head):
      // With this version, it is sent without chunks.
      head.version = .http1_0
      let hasEnd =
        request.isHead || [204, 304].contains(head.status.code)
        || head.headers.contains(name: "Content-Length")
      if !hasEnd { head.headers.replaceOrAdd(name: "Connection", value: "close") }
      isLast = head.headers[canonicalForm: "connection"].contains("close")
      if !isLast { head.headers.replaceOrAdd(name: "Connection", value: "keep-alive") }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .body: context.write(data, promise: promise)
    case .end:
      pending.removeFirst()
      context.writeAndFlush(data, promise: promise)
      if isLast { context.close(mode: .output, promise: nil) }
    }
  }
}
