import CropImaging
import Dispatch
import GRDB
import Synchronization

/// Finds the photos that crops were cut from, where that is not known: after the index was made anew,
/// or when a source has come back.
///
/// Files of a lost source's length are read, one at a time, in a thread that nothing else waits for. Of
/// what crops say of their sources nothing can be believed: a search reads no more bytes than the limit of
/// a file, takes no longer than the limit of a picture, and no file is read twice for one source.
final class SourceSearch: Sendable {
  private struct State {
    var isStopped = false
    var isWaiting = false
    /// Which files were read in vain, and for what.
    var tried: Set<TriedSource> = []
  }

  private let root: LibraryRoot
  private let index: PhotoIndex
  private let events: LibraryEvents
  private let limits: Limits
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "cropkit.library.sources")

  init(
    root: LibraryRoot, index: PhotoIndex, events: LibraryEvents, limits: Limits,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.root = root
    self.index = index
    self.events = events
    self.limits = limits
    self.now = now
  }

  /// Looks for all that is not known, when the search that runs now is done.
  func begin() {
    let isFirst = state.withLock { state in
      defer { state.isWaiting = true }
      return !state.isWaiting
    }
    guard isFirst else { return }
    queue.async { [weak self] in
      self?.state.withLock { $0.isWaiting = false }
      // An index that can't be written, as on a full disk, is tried again with the next change.
      try? self?.find()
    }
  }

  /// Ends what is read now, at the next piece.
  func stop() { state.withLock { $0.isStopped = true } }

  private var isRunning: Bool { state.withLock { !$0.isStopped } }

  /// Looks for all that is not known. Blocks.
  func find() throws {
    let all = try index.lostSources(most: limits.bytes)
    for lost in all where isRunning {
      guard let source = try source(lost), isRunning else { continue }
      for crop in try index.link(source.id, checksum: lost.checksum, bytes: lost.bytes) {
        events.note(.changed, crop.id, in: crop.folder)
      }
    }
    let checksums = Set(all.map(\.checksum))
    state.withLock { state in
      state.tried = state.tried.filter { checksums.contains($0.checksum) }
    }
  }

  /// The photo that has a lost source's bytes, whatever it is called by now.
  private func source(_ lost: LostSource) throws -> Photo? {
    let candidates = try index.photos(ofSize: lost.bytes)
    let ordered =
      candidates.filter { $0.name == lost.name } + candidates.filter { $0.name != lost.name }
    var budget = Budget(bytes: limits.bytes, end: now() + .seconds(limits.seconds))
    for photo in ordered.prefix(Self.mostCandidates) {
      let tried = TriedSource(checksum: lost.checksum, photo: photo.id, stamp: photo.stamp)
      guard state.withLock({ !$0.tried.contains(tried) }) else { continue }
      let checksum = checksum(of: photo, &budget)
      if checksum == lost.checksum { return photo }
      guard isRunning else { return nil }
      state.withLock { _ = $0.tried.insert(tried) }
    }
    return nil
  }

  /// What one search may still read.
  private struct Budget {
    var bytes: Int
    let end: ContinuousClock.Instant
  }

  private struct Spent: Error {}

  /// The checksum of a photo's file; nil where it is no longer the one that the index knows, can't be
  /// read, or costs too much.
  private func checksum(of photo: Photo, _ budget: inout Budget) -> String? {
    guard budget.bytes >= photo.stamp.size, now() < budget.end,
      let raw = try? root.open(photo.place),
      let source = try? PictureSource(adopting: raw, name: photo.name, limits: limits),
      FileStamp(of: raw) == photo.stamp
    else { return nil }
    let checksum = try? Digests.sha256(of: source) { count in
      budget.bytes -= count
      guard budget.bytes >= 0, now() < budget.end, isRunning else { throw Spent() }
    }
    return FileStamp(of: raw) == photo.stamp ? checksum : nil
  }

  /// The most files of the same length that are read to find one.
  private static let mostCandidates = 8
}

/// A file that was read to find what a crop was cut from, in the state it was in.
private struct TriedSource: Hashable {
  let checksum: String
  let photo: LibraryID
  let stamp: FileStamp
}

/// What crops say of a photo they were cut from, of which it is not known which one it is.
struct LostSource: Hashable {
  let checksum: String
  let bytes: Int
  let name: String
}

extension PhotoIndex {
  /// The sources of crops that are not known, though there are files of their length, up to `most` bytes.
  fileprivate func lostSources(most: Int) throws -> [LostSource] {
    try database.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT DISTINCT checksum, sourceBytes, sourceName FROM crop
          WHERE source IS NULL AND sourceBytes <= ?
          AND EXISTS (SELECT 1 FROM photo WHERE size = sourceBytes AND kind < 2 AND id <> crop.photo)
          """, arguments: [most]
      ).map { LostSource(checksum: $0[0], bytes: $0[1], name: $0[2]) }
    }
  }

  /// The photos whose files have the given length.
  fileprivate func photos(ofSize size: Int) throws -> [Photo] {
    try database.read { database in
      try Row.fetchAll(
        database,
        sql:
          "SELECT \(Photo.columns) FROM \(Photo.tables) WHERE photo.size = ? AND kind < 2 LIMIT 100",
        arguments: [size]
      ).map(Photo.init)
    }
  }

  /// Notes that a photo, whose file has the given checksum and length, is the source of all crops that
  /// name these.
  ///
  /// - Returns: those crops, and the folders they are in.
  @discardableResult
  func link(
    _ id: LibraryID, checksum: String, bytes: Int
  ) throws -> [(id: LibraryID, folder: PathBytes)] {
    try database.write { database in
      let condition = "source IS NULL AND sourceBytes = ? AND checksum = ? AND crop.photo <> ?"
      let arguments: StatementArguments = [bytes, checksum, id.number]
      let crops = try Row.fetchAll(
        database,
        sql: """
          SELECT crop.photo, folder.path FROM crop JOIN photo ON photo.id = crop.photo
          JOIN folder ON folder.id = photo.folder WHERE \(condition)
          """, arguments: arguments)
      try database.execute(
        sql: "UPDATE crop SET source = ? WHERE \(condition)", arguments: [id.number] + arguments)
      return crops.map { (LibraryID($0[0]), PathBytes($0.bytes(1))) }
    }
  }
}
