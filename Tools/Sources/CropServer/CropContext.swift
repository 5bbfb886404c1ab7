import Hummingbird
import NIOCore
import Synchronization

/// What is known of a request beside its contents.
struct CropContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The connection it came by.
  let channel: any Channel
  /// Where it comes from: who connected, or who is behind that proxy.
  var address: ClientAddress {
    get { visitor.state.withLock { $0.address } }
    nonmutating set { visitor.state.withLock { $0.address = newValue } }
  }
  /// The id of the device that sends it; nil for a program that knows the token.
  var device: String? {
    get { visitor.state.withLock { $0.device } }
    nonmutating set { visitor.state.withLock { $0.device = newValue } }
  }
  /// Shared by all copies, so that the log sees what was found out later.
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
