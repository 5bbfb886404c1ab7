import CropImaging
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Keeps the index in sync with the disk: scans folders, reads new and changed files, removes
/// missing ones.
///
/// All operations can be repeated and run concurrently: the disk is checked again before anything
/// is removed.
final class Indexer: Sendable {
  let root: LibraryRoot
  let index: PhotoIndex
  private let reader: FileReader
  let events: LibraryEvents
  private let isStopped = Atomic(false)
  /// Reads half of the files. It is a serial queue, so that it does not block other work.
  private let second = DispatchQueue(label: "cropkit.library.reader", qos: .utility)

  /// Called with each folder before it is listed.
  typealias FolderFound = @Sendable (PathBytes, ConfinedFolder) -> Void

  init(root: LibraryRoot, index: PhotoIndex, engine: CropEngine, events: LibraryEvents) {
    self.root = root
    self.index = index
    self.events = events
    reader = FileReader(root: root, engine: engine)
  }

  /// Makes a running scan stop soon.
  func stop() { isStopped.store(true, ordering: .relaxed) }

  var isRunning: Bool { !isStopped.load(ordering: .relaxed) }

  /// The number of files that are read before they are added to the index in one transaction.
  private static let batch = 128

  /// Scans the given folders and all folders in them, also those that only the index has, and
  /// removes missing files from the index.
  func sync(_ folders: [PathBytes], onFolder: FolderFound) throws {
    if let files = root.files { return try sync(files, onFolder: onFolder) }
    let found = folders.flatMap { tree(from: $0, onFolder: onFolder) }
    let isWhole = folders.contains { $0.bytes.isEmpty }
    var total = found.reduce(0) { $0 + $1.files }
    var done = 0
    if isWhole { events.progress(done: 0, total: total) }
    var missing: [LibraryID] = []
    for (path, files) in found where isRunning {
      let (gone, listed) = try sync(folder: path) { more in
        if isWhole { events.progress(done: done + more, total: max(total, done + more)) }
      }
      missing += gone
      done += listed
      total += listed - files
    }
    let seen = Set(found.map(\.path))
    for path in try index.folders() where isRunning && !seen.contains(path) {
      guard folders.contains(where: { path.isInside($0) }) else { continue }
      missing += try index.known(in: path).values.map(\.id)
    }
    if isRunning { try forget(missing) }
    if isWhole { events.progress(nil) }
  }

  /// Scans only the named files.
  private func sync(_ files: NamedFiles, onFolder: FolderFound) throws {
    let places = files.all
    for path in Set(places.map(\.folder)) {
      if let folder = try? root.folder(path) { onFolder(path, folder) }
    }
    try refresh(places)
    events.progress(nil)
  }

  /// The folder and all folders in it, each with its number of files; the names are not kept.
  private func tree(
    from top: PathBytes, onFolder: FolderFound
  ) -> [(path: PathBytes, files: Int)] {
    var found: [(PathBytes, Int)] = []
    var rest = [top]
    while let path = rest.popLast(), isRunning {
      guard let folder = try? root.folder(path) else { continue }
      onFolder(path, folder)
      guard let listing = try? FolderListing(folder) else { continue }
      found.append((path, listing.files.count))
      rest += listing.folders.map { path.child($0) }
    }
    return found
  }

  /// Scans the files directly in a folder.
  ///
  /// - Returns: the files that are only in the index, and the number of files in the folder.
  private func sync(
    folder path: PathBytes, progress: (Int) -> Void
  ) throws -> (missing: [LibraryID], count: Int) {
    guard let folder = try? root.folder(path),
      let listing = try? FolderListing(folder)
    else { return (try index.known(in: path).values.map(\.id), 0) }
    var known = try index.known(in: path)
    var fresh: [PhotoPlace] = []
    var done = 0
    for name in listing.files {
      guard isRunning else { return ([], done) }
      guard let stamp = folder.stamp(of: name) else { continue }
      let place = PhotoPlace(folder: path, name: name)
      if let old = known.removeValue(forKey: name), old.stamp == stamp, !old.isDoubtful {
        done += 1
        continue
      }
      fresh.append(place)
      if fresh.count == Self.batch {
        try read(fresh)
        done += fresh.count
        progress(done)
        fresh = []
      }
    }
    try read(fresh)
    progress(done + fresh.count)
    return (known.values.map(\.id), listing.files.count)
  }

  /// Checks single files again: existing ones are read, missing ones removed.
  func refresh(_ places: [PhotoPlace]) throws {
    var missing: [LibraryID] = []
    var fresh: [PhotoPlace] = []
    for place in places {
      let known = try index.known(place)
      if root.admits(place), let stamp = root.stamp(of: place) {
        if known?.stamp != stamp || known?.isDoubtful == true { fresh.append(place) }
      } else if let known {
        missing.append(known.id)
      }
    }
    for start in stride(from: 0, to: fresh.count, by: Self.batch) where isRunning {
      try read(Array(fresh[start..<min(start + Self.batch, fresh.count)]))
    }
    try forget(missing)
  }

  /// Reads files and adds them to the index.
  private func read(_ places: [PhotoPlace]) throws {
    guard !places.isEmpty else { return }
    let reader = reader
    let rows = Mutex([(Int, PhotoRow)]())
    let read: @Sendable (Range<Int>) -> Void = { range in
      for position in range {
        guard let row = reader.row(at: places[position]) else { continue }
        rows.withLock { $0.append((position, row)) }
      }
    }
    let middle = places.count > 8 ? places.count / 2 : 0
    let others = DispatchGroup()
    if middle > 0 { second.async(group: others) { read(0..<middle) } }
    read(middle..<places.count)
    others.wait()
    var new: [PhotoRow] = []
    for (_, row) in rows.withLock({ $0 }).sorted(by: { $0.0 < $1.0 }) {
      if let id = try moved(row) {
        let overwritten = try index.move(id, to: row.place)
        if let overwritten { events.note(.removed, overwritten, in: row.place.folder) }
        events.note(.changed, id, in: row.place.folder)
      } else {
        new.append(row)
      }
    }
    let before = try new.map { try index.known($0.place) }
    let ids = try index.store(new)
    for ((row, id), old) in zip(zip(new, ids), before) where row.kind != .other {
      // Skip a file that has not changed.
      guard old?.stamp != row.stamp || old?.problem != row.problem?.code else { continue }
      events.note(old == nil ? .added : .changed, id, in: row.place.folder)
    }
  }

  /// The photo that this file was before it was renamed or moved here.
  private func moved(_ row: PhotoRow) throws -> LibraryID? {
    for old in try index.places(ofInode: row.stamp.inode)
    where old.stamp == row.stamp && old.place != row.place && root.isGone(old.place) {
      return old.id
    }
    return nil
  }

  /// Removes files from the index, unless they still exist.
  private func forget(_ ids: [LibraryID]) throws {
    for start in stride(from: 0, to: ids.count, by: 500) {
      let gone: [(LibraryID, PhotoPlace)] = try index.places(
        of: Array(ids[start..<min(start + 500, ids.count)])
      ).filter { _, place in root.isGone(place) }
      try index.remove(gone.map(\.0))
      for (id, place) in gone { events.note(.removed, id, in: place.folder) }
    }
  }
}
