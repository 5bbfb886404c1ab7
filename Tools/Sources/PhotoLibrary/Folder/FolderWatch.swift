import CropImaging
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Notifies an indexer of changes in its folders.
///
/// One thread reads the kernel's events and records which files and folders to check; a queue
/// checks them, so that events are read while a long scan runs. If events were lost, or not every
/// folder can be watched, everything is checked. The same happens if the library's folder was
/// replaced: removed and recreated, or hidden by a mounted disk.
final class FolderWatch: Sendable {
  private struct State {
    var paths: [Int32: PathBytes] = [:]
    /// When to check files: nanoseconds of the monotonic clock.
    var files: [PhotoPlace: UInt64] = [:]
    var folders: Set<PathBytes> = []
    /// When to check folders.
    var folderTime: UInt64 = 0
    var isBusy = false
    var nextPass: UInt64?
    /// How many checks in a row failed.
    var failures = 0
    /// Called when the index can't be written, with the reason; with nil when it can again.
    var onProblem: (@Sendable (String?) -> Void)?
    /// The library's own folder when it was last watched; nil if it did not exist.
    var root: FileIdentity?
    /// When to check whether it is still the same folder.
    var rootTime: UInt64 = 0
  }

  private let indexer: Indexer
  private let sources: SourceSearch
  private let inotify = Inotify()
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "cropkit.library.watch", qos: .utility)
  private let isStopped = Atomic(false)

  /// The delay that merges the events of one change.
  private static let calm: UInt64 = 100_000_000
  /// Longer than `calm`, so that the new place of a moved file is found before its old one is
  /// checked.
  private static let departing: UInt64 = 300_000_000
  /// How long a new file may be written to before it is checked, unless its writer closes it first.
  private static let writing: UInt64 = 1_500_000_000
  /// How often everything is checked if not every folder can be watched.
  private static let passes: UInt64 = 60_000_000_000

  /// When everything is checked again after the index could not be written: soon, then less often.
  private static func pause(after failures: Int) -> UInt64 {
    min(passes, 1_000_000_000 << UInt64(min(failures, 6)))
  }

  /// How often the library's own folder is checked: the system does not report that a disk was
  /// mounted.
  private static let rootPause: UInt64 = 1_000_000_000

  init(indexer: Indexer, sources: SourceSearch) {
    self.indexer = indexer
    self.sources = sources
  }

  /// Starts with a scan of everything.
  ///
  /// - Parameter onProblem: called when the index can't be written, with the reason; with nil when it
  ///   can again.
  func start(onProblem: (@Sendable (String?) -> Void)?) {
    state.withLock { state in
      state.folders = [PathBytes("")]
      state.onProblem = onProblem
    }
    lookIfDue()
    // It waits for the system nearly all the time, so it gets a thread that nothing else needs.
    DispatchQueue(label: "cropkit.watch").async { [weak self] in
      while let self, !self.isStopped.load(ordering: .relaxed) {
        self.note(self.waited())
        self.lookForRoot()
        self.lookIfDue()
      }
    }
  }

  /// Checks a folder soon, and watches it from then on.
  func look(at folder: PathBytes) {
    state.withLock { state in
      state.folders.insert(folder)
      state.folderTime = Self.now
    }
  }

  func stop() {
    isStopped.store(true, ordering: .relaxed)
    // Waits for the current write, so that nothing is written after a stop.
    queue.sync {}
  }

  private func waited() -> [Inotify.Notice] {
    if let inotify { return inotify.notices(waiting: 100) }
    usleep(100_000)
    return []
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  private func note(_ notices: [Inotify.Notice]) {
    guard !notices.isEmpty else { return }
    let now = Self.now
    state.withLock { state in
      for notice in notices {
        if notice.isOverflow {
          state.folders.insert(PathBytes(""))
          state.folderTime = now + Self.calm
          continue
        }
        if notice.isEnd {
          // If a folder inside the library is gone, its parent reports that.
          if state.paths.removeValue(forKey: notice.watch)?.bytes.isEmpty == true {
            // A new folder in its place may get its inode, and would be taken for it.
            state.root = nil
            state.folders.insert(PathBytes(""))
            state.folderTime = now + Self.calm
          }
          continue
        }
        guard let folder = state.paths[notice.watch], !notice.name.bytes.isEmpty,
          !notice.name.isHidden
        else { continue }
        if notice.isFolder {
          let path = folder.child(notice.name)
          if notice.isDeparture { forget(path, &state) }
          state.folders.insert(path)
          state.folderTime = now + Self.calm
        } else {
          let place = PhotoPlace(folder: folder, name: notice.name)
          state.files[place] = now + Self.delay(before: notice)
        }
      }
    }
  }

  private static func delay(before notice: Inotify.Notice) -> UInt64 {
    if notice.isBeginning { return writing }
    return notice.isDeparture ? departing : calm
  }

  /// Ends the watches of a folder that no longer exists; its new path is watched separately.
  private func forget(_ path: PathBytes, _ state: inout State) {
    for (watch, folder) in state.paths where folder.isInside(path) {
      inotify?.end(watch)
      state.paths[watch] = nil
    }
  }

  private func lookForRoot() {
    let now = Self.now
    let isDue = state.withLock { state in
      guard state.rootTime <= now, !state.isBusy else { return false }
      state.rootTime = now + Self.rootPause
      return true
    }
    guard isDue else { return }
    let root: FileIdentity?
    do throws(CropError) {
      root = try indexer.root.opened().identity
    } catch .resourceUnavailable {
      return
    } catch {
      root = nil
    }
    state.withLock { state in
      guard state.root != root, !state.isBusy else { return }
      state.root = root
      forget(PathBytes(""), &state)
      state.folders.insert(PathBytes(""))
      state.folderTime = now
    }
  }

  private func lookIfDue() {
    let now = Self.now
    let (files, folders): ([PhotoPlace], [PathBytes]) = state.withLock { state in
      guard !state.isBusy else { return ([], []) }
      if let pass = state.nextPass, pass <= now {
        state.folders.insert(PathBytes(""))
        state.nextPass = nil
      }
      let files = state.files.filter { $0.value <= now }.map(\.key)
      for place in files { state.files[place] = nil }
      var folders: Set<PathBytes> = []
      if state.folderTime <= now { swap(&folders, &state.folders) }
      state.isBusy = !files.isEmpty || !folders.isEmpty
      return (files, Self.outermost(folders))
    }
    guard !files.isEmpty || !folders.isEmpty else { return }
    queue.async { [self] in
      if !isStopped.load(ordering: .relaxed) { look(files, folders) }
      state.withLock { $0.isBusy = false }
    }
  }

  private func look(_ files: [PhotoPlace], _ folders: [PathBytes]) {
    do {
      if !folders.isEmpty {
        try indexer.sync(folders) { [self] path, folder in watch(path, folder) }
      }
      try indexer.refresh(files)
      sources.begin()
      let wasFailing = state.withLock { state in
        defer { state.failures = 0 }
        return state.failures > 0
      }
      if wasFailing { report(nil) }
    } catch {
      // The index could not be written (for example on a full disk): retry with a complete scan.
      let failures = state.withLock { state in
        defer { state.failures += 1 }
        state.nextPass = Self.now + Self.pause(after: state.failures)
        return state.failures
      }
      if failures == 0 { report("\(error)") }
    }
  }

  private func report(_ reason: String?) {
    state.withLock { $0.onProblem }?(reason)
  }

  private func watch(_ path: PathBytes, _ folder: ConfinedFolder) {
    let watch = inotify?.watch(folder)
    state.withLock { state in
      if path.bytes.isEmpty { state.root = folder.identity }
      if let watch {
        state.paths[watch] = path
      } else {
        state.nextPass = Self.now + Self.passes
      }
    }
  }

  /// The folders that are not inside another one.
  private static func outermost(_ folders: Set<PathBytes>) -> [PathBytes] {
    folders.filter { folder in
      !folders.contains { $0 != folder && folder.isInside($0) }
    }
  }
}
