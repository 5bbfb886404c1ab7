import CropImaging
import Dispatch
import Synchronization

/// Finds unknown sources of crops: after the index was rebuilt, or when a source reappears.
///
/// It reads files of the same length as a missing source, one at a time, in a thread that nothing
/// waits for. Crops are untrusted about their sources: a search does not read more bytes than the
/// limit of a file, does not take longer than the limit of an image, and does not read a file twice
/// for one source.
final class SourceSearch: Sendable {
  private struct State {
    var isStopped = false
    var isWaiting = false
    /// The files that were read without success, and the sources they were read for.
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

  /// Searches for all unknown sources, after the current search.
  func begin() {
    let isFirst = state.withLock { state in
      defer { state.isWaiting = true }
      return !state.isWaiting
    }
    guard isFirst else { return }
    queue.async { [weak self] in
      self?.state.withLock { $0.isWaiting = false }
      // If the index can't be written, for example on a full disk, the next change tries again.
      try? self?.find()
    }
  }

  /// Stops the current read at the next chunk.
  func stop() { state.withLock { $0.isStopped = true } }

  private var isRunning: Bool { state.withLock { !$0.isStopped } }

  /// Searches for all unknown sources. Blocks.
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

  /// The photo with the bytes of a lost source, whatever its name is now.
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

  /// The remaining budget of a search.
  private struct Budget {
    var bytes: Int
    let end: ContinuousClock.Instant
  }

  private struct SearchLimitReached: Error {}

  /// The checksum of a photo's file; nil if it differs from the indexed version, can't be read, or
  /// exceeds the budget.
  private func checksum(of photo: Photo, _ budget: inout Budget) -> String? {
    guard budget.bytes >= photo.stamp.size, now() < budget.end,
      let raw = try? root.open(photo.place),
      let source = try? ImageSource(adopting: raw, name: photo.name, limits: limits),
      FileStamp(of: raw) == photo.stamp
    else { return nil }
    let checksum = try? Digests.sha256(of: source) { count in
      budget.bytes -= count
      guard budget.bytes >= 0, now() < budget.end, isRunning else { throw SearchLimitReached() }
    }
    return FileStamp(of: raw) == photo.stamp ? checksum : nil
  }

  /// The maximum number of files with the same length that are read for one source.
  private static let mostCandidates = 8
}

/// A file that was read for a source, in its state at that time.
private struct TriedSource: Hashable {
  let checksum: String
  let photo: LibraryID
  let stamp: FileStamp
}

/// A source that crops refer to but that has not been identified.
struct LostSource: Hashable {
  let checksum: String
  let bytes: Int
  let name: String
}

extension PhotoIndex {
  /// The unknown sources of crops for which files of the same length exist, up to `most` bytes.
  fileprivate func lostSources(most: Int) throws -> [LostSource] {
    try database.read { database in
      try database.rows(
        """
        SELECT DISTINCT checksum, sourceBytes, sourceName FROM crop
        WHERE source IS NULL AND sourceBytes <= ?
        AND EXISTS (SELECT 1 FROM photo WHERE size = sourceBytes AND kind < 2 AND id <> crop.photo)
        """, [most]
      ).map { try LostSource(checksum: $0[0], bytes: $0[1], name: $0[2]) }
    }
  }

  /// The photos whose files have the given length.
  fileprivate func photos(ofSize size: Int) throws -> [Photo] {
    try database.read { database in
      try database.rows(
        "SELECT \(Photo.columns) FROM \(Photo.tables) WHERE photo.size = ? AND kind < 2 LIMIT 100",
        [size]
      ).map(Photo.init)
    }
  }

  /// Records that a photo, whose file has the given checksum and length, is the source of all crops
  /// that name these.
  ///
  /// - Returns: those crops, and the folders they are in.
  @discardableResult
  func link(
    _ id: LibraryID, checksum: String, bytes: Int
  ) throws -> [(id: LibraryID, folder: PathBytes)] {
    try database.write { database in
      let condition = "source IS NULL AND sourceBytes = ? AND checksum = ? AND crop.photo <> ?"
      let arguments: [any SQLConvertible] = [bytes, checksum, id.number]
      let crops = try database.rows(
        """
        SELECT crop.photo, folder.path FROM crop JOIN photo ON photo.id = crop.photo
        JOIN folder ON folder.id = photo.folder WHERE \(condition)
        """, arguments)
      try database.execute(
        "UPDATE crop SET source = ? WHERE \(condition)", [id.number] + arguments)
      return try crops.map { (try $0[0], try $0[1]) }
    }
  }
}
