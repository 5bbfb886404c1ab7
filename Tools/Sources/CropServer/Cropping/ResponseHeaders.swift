import HTTPTypes
import Hummingbird

/// Adds the security headers to every response.
struct ResponseHeaders: RouterMiddleware {
  let live: LiveSettings

  /// Allows only what this server sends: no inline scripts or styles, nothing from other servers.
  /// The wasm module may be compiled, and the page may create images.
  private static let policy = [
    "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'",
    "img-src 'self' blob: data:", "media-src 'self' blob:", "font-src 'self'",
    "connect-src 'self' blob: data:", "worker-src 'self' blob:", "manifest-src 'self'",
    "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  /// The sign-in page consists of a form, which its script sends, a style sheet and an image.
  static let signInPolicy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
    "connect-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  /// The documentation shows examples in frames, which may submit their forms.
  static let documentationPolicy = [
    "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'",
    "img-src 'self' blob:", "connect-src 'self'", "worker-src 'self'", "frame-src 'self'",
    "base-uri 'none'", "form-action 'self'", "frame-ancestors 'self'",
  ].joined(separator: "; ")

  /// The page uses the camera and no other device.
  private static let permissions = [
    "camera=(self)", "microphone=()", "geolocation=()", "display-capture=()", "payment=()",
    "usb=()",
    "serial=()", "hid=()", "midi=()", "accelerometer=()", "gyroscope=()", "magnetometer=()",
  ].joined(separator: ", ")

  func handle(
    _ request: Request, context: CropContext,
    next: (Request, CropContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    if response.headers[.contentSecurityPolicy] == nil {
      response.headers[.contentSecurityPolicy] = Self.policy
      response.headers[named: "Referrer-Policy"] = "no-referrer"
    }
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[named: "Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers[.crossOriginResourcePolicy] = "same-origin"
    response.headers[named: "Permissions-Policy"] = Self.permissions
    // Only for names that were configured for HTTPS: the header applies to all ports of a name.
    let authority = request.head.authority?.lowercased()
    if live.now.origins.contains(where: { $0.authority == authority && $0.scheme == "https" }) {
      response.headers[named: "Strict-Transport-Security"] = "max-age=31536000"
    }
    return response
  }
}

extension HTTPFields {
  /// The value of a field that the library does not define.
  subscript(named name: String) -> String? {
    get { HTTPField.Name(name).flatMap { self[$0] } }
    set {
      if let name = HTTPField.Name(name) { self[name] = newValue }
    }
  }

  /// All values of a field that the library does not define.
  func all(named name: String) -> [String] {
    HTTPField.Name(name).map { self[values: $0] } ?? []
  }
}
