import Glibc
import Hummingbird
import Synchronization

/// Lets in nobody but the server's user.
///
/// A page of another site can make a browser send requests here. `Host` is compared with what this
/// server is called, so a foreign name that was pointed at this address gets nowhere; `Origin` must be
/// this server itself wherever something is done.
final class Gate: RouterMiddleware {
  private let settings: ServerSettings
  private let port: Mutex<Int>

  init(_ settings: ServerSettings) {
    self.settings = settings
    port = Mutex(settings.port)
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
    try checkOrigin(of: request, authority: authority)
    if let token = settings.token {
      // Also where the cookie is there already: the token leaves the address bar.
      if request.method == .get, request.uri.path == "/",
        request.uri.queryParameters["token"].map({ matches(String($0), token) }) == true
      {
        return welcome(token: token)
      }
      guard request.holds(token: token) else {
        throw Problem(
          .unauthorized, code: "token", "open the address that the server printed when it started")
      }
    }
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

  private func checkOrigin(of request: Request, authority: String) throws(Problem) {
    let origins = request.headers[values: .origin]
    let isOwnOrigin = origins.allSatisfy { $0.lowercased() == "\(settings.scheme)://\(authority)" }
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
    guard let name = name(in: authority) else { return false }
    var names = ["127.0.0.1", "localhost", "[::1]"]
    names.append(settings.host.contains(":") ? "[\(settings.host)]" : settings.host.lowercased())
    // Certificates are made out to names. A name that somebody pointed here holds no token.
    if !settings.isLoopback { names += OwnAddress.names }
    if names.contains(name) { return true }
    // On all addresses there are many names; a number can't be pointed elsewhere by a foreign site.
    guard ["0.0.0.0", "::"].contains(settings.host) else { return false }
    return name.hasPrefix("[") && name.hasSuffix("]")
      ? OwnAddress.isNumber(String(name.dropFirst().dropLast()), AF_INET6)
      : OwnAddress.isNumber(name, AF_INET)
  }

  /// What `Host` says without this server's port, which clients leave out where it is the usual one.
  private func name(in authority: String) -> String? {
    let port = port.withLock { $0 }
    if authority.hasSuffix(":\(port)") { return String(authority.dropLast(":\(port)".count)) }
    return port == (settings.tls == nil ? 80 : 443) ? authority : nil
  }

  /// Stores the token in the browser, so that it leaves the address bar.
  ///
  /// `Lax` lets a link on another page lead here; what such a page could do is refused by `Origin`.
  private func welcome(token: String) -> Response {
    Response(
      status: .seeOther,
      headers: [
        .location: "/", .cacheControl: "no-store",
        .setCookie: "\(Request.tokenCookie)=\(token); Path=/; HttpOnly; SameSite=Lax"
          + (settings.tls == nil ? "" : "; Secure"),
      ])
  }
}

extension Request {
  fileprivate static let tokenCookie = "cropkit-token"

  fileprivate func holds(token: String) -> Bool {
    let scheme = "bearer "
    if let value = headers[.authorization], value.lowercased().hasPrefix(scheme) {
      return matches(String(value.dropFirst(scheme.count)), token)
    }
    return headers[values: .cookie].contains { field in
      field.split(separator: ";").contains { pair in
        let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
        return parts.count == 2 && parts[0] == Self.tokenCookie && matches(String(parts[1]), token)
      }
    }
  }
}

/// Whether two texts are equal, in a time that does not tell where they differ.
private func matches(_ given: String, _ token: String) -> Bool {
  let (given, token) = (Array(given.utf8), Array(token.utf8))
  guard given.count == token.count else { return false }
  return zip(given, token).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
