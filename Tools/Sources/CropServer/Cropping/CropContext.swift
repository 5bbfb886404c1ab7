import Hummingbird
import NIOCore
import Synchronization

/// What the server knows about a request besides its contents.
struct CropContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The request's connection.
  let channel: any Channel
  /// The origin of the request: the connected client, or the client behind a trusted proxy.
  var address: ClientAddress {
    get { visitor.state.withLock { $0.address } }
    nonmutating set { visitor.state.withLock { $0.address = newValue } }
  }
  /// The id of the sending device; nil for a program that knows the token.
  var device: String? {
    get { visitor.state.withLock { $0.device } }
    nonmutating set { visitor.state.withLock { $0.device = newValue } }
  }
  /// Shared by all copies, so that the log includes what was found out later.
  private let visitor: Visitor

  init(source: Source) {
    coreContext = .init(source: source)
    channel = source.channel
    visitor = Visitor(ClientAddress(of: source.channel))
  }

  private final class Visitor: Sendable {
    let state: Mutex<(address: ClientAddress, device: String?)>

    init(_ address: ClientAddress) { state = Mutex((address, nil)) }
  }
}
