import Glibc
import Hummingbird
import Synchronization

/// Turns away requests that other sites make a browser send.
///
/// `Host` is compared with what this server is called, so a foreign name that was pointed at this address
/// gets nowhere; `Origin` must be this server itself wherever something is done.
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

  /// Tells the port that was taken, before the first request.
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
        .misdirectedRequest, code: "foreign-host", "this server is not known by that name")
    }
    return authority
  }

  /// Bodies come chunked or with their length; other codings are not decoded (RFC 9112, 6.1).
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
    // As the router takes the path apart: it passes over empty parts.
    let isCall = request.uri.path.split(separator: "/").first == "api"
    guard isReading || (isOwnOrigin && origins.count <= 1), !isForeignSite || !isCall
    else {
      throw Problem(.forbidden, code: "foreign-origin", "requests of other sites are refused")
    }
  }

  /// Whether `Host`, in lower case, names this server: exactly, with its port.
  func isOwn(_ authority: String) -> Bool {
    if settings.origins.contains(where: { $0.authority == authority }) { return true }
    guard let name = name(in: authority) else { return false }
    if ["127.0.0.1", "localhost", "[::1]"].contains(name) { return true }
    guard case .port(let host, _) = settings.place else { return false }
    if name == host.authority { return true }
    // Certificates are made out to names. A name that somebody pointed here holds no session.
    if !host.isLoopback, OwnAddress.names.contains(name) { return true }
    // On all addresses there are many names; a number can't be pointed elsewhere by a foreign site.
    guard host.isEverything else { return false }
    return name.hasPrefix("[") && name.hasSuffix("]")
      ? OwnAddress.isNumber(String(name.dropFirst().dropLast()), AF_INET6)
      : OwnAddress.isNumber(name, AF_INET)
  }

  /// What `Host` says without this server's port, which clients leave out where it is the usual one, and
  /// which a socket has not.
  private func name(in authority: String) -> String? {
    guard let port = port.withLock({ $0 }) else { return authority }
    if authority.hasSuffix(":\(port)") { return String(authority.dropLast(":\(port)".count)) }
    return port == (settings.tls == nil ? 80 : 443) ? authority : nil
  }
}
