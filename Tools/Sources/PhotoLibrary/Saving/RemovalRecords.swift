import CropImaging
import FoundationEssentials
import Glibc
import Synchronization

/// The removed and replaced files of each photo of a library, so that they can be restored step by
/// step.
///
/// Each record is a small JSON file, named after the photo's id, that is written before anything is
/// removed. This is not a cache: the index can be deleted or damaged without affecting it.
final class RemovalRecords: Sendable {
  private let folder: String
  /// The ids under which the files of replaced photos are recorded: a rebuilt index may use other
  /// ids.
  private let ids = Mutex<[PhotoPlace: LibraryID]>([:])

  /// Reads the records in `folder`, and removes those whose file is no longer in the trash.
  init(folder: String) {
    self.folder = folder
    for id in recorded {
      guard let stored = record(of: id) else { continue }
      let rest = stored.withoutGoneSteps
      if rest != stored { try? reset(id, to: rest) }
      if let rest { ids.withLock { $0[rest.place] = id } }
    }
  }

  private var recorded: [LibraryID] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { file in
      file.hasSuffix(Self.ending) ? LibraryID(file.dropLast(Self.ending.count)) : nil
    }
  }

  /// The photos that were moved to the trash and not replaced, and when, in seconds since 1970.
  func removed() -> [(Removal, time: Int)] {
    recorded.compactMap { id in
      guard let removal = removal(of: id), removal.replacement == nil else { return nil }
      var status = stat()
      return stat(path(of: id), &status) == 0 ? (removal, status.st_mtim.tv_sec) : nil
    }
  }

  private static let ending = ".json"
  /// More than the paths of all steps usually take.
  private static let maxBytes = 16 << 20
  /// The maximum number of steps per photo.
  private static let mostSteps = 1000

  private func path(of id: LibraryID) -> String { "\(folder)/\(id.text)\(Self.ending)" }

  /// The last removal of the photo with this id that can be undone; nil if there is none.
  func removal(of id: LibraryID) -> Removal? { record(of: id)?.withoutGoneSteps }

  /// The removals of the photo with this id as they are stored.
  private func record(of id: LibraryID) -> Removal? {
    guard
      let source = try? ImageSource(path: path(of: id), limits: Limits(bytes: Self.maxBytes)),
      let bytes = try? source.allBytes()
    else { return nil }
    return try? JSONDecoder().decode(Removal.self, from: bytes)
  }

  /// The last removal of a photo that can be undone, under any of its ids; nil if there is none.
  func removal(of photo: Photo) -> Removal? {
    if let removal = removal(of: photo.id), removal.place == photo.place { return removal }
    guard let id = ids.withLock({ $0[photo.place] }), id != photo.id else {
      return removal(of: photo.id)
    }
    return removal(of: id)
  }

  /// Records a removal, to be undone before `earlier`.
  ///
  /// - Throws: ``LibraryError/diskFull(place:)`` and other errors of saving.
  func note(_ removal: Removal, after earlier: Removal?) throws {
    var removal = removal
    removal.earlier = Array((earlier?.steps ?? []).prefix(Self.mostSteps - 1))
    try save(removal)
  }

  /// Removes the record of a restored removal; the one before it is next.
  ///
  /// - Parameter stamp: the version of the file that is now in its place.
  func pop(_ removal: Removal, leaving stamp: FileStamp?) {
    guard var next = Removal(steps: removal.earlier) else { return forget(removal.photo) }
    next.photo = removal.photo
    // The restored file replaced the earlier one, unless another program saved it in between.
    if next.replacement == removal.original.stamp { next.replacement = stamp }
    try? save(next)
  }

  /// Restores a photo's earlier record, or removes it if there was none.
  func reset(_ id: LibraryID, to removal: Removal?) throws {
    guard var removal else { return forget(id) }
    removal.photo = id
    try save(removal)
  }

  private func save(_ removal: Removal) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = try encoder.encode(removal)
    try LibraryError.savingRecords {
      try AtomicFile.save(bytes, to: path(of: removal.photo), replacing: .existing)
    }
    ids.withLock { $0[removal.place] = removal.photo }
  }

  /// Removes a photo's record. If that fails, the record does no harm: the file it refers to is no
  /// longer in the trash.
  func forget(_ id: LibraryID) {
    if let removal = record(of: id) {
      ids.withLock { if $0[removal.place] == id { $0[removal.place] = nil } }
    }
    unlink(path(of: id))
  }
}

extension Removal {
  /// This removal and those before it, as separate steps.
  fileprivate var steps: [Removal] {
    var first = self
    first.earlier = []
    return [first] + earlier
  }

  /// The steps whose file is still in the trash; nil if there are none.
  fileprivate var withoutGoneSteps: Removal? {
    var (rest, gone) = ([Removal](), nil as Removal?)
    for var step in steps {
      // What replaced the missing file now replaces the one before it.
      if let gone, step.replacement == gone.original.stamp, let stamp = gone.replacement {
        step.replacement = stamp
      }
      if step.item.isGone {
        gone = step
      } else {
        rest.append(step)
        gone = nil
      }
    }
    return Removal(steps: rest)
  }

  /// The first step, with the others as its `earlier`; nil if there are none.
  fileprivate init?(steps: [Removal]) {
    guard var first = steps.first else { return nil }
    first.earlier = Array(steps.dropFirst())
    self = first
  }
}
