import CropImaging
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// An event in a library.
public enum LibraryEvent: Sendable, Equatable {
  /// The progress of a scan of the complete library, as finished and total files; nil when it ends.
  case indexing(IndexingProgress?)
  /// The changes since the last event: the lists, and the photos (empty if there are too many).
  case changed(albums: [String], photos: [LibraryID: Change])

  /// How a photo changed.
  public enum Change: String, Sendable {
    case added, changed, removed
  }
}

/// The progress of a scan of the library.
public struct IndexingProgress: Sendable, Equatable {
  /// The number of scanned files.
  public let done: Int
  /// The number of files, as far as known.
  public let total: Int
}

/// Collects events and reports them at most four times a second.
final class LibraryEvents: Sendable {
  typealias Listener = AsyncStream<LibraryEvent>.Continuation

  private struct State {
    var listeners: [Int: Listener] = [:]
    var lastListener = 0
    var albums: Set<String> = []
    var photos: [LibraryID: LibraryEvent.Change] = [:]
    var isCrowded = false
    var progress: IndexingProgress?
    var isProgressNew = false
    var isWaiting = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "cropkit.library.events")

  private static let pause = DispatchTimeInterval.milliseconds(250)
  /// The maximum number of photos in one event.
  private static let mostPhotos = 500

  /// The progress of a scan of the library; nil while none runs.
  var progress: IndexingProgress? { state.withLock { $0.progress } }

  /// All events from now on. If a listener is slow, the oldest ones are dropped.
  func listen() -> AsyncStream<LibraryEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(64)) { listener in
      let number = state.withLock { state in
        state.lastListener += 1
        state.listeners[state.lastListener] = listener
        return state.lastListener
      }
      listener.onTermination = { [weak self] _ in
        _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
      }
    }
  }

  /// Ends all streams of events.
  func finish() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in listeners.values { listener.finish() }
  }

  func progress(done: Int, total: Int) {
    progress(IndexingProgress(done: done, total: total))
  }

  func progress(_ progress: IndexingProgress?) {
    state.withLock { state in
      state.isProgressNew = state.isProgressNew || state.progress != progress
      state.progress = progress
    }
    schedule()
  }

  /// Records a change of a photo that is or was in `folder`.
  func note(_ change: LibraryEvent.Change, _ id: LibraryID, in folder: PathBytes) {
    state.withLock { state in
      state.albums.formUnion(AlbumNames.albums(of: folder))
      if state.photos.count >= Self.mostPhotos { state.isCrowded = true }
      if !state.isCrowded {
        let isNew = state.photos[id] == .added && change == .changed
        state.photos[id] = isNew ? .added : change
      }
    }
    schedule()
  }

  private func schedule() {
    let isFirst = state.withLock { state in
      defer { state.isWaiting = true }
      return !state.isWaiting
    }
    if isFirst { queue.asyncAfter(deadline: .now() + Self.pause) { self.tell() } }
  }

  private func tell() {
    let (events, listeners): ([LibraryEvent], [Listener]) = state.withLock { state in
      var events: [LibraryEvent] = []
      if state.isProgressNew { events.append(.indexing(state.progress)) }
      if !state.albums.isEmpty {
        events.append(
          .changed(albums: state.albums.sorted(), photos: state.isCrowded ? [:] : state.photos))
      }
      state.albums = []
      state.photos = [:]
      state.isCrowded = false
      state.isProgressNew = false
      state.isWaiting = false
      return (events, Array(state.listeners.values))
    }
    for listener in listeners { for event in events { listener.yield(event) } }
  }
}
