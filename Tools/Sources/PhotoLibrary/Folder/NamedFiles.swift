import Synchronization

/// The files of a library that is no whole folder: those that a person named, and what is saved beside
/// them.
final class NamedFiles: Sendable {
  private let places = Mutex<Set<PhotoPlace>>([])

  /// All of them, in no order.
  var all: [PhotoPlace] { places.withLock { Array($0) } }

  func contains(_ place: PhotoPlace) -> Bool { places.withLock { $0.contains(place) } }

  func insert(_ place: PhotoPlace) { places.withLock { _ = $0.insert(place) } }

  func remove(_ place: PhotoPlace) { places.withLock { _ = $0.remove(place) } }
}
