import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Grants access to clients that send the token, and to browsers that have signed in with it.
final class Access: Sendable {
  let devices: Devices
  let codes = OneTimeCodes()
  private let limit = SignInLimit()
  private let page: Page
  private let live: LiveSettings

  init(_ live: LiveSettings, devices: Devices, page: Page) {
    self.live = live
    self.devices = devices
    self.page = page
  }

  /// The sender of a request.
  enum Visitor {
    case device(String), program(AccessToken)
    /// An unauthenticated client, which only gets this response.
    case stranger(Response)
  }

  /// Identifies the sender of a request. Unauthenticated requests get the sign-in page.
  func visitor(_ request: Request, _ context: CropContext) async throws -> Visitor {
    let device = await device(of: request, at: context.address.text)
    if request.method == .get, request.uri.path == "/", let link = signInLink(in: request) {
      return .stranger(try await follow(link, request, context, device))
    }
    if let device { return .device(device.id) }
    if let given = request.bearerToken {
      switch judge(given, request, context) {
      case .right(let token): return .program(token)
      case .wrong: return .stranger(refusal(of: request, .wrong))
      case .tooSoon(let seconds): return .stranger(refusal(of: request, .slow(seconds: seconds)))
      }
    }
    return .stranger(refusal(of: request, .first))
  }

  /// Handles the submitted form of the sign-in page.
  func signIn(_ request: Request, _ context: CropContext) async throws -> Response {
    var body = ByteBuffer()
    try await request.readBody(on: context.channel) { part, count in
      guard count <= 4096 else {
        throw Problem(.contentTooLarge, code: "request", "a token may have at most 256 characters")
      }
      body.writeImmutableBuffer(part)
    }
    let form = try Query(String(buffer: body), known: ["token"])
    switch judge((form["token"] ?? "").trimmed, request, context) {
    case .right(let token): return try await welcome(request, context, token)
    case .wrong: return refusal(of: request, .wrong)
    case .tooSoon(let seconds): return refusal(of: request, .slow(seconds: seconds))
    }
  }

  // MARK: Links

  private enum Link {
    case token(String), code(String)
  }

  private func signInLink(in request: Request) -> Link? {
    let parameters = request.uri.queryParameters
    if let code = parameters["code"] { return .code(String(code)) }
    return parameters["token"].map { .token(String($0)) }
  }

  /// The response to a sign-in link. It redirects to the page, even if the browser is already
  /// signed in, so that the code leaves the address bar.
  private func follow(
    _ link: Link, _ request: Request, _ context: CropContext, _ device: Devices.Device?
  ) async throws -> Response {
    let way: Refusal
    switch link {
    case .code(let code):
      if codes.use(code) {
        return try await welcome(request, context, live.now.token, known: device)
      }
      way = .old
      log(context, "the code has been used or has expired")
    case .token(let given):
      switch judge(given, request, context) {
      case .right(let token): return try await welcome(request, context, token, known: device)
      case .wrong: way = .wrong
      case .tooSoon(let seconds): way = .slow(seconds: seconds)
      }
    }
    return device == nil ? refusal(of: request, way) : Self.onward([:])
  }

  private enum Verdict {
    case right(AccessToken), wrong
    case tooSoon(seconds: Int)
  }

  private func judge(_ given: String, _ request: Request, _ context: CropContext) -> Verdict {
    if let token = live.now.token(given) { return .right(token) }
    // A request that another site triggers proves nothing about the client at that address.
    if request.isOfOtherSite { return .wrong }
    switch limit.countWrong(from: context.address.network) {
    case .tooSoon(let seconds): return .tooSoon(seconds: seconds)
    case .wrong:
      log(context, "the token was wrong")
      return .wrong
    }
  }

  private func log(_ context: CropContext, _ reason: String) {
    context.logger.warning(
      "sign-in refused", metadata: ["address": "\(context.address.text)", "reason": "\(reason)"])
  }

  // MARK: Responses

