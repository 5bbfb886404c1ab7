import Dispatch
import Glibc

/// Reads the settings again at SIGHUP, as daemons do.
struct Reloading {
  private let source: any DispatchSourceSignal

  /// Calls `action` at each SIGHUP, which is otherwise ignored, one call after the other.
  init(_ action: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeSignalSource(
      signal: SIGHUP, queue: DispatchQueue(label: "cropkit.reloading"))
    source.setEventHandler(handler: action)
    source.resume()
  }

  /// Calls it no more.
  func end() { source.cancel() }
}
