import Hummingbird
import NIOCore

/// What is known of a request beside its contents.
struct CropContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The connection it came by.
  let channel: any Channel
  /// Where it comes from: who connected, or who is behind that proxy.
  var address: ClientAddress
  /// The id of the device that sends it; nil for a program that knows the token.
  var device: String?

  init(source: Source) {
    coreContext = .init(source: source)
    channel = source.channel
    address = ClientAddress(of: source.channel)
  }
}