  /// Signs in a browser and sets its cookie, unless it has one.
  ///
  /// The cookie is `Lax`, so that links on other pages work. The `Origin` check rejects any change
  /// that such a page requests.
  private func welcome(
    _ request: Request, _ context: CropContext, _ token: AccessToken,
    known: Devices.Device? = nil
  ) async throws -> Response {
    if let known {
      try await devices.renew(known, by: token)
      return Self.onward([:])
    }
    let name = DeviceName.of(request.headers[.userAgent] ?? "")
    let secret = try await devices.join(name: name, address: context.address.text, by: token)
    context.logger.notice(
      "signed in", metadata: ["address": "\(context.address.text)", "name": "\(name)"])
    // Over TLS, browsers must never send it unencrypted.
    let isSecure = isSecure(request)
    // The longest time that browsers keep a cookie.
    return Self.onward([
      .setCookie:
        "\(Self.cookie(isSecure: isSecure))=\(secret); Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax"
        + (isSecure ? "; Secure" : "")
    ])
  }

  static func onward(_ headers: HTTPFields) -> Response {
    var headers = headers
    headers[.location] = "/"
    headers[.cacheControl] = "no-store"
    return Response(status: .seeOther, headers: headers)
  }

  /// Why a client is refused.
  enum Refusal: Equatable {
    case first, wrong, old
    case slow(seconds: Int)
  }

  /// The sign-in page for a browser, a problem document for a program.
  private func refusal(of request: Request, _ reason: Refusal) -> Response {
    var problem = Problem(.unauthorized, code: "token", reason.words)
    if case .slow(let seconds) = reason {
      problem = Problem(.tooManyRequests, code: "slow-down", reason.words)
      problem.headers[.retryAfter] = "\(seconds)"
    } else {
      problem.headers[.wwwAuthenticate] = "Bearer"
    }
    var response = problem.response
    if request.isForPerson, let text = page.signIn(reason, for: request) {
      response.headers[.contentType] = "text/html; charset=utf-8"
      response.headers[.contentLength] = "\(text.readableBytes)"
      response.headers[.vary] = "Accept, Accept-Language, Cookie"
      response.headers[.contentSecurityPolicy] = ResponseHeaders.signInPolicy
      // Makes browsers send the form with its origin.
      response.headers[named: "Referrer-Policy"] = "same-origin"
      response.body = ResponseBody(byteBuffer: text)
    }
    return response
  }

  private func device(of request: Request, at address: String) async -> Devices.Device? {
    for secret in request.cookies(named: Self.cookie(isSecure: isSecure(request))).prefix(4) {
      if let device = await devices.device(keeping: secret, at: address) { return device }
    }
    return nil
  }

  private func isSecure(_ request: Request) -> Bool {
    live.now.scheme(for: request.head.authority?.lowercased() ?? "") == "https"
  }

  /// Browsers only accept cookies with this prefix from the host itself, over HTTPS (RFC 6265bis,
  /// 4.1.3.2).
  private static func cookie(isSecure: Bool) -> String {
    isSecure ? "__Host-cropkit-session" : "cropkit-session"
  }
}

extension Access.Refusal {
  fileprivate var words: String {
    switch self {
    case .first: "sign in with the token; at startup the server printed it or the name of its file"
    case .wrong: "this is not the token; at startup the server printed it or the name of its file"
    case .old: "this link was used or has expired; use --open again, or sign in with the token"
    case .slow(let seconds): "too many wrong tokens; try again in \(seconds) s"
    }
  }
}

extension Request {
  /// Whether a browser will display the response.
  fileprivate var isForPerson: Bool {
    let accepted = headers[values: .accept].joined(separator: ",")
    let isCall = uri.path.split(separator: "/").first == "api"
    return !isCall && (uri.path == "/" || accepted.contains("text/html"))
  }

  /// Whether the request was triggered by a page of another site.
  fileprivate var isOfOtherSite: Bool {
    let site = headers[named: "Sec-Fetch-Site"]
    return site == "cross-site" || site == "same-site"
  }

  fileprivate var bearerToken: String? {
    let scheme = "bearer "
    guard let value = headers[.authorization], value.lowercased().hasPrefix(scheme) else {
      return nil
    }
    return value.dropFirst(scheme.count).trimmed
  }

  fileprivate func cookies(named name: String) -> [String] {
    headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
      let parts = pair.trimmed.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0] == name ? String(parts[1]) : nil
    }
  }
}
