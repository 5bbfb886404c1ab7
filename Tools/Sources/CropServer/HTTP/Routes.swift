import HTTPTypes
import Hummingbird

/// The API's routes. A request with a method that an address does not support gets a list of those
/// that it does (RFC 9110, 15.5.6).
final class Routes {
  typealias Call = @Sendable (Request, CropContext) async throws -> Response

  private let router: Router<CropContext>
  private var methods: [String: [HTTPRequest.Method]] = [:]

  init(_ router: Router<CropContext>) {
    self.router = router
  }

  /// Adds a route for GET and HEAD.
  func get(_ path: String, _ call: @escaping Call) { add(path, .get, call) }

  func post(_ path: String, _ call: @escaping Call) { add(path, .post, call) }

  func put(_ path: String, _ call: @escaping Call) { add(path, .put, call) }

  func delete(_ path: String, _ call: @escaping Call) { add(path, .delete, call) }

  private func add(_ path: String, _ method: HTTPRequest.Method, _ call: @escaping Call) {
    methods[path, default: []].append(method)
    router.on(RouterPath(path), method: method, use: call)
  }

  /// The methods that the server accepts.
  static let known: [HTTPRequest.Method] = [
    .get, .head, .post, .put, .delete, .patch, .options, .trace, .connect,
  ]

  /// Rejects all other methods of the added routes.
  ///
  /// - Parameter exists: whether an address exists that only the last, general route handles.
  func refuseOtherMethods(_ exists: @escaping @Sendable (Request) -> Bool) {
    for (path, methods) in methods {
      // The router responds to HEAD wherever it responds to GET.
      let allowed = methods + (methods.contains(.get) ? [.head] : [])
      let names = allowed.map(\.rawValue).joined(separator: ", ")
      for method in Self.known where !allowed.contains(method) {
        router.on(RouterPath(path), method: method) { request, _ -> Response in
          guard path != "**" || exists(request) else { throw Problem.nothingHere }
          var problem = Problem(
            .methodNotAllowed, code: "method", "this URL takes \(names) only")
          problem.headers[.allow] = names
          throw problem
        }
      }
    }
  }
}

extension Problem {
  /// No resource exists at the address.
  static var nothingHere: Self {
    Self(.notFound, code: "not-found", "there is nothing at this URL")
  }
}
