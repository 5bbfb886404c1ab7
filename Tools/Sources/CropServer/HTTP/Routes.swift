import HTTPTypes
import Hummingbird

/// The calls there are. An address that is called by another method than it knows says which it knows
/// (RFC 9110, 15.5.6).
final class Routes {
  typealias Call = @Sendable (Request, CropContext) async throws -> Response

  private let router: Router<CropContext>
  private var methods: [String: [HTTPRequest.Method]] = [:]

  init(_ router: Router<CropContext>) {
    self.router = router
  }

  /// A call by GET, and by HEAD.
  func get(_ path: String, _ call: @escaping Call) { add(path, .get, call) }

  /// A call by POST.
  func post(_ path: String, _ call: @escaping Call) { add(path, .post, call) }

  /// A call by PUT.
  func put(_ path: String, _ call: @escaping Call) { add(path, .put, call) }

  /// A call by DELETE.
  func delete(_ path: String, _ call: @escaping Call) { add(path, .delete, call) }

  private func add(_ path: String, _ method: HTTPRequest.Method, _ call: @escaping Call) {
    methods[path, default: []].append(method)
    router.on(RouterPath(path), method: method, use: call)
  }

  /// The methods that a request may have at all.
  static let known: [HTTPRequest.Method] = [
    .get, .head, .post, .put, .delete, .patch, .options, .trace, .connect,
  ]

  /// Refuses all other methods of the calls that were added.
  ///
  /// - Parameter isThere: whether there is anything at an address that only the last, general path takes.
  func refuseOtherMethods(_ isThere: @escaping @Sendable (Request) -> Bool) {
    for (path, methods) in methods {
      // The router answers to HEAD wherever it answers to GET.
      let allowed = methods + (methods.contains(.get) ? [.head] : [])
      let names = allowed.map(\.rawValue).joined(separator: ", ")
      for method in Self.known where !allowed.contains(method) {
        router.on(RouterPath(path), method: method) { request, _ -> Response in
          guard path != "**" || isThere(request) else { throw Problem.nothingHere }
          var problem = Problem(
            .methodNotAllowed, code: "method", "this address takes \(names) only")
          problem.headers[.allow] = names
          throw problem
        }
      }
    }
  }
}

extension Problem {
  /// There is nothing at an address.
  static var nothingHere: Self {
    Self(.notFound, code: "not-found", "there is nothing at this address")
  }
}
