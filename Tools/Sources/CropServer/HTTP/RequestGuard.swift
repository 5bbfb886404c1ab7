import Glibc
import Hummingbird
import Synchronization

/// Rejects requests that other sites make a browser send.
///
/// `Host` must be a name of this server, so that a foreign domain that resolves to this address
/// does not work. For requests that change something, `Origin` must be this server itself.
final class RequestGuard: RouterMiddleware {
  private let live: LiveSettings
  private let port: Mutex<Int?>

  private var settings: ServerSettings { live.now }

  init(_ live: LiveSettings) {
    self.live = live
    if case .port(_, let port) = live.now.place {
      self.port = Mutex(port)
    } else {
      port = Mutex(nil)
    }
  }

  /// Records the port that the server listens on, before the first request.
  func listens(on port: Int) {
    self.port.withLock { $0 = port }
  }

  func handle(
    _ request: Request, context: CropContext,
    next: (Request, CropContext) async throws -> Response
  ) async throws -> Response {
    let authority = try checkedHost(of: request)
    try checkCodings(of: request)
    try checkOrigin(of: request, authority: authority)
    return try await next(request, context)
  }

  private func checkedHost(of request: Request) throws(Problem) -> String {
    guard let authority = request.head.authority?.lowercased(),
      // A second Host field.
      !request.headers.contains(where: { $0.name.canonicalName == "host" }), isOwn(authority)
    else {
      throw Problem(
        .misdirectedRequest, code: "foreign-host",
        "this server has no such host name; start it with --origin and the URL that you use")
    }
    return authority
  }

  /// Bodies are chunked or have a length; other codings are not decoded (RFC 9112, 6.1).
  private func checkCodings(of request: Request) throws(Problem) {
    let codings = request.headers[values: .transferEncoding].joined(separator: ",").lowercased()
    guard codings.isEmpty || codings.trimmed == "chunked" else {
      var problem = Problem(
        .notImplemented, code: "request",
        "this transfer coding is not supported; send the body chunked or with its length")
      problem.headers[.connection] = "close"
      throw problem
    }
  }

  private func checkOrigin(of request: Request, authority: String) throws(Problem) {
    let own = "\(settings.scheme(for: authority))://\(authority)"
    let origins = request.headers[values: .origin]
    let isOwnOrigin = origins.allSatisfy { $0.lowercased() == own }
    let site = request.headers[named: "Sec-Fetch-Site"]
    let isForeignSite = site == "cross-site" || site == "same-site"
    let isReading = request.method == .get || request.method == .head
    // The router ignores empty path components, so do the same.
    let isCall = request.uri.path.split(separator: "/").first == "api"
    guard isReading || (isOwnOrigin && origins.count <= 1), !isForeignSite || !isCall
    else {
      throw Problem(.forbidden, code: "foreign-origin", "requests from other sites are refused")
    }
  }

  /// Whether `Host`, in lower case, names this server: exactly, with its port.
  func isOwn(_ authority: String) -> Bool {
    if settings.origins.contains(where: { $0.authority == authority }) { return true }
    guard let name = name(in: authority) else { return false }
    if ["127.0.0.1", "localhost", "[::1]"].contains(name) { return true }
    guard case .port(let host, _) = settings.place else { return false }
    if name == host.authority { return true }
    // Certificates are issued for names. With a foreign name that resolves here, a browser has no
    // session.
    if !host.isLoopback, HostNames.names.contains(name) { return true }
    // A server on all addresses has many numeric names; a foreign site can't redirect a number.
    guard host.isEverything else { return false }
    return name.hasPrefix("[") && name.hasSuffix("]")
      ? HostNames.isNumber(String(name.dropFirst().dropLast()), AF_INET6)
      : HostNames.isNumber(name, AF_INET)
  }

  /// The value of `Host` without this server's port. Clients omit the default port, and a socket
  /// has none.
  private func name(in authority: String) -> String? {
    guard let port = port.withLock({ $0 }) else { return authority }
    if authority.hasSuffix(":\(port)") { return String(authority.dropLast(":\(port)".count)) }
    return port == (settings.tls == nil ? 80 : 443) ? authority : nil
  }
}
