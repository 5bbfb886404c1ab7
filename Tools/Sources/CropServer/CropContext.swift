import Hummingbird

/// What is known of a request beside its contents.
struct CropContext: RequestContext {
  var coreContext: CoreRequestContextStorage

  init(source: Source) {
    coreContext = .init(source: source)
  }
}
