import CropImaging
import HTTPTypes
import Hummingbird
import NIOCore

/// Rejects unauthenticated requests.
struct AccessMiddleware: RouterMiddleware {
  let access: Access
  let clients: Clients

  func handle(
    _ request: Request, context: CropContext,
    next: (Request, CropContext) async throws -> Response
  ) async throws -> Response {
    // The resources of the sign-in page, and its form's action.
    if Page.isOpen(request)
      || [AccessRoutes.signIn, AccessRoutes.health, AccessRoutes.ready].contains(request.uri.path)
    {
      return try await next(request, context)
    }
    switch try await access.visitor(request, context) {
    case .stranger(let answer): return answer
    case .program(let token):
      return try await serve(.program(token), request, context, next)
    case .device(let id):
      context.device = id
      return try await serve(.device(id), request, context, next)
    }
  }

  /// Answers the request of a known sender, for whom its images are decoded.
  private func serve(
    _ sender: Clients.Sender, _ request: Request, _ context: CropContext,
    _ next: (Request, CropContext) async throws -> Response
  ) async throws -> Response {
    clients.note(context.channel, isOf: sender)
    return try await CropPrincipal.$current.withValue(sender.principal) {
      try await next(request, context)
    }
  }
}

/// Sign-in, and the list of signed-in devices.
struct AccessRoutes: Sendable {
  let access: Access
  let clients: Clients

  static let signIn = "/sign-in"
  /// Reports that the server responds, and nothing else.
  static let health = "/api/health"

  /// Reports whether the server can work now.
  static let ready = "/api/ready"

  func add(to routes: Routes) {
    // The user reloaded the page that rejected a token.
    routes.get("sign-in") { _, _ in Access.onward([:]) }
    routes.post("sign-in") { request, context in try await access.signIn(request, context) }
    routes.get("api/devices") { request, context in try list(request, context) }
    routes.post("api/devices/:id/end") { request, context in try await end(request, context) }
  }

  private struct List: Encodable {
    let devices: [Item]
  }

  private struct Item: Encodable {
    let id: String
    let name: String
    let joined: String
    let seen: String
    /// The address it was last seen at; nil if it was not recorded.
    let address: String?
    let isThis: Bool
  }

  private func list(_ request: Request, _ context: CropContext) throws -> Response {
    _ = try Query(of: request, known: [])
    return try Response(
      json: List(
        devices: access.devices.all.map { device in
          Item(
            id: device.id, name: device.name, joined: Moment.text(seconds: device.joined) + "Z",
            seen: Moment.text(seconds: device.seen) + "Z", address: device.address,
            isThis: device.id == context.device)
        }))
  }

  private func end(_ request: Request, _ context: CropContext) async throws -> Response {
    _ = try Query(of: request, known: [])
    let id = context.parameters.get("id") ?? ""
    // A device that signs itself out gets a response; its other connections are closed.
    if id == context.device { clients.note(context.channel, isOf: nil) }
    guard try await access.devices.end(id) else {
      throw Problem(.notFound, code: "not-found", "no such device; it may be signed out")
    }
    return Response(status: .noContent)
  }
}
