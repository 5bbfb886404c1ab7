import CropImaging
import Foundation
import Glibc
import Synchronization

/// What was removed or replaced of each photo of a library, so that it can be brought back step by step.
///
/// Each is a small file of JSON, called after the photo, that is on the disk before anything is removed.
/// No cache: the index can be deleted or damaged without a loss.
final class RemovalRecords: Sendable {
  private let folder: String
  /// Under which photos the files of replaced ones are noted: an index that was made anew may call them
  /// otherwise.
  private let ids = Mutex<[PhotoPlace: LibraryID]>([:])

  /// The records in `folder`, less those whose file is no longer in the trash.
  init(folder: String) {
    self.folder = folder
    for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard file.hasSuffix(Self.ending), let id = LibraryID(file.dropLast(Self.ending.count)),
        let removal = removal(of: id)
      else { continue }
      let rest = removal.steps.filter { !$0.item.isGone }
      if rest.count < removal.steps.count { try? reset(id, to: Removal(steps: rest)) }
      guard let first = rest.first else { continue }
      ids.withLock { $0[first.place] = id }
    }
  }

  private static let ending = ".json"
  /// More than the paths of all steps usually have.
  private static let mostBytes = 16 << 20
  /// The most steps that are noted of a photo.
  private static let mostSteps = 1000

  private func path(of id: LibraryID) -> String { "\(folder)/\(id.text)\(Self.ending)" }

  /// What was removed or replaced last of the photo of an id; nil where nothing was.
  func removal(of id: LibraryID) -> Removal? {
    guard
      let source = try? PictureSource(path: path(of: id), limits: Limits(bytes: Self.mostBytes)),
      let bytes = try? source.allBytes()
    else { return nil }
    return try? JSONDecoder().decode(Removal.self, from: bytes)
  }

  /// What was replaced last of a photo, whatever it was called then; nil where nothing was.
  func removal(of photo: Photo) -> Removal? {
    if let removal = removal(of: photo.id), removal.place == photo.place { return removal }
    guard let id = ids.withLock({ $0[photo.place] }), id != photo.id else {
      return removal(of: photo.id)
    }
    return removal(of: id)
  }

  /// Notes a removal, to be undone before `earlier`.
  ///
  /// - Throws: ``CropError/diskFull(path:)`` and what else a save ends with.
  func note(_ removal: Removal, after earlier: Removal?) throws {
    var removal = removal
    let steps = (earlier?.steps ?? []).filter { !$0.item.isGone }
    removal.earlier = Array(steps.prefix(Self.mostSteps - 1))
    try save(removal)
  }

  /// Forgets a removal that was brought back; the one before it is the next.
  ///
  /// - Parameter stamp: the file that is in its place now.
  func pop(_ removal: Removal, leaving stamp: FileStamp?) {
    guard var next = Removal(steps: removal.earlier) else { return forget(removal.photo) }
    next.photo = removal.photo
    // It is what the earlier one was replaced by, unless another program saved it in between.
    if next.replacement == removal.original.stamp { next.replacement = stamp }
    try? save(next)
  }

  /// Notes what was noted before of a photo, nothing where nothing was.
  func reset(_ id: LibraryID, to removal: Removal?) throws {
    guard var removal else { return forget(id) }
    removal.photo = id
    try save(removal)
  }

  private func save(_ removal: Removal) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try AtomicFile.save(encoder.encode(removal), to: path(of: removal.photo), replacing: .existing)
    ids.withLock { $0[removal.place] = removal.photo }
  }

  /// Forgets what was removed of a photo. A file that can't be removed does no harm: what it tells of is
  /// no longer in the trash.
  func forget(_ id: LibraryID) {
    if let removal = removal(of: id) {
      ids.withLock { if $0[removal.place] == id { $0[removal.place] = nil } }
    }
    unlink(path(of: id))
  }
}

extension Removal {
  /// This one and those before it, each alone.
  fileprivate var steps: [Removal] {
    var first = self
    first.earlier = []
    return [first] + earlier
  }

  /// The first of some steps with the others; nil where there are none.
  fileprivate init?(steps: [Removal]) {
    guard var first = steps.first else { return nil }
    first.earlier = Array(steps.dropFirst())
    self = first
  }
}
