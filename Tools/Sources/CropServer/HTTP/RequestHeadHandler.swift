import NIOCore
import NIOHTTP1

/// Sees to what the layers above don't see of a request: its version, and the whole of its address.
///
/// - A connection is closed after an answer where the request asks for that, in any spelling, and where it
///   is of HTTP/1.0 and does not ask for the opposite (RFC 9112, 9.3).
/// - Where the address is absolute it says the host (3.2.2); a `Host` that says another one is refused.
final class RequestHeadHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private struct Asked {
    let isOld: Bool
    let isHead: Bool
  }

  /// The requests that are not answered yet.
  private var asked = CircularBuffer<Asked>()
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
    // Who forwards it may not see where it ends (RFC 9112, 6.1).
    guard !isOld || head.headers["Transfer-Encoding"].isEmpty else {
      isBroken = true
      context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
      return
    }
    let wishes = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
    if wishes.contains("close") || (isOld && !wishes.contains("keep-alive")) {
      head.headers.replaceOrAdd(name: "Connection", value: "close")
    }
    asked.append(Asked(isOld: isOld, isHead: head.method == .HEAD))
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  /// Leaves only the path of an absolute address; false where the address is invalid.
  private func resolveTarget(of head: inout HTTPRequestHead) -> Bool {
    if head.uri.hasPrefix("/") || (head.uri == "*" && head.method == .OPTIONS) { return true }
    guard let scheme = ["http://", "https://"].first(where: head.uri.lowercased().hasPrefix) else {
      // That of CONNECT, which is refused for its method.
      return head.method == .CONNECT
    }
    let rest = head.uri.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let path = rest.dropFirst(authority.count)
    head.uri = path.hasPrefix("/") ? String(path) : "/\(path)"
    let hosts = head.headers["Host"]
    let agrees = hosts.count == 1 && hosts[0].lowercased() == authority.lowercased()
    // One that disagrees is one host too many, which is refused as such.
    if !agrees { head.headers.add(name: "Host", value: String(authority)) }
    return true
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard let request = asked.first, request.isOld else {
      if case .end = unwrapOutboundIn(data), !asked.isEmpty { asked.removeFirst() }
      context.write(data, promise: promise)
      return
    }
    switch unwrapOutboundIn(data) {
    case .head(let head) where head.status.code < 200:
      // HTTP/1.0 knows no interim answers.
      promise?.succeed()
    case .head(var head):
      // As such it is sent without chunks.
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
      asked.removeFirst()
      context.writeAndFlush(data, promise: promise)
      if isLast { context.close(mode: .output, promise: nil) }
    }
  }
}
