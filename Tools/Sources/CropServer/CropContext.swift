import Hummingbird
import NIOCore

/// What is known of a request beside its contents.
struct CropContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The connection it came by.
  let channel: any Channel

  init(source: Source) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}
