import Foundation
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
    if let token = settings.token, !request.holds(token: token) {
      guard request.method == .get, request.uri.path == "/",
        request.uri.queryParameters["token"].map({ matches(String($0), token) }) == true
      else {
        throw Problem(
          .unauthorized, code: "token", "open the address that the server printed when it started")
      }
      return welcome(token: token)
    }
    return try await next(request, context)
  }

  private func checkedHost(of request: Request) throws(Problem) -> String {
    guard let authority = request.head.authority?.lowercased(),
      // A second Host field.
      !request.headers.contains(where: { $0.name.canonicalName == "host" }), isOwn(authority)
    else {
      throw Problem(
        .init(code: 421, reasonPhrase: "Misdirected Request"), code: "foreign-host",
        "this server is not known by that name")
    }
    return authority
  }

  private func checkOrigin(of request: Request, authority: String) throws(Problem) {
    let origins = request.headers[values: .origin]
    let isOwnOrigin = origins.allSatisfy { $0.lowercased() == "\(settings.scheme)://\(authority)" }
    let site = request.headers[named: "Sec-Fetch-Site"]
    let isForeignSite = site == "cross-site" || site == "same-site"
    let isReading = request.method == .get || request.method == .head
    guard isReading || (isOwnOrigin && origins.count <= 1),
      !isForeignSite || !request.uri.path.hasPrefix("/api/")
    else {
      throw Problem(.forbidden, code: "foreign-origin", "requests of other sites are refused")
    }
  }

  /// Whether `Host` names this server: exactly, with its port.
  private func isOwn(_ authority: String) -> Bool {
    let port = port.withLock { $0 }
    let usual = settings.tls == nil ? 80 : 443
    var names = ["127.0.0.1", "localhost", "[::1]"]
    if !settings.isLoopback {
      names.append(settings.host.contains(":") ? "[\(settings.host)]" : settings.host.lowercased())
      // Certificates are made out to names. A name that somebody pointed here holds no token.
      names += OwnAddress.names
    }
    if names.contains(where: { authority == "\($0):\(port)" || (port == usual && authority == $0) })
    {
      return true
    }
    // On all addresses there are many names; a number can't be pointed elsewhere by a foreign site.
    guard ["0.0.0.0", "::"].contains(settings.host), authority.hasSuffix(":\(port)") else {
      return false
    }
    let host = authority.dropLast(":\(port)".count)
    return host.split(separator: ".").compactMap { UInt8($0) }.count == 4
      || (host.hasPrefix("[") && host.hasSuffix("]"))
  }

  /// Stores the token in the browser, so that it leaves the address bar.
  private func welcome(token: String) -> Response {
    Response(
      status: .seeOther,
      headers: [
        .location: "/", .cacheControl: "no-store",
        .setCookie: "\(Request.tokenCookie)=\(token); Path=/; HttpOnly; SameSite=Strict"
          + (settings.tls == nil ? "" : "; Secure"),
      ])
  }
}

extension Request {
  fileprivate static let tokenCookie = "cropkit-token"

  fileprivate func holds(token: String) -> Bool {
    if let value = headers[.authorization], value.hasPrefix("Bearer ") {
      return matches(String(value.dropFirst("Bearer ".count)), token)
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
