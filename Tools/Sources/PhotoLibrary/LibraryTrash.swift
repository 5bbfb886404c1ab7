import CropCore
import CropImaging
import FoundationEssentials
import Glibc
import Synchronization

/// A photo in the trash that can be restored.
public struct RemovedPhoto: Sendable {
  /// The id that it had, and gets back.
  public let id: LibraryID
  /// The name of its file, for users.
  public let name: String
  /// When it was removed, in seconds since 1970.
  public let time: Int
}

/// The photos of a library that were moved to the desktop's trash or replaced, and can be restored.
public final class LibraryTrash: Sendable {
  let records: RemovalRecords
  private let files: PhotoFiles
  private let engine: CropEngine
  private let trash: Trash
  /// Held while a photo is removed, replaced or restored, one at a time.
  private let lock = Mutex(())

  init(_ files: PhotoFiles, _ engine: CropEngine, _ userFolders: UserFolders) throws {
    self.files = files
    self.engine = engine
    records = try RemovalRecords(folder: userFolders.removals(of: files.root.path))
    trash = Trash(
      userFolders: userFolders, limit: files.limits.bytes,
      library: Digests.md5(of: files.root.path.bytes))
  }

  /// The photos that were moved to the trash and can be restored, the last one first. Blocks.
  public func photos() -> [RemovedPhoto] {
    records.removed().compactMap { removal, time in
      guard removal.seemsThere, files.root.admits(removal.place) else { return nil }
      return RemovedPhoto(id: removal.photo, name: removal.place.name.name, time: time)
    }.sorted { ($0.time, $0.name) > ($1.time, $1.name) }
  }

  /// Opens the file of a photo in the trash. Blocks.
  ///
  /// - Throws: ``LibraryError/nothingToRestore``, or a `CropError` for a file that can't be read.
  public func open(_ id: LibraryID) throws -> ImageSource {
    guard let removal = records.removal(of: id), removal.replacement == nil, removal.seemsThere,
      files.root.admits(removal.place)
    else { throw LibraryError.nothingToRestore }
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let file = Glibc.open(removal.item.path.terminated, flags)
    guard file >= 0 else { throw LibraryError.nothingToRestore }
    return try ImageSource(
      adopting: file, name: removal.place.name.name, limits: files.limits)
  }

  /// Moves a photo's file to the desktop's trash. Blocks.
  ///
  /// - Throws: ``LibraryError/gone(name:)``, ``LibraryError/changed(name:)``,
  ///   ``LibraryError/trash(detail:)`` or ``LibraryError/diskFull(place:)``.
  public func move(_ photo: Photo) throws {
    let folder = try files.folder(of: photo)
    try lock.withLock { _ in
      try files.index.checkWriting()
      let original = try RemovedFile(photo.place.name, in: folder, limit: files.limits.bytes)
      try remove(photo, from: folder) { note in
        _ = try put(photo, of: folder, .moved, original, for: nil, note)
      }
    }
  }

  /// Replaces a photo with its crop; the original is moved to the trash. If the file system can
  /// exchange names, the file is always either the old or the new one. If the work is cancelled
  /// (``CropImaging/CropStop``), the old one stays. Blocks.
  ///
  /// Other data in the file (pages, a gain map, a video) must be in the crop too, unless
  /// `dropsRest` allows their loss.
  ///
  /// The file keeps its time. A crop in another format keeps the photo's name: its content
  /// determines its format.
  ///
  /// - Throws: as ``PhotoLibrary/saveCrop(of:as:options:version:)``, `CropError.wouldLoseData`,
  ///   ``LibraryError/trash(detail:)``, and ``LibraryError/changed(name:)`` or
  ///   ``LibraryError/bothKept(name:kept:)`` if another program saves the file in the meantime; its
  ///   version stays.
  public func replace(
    _ photo: Photo, as wanted: RequestedCrop, options: ResultOptions, version: String? = nil,
    dropsRest: Bool = false
  ) throws -> SavedCrop {
    let opened = try files.open(photo, version: version)
    let folder = try files.folder(of: photo)
    let name = photo.place.name
    do {
      // The photo stays where it was in a list by time, here and in other programs.
      let pending = try PendingSave(
        as: name, in: folder, replacing: .input, input: opened.source, keepsTime: true)
      let result = try opened.reading { source in
        let picture = try engine.open(source, options: options)
        return try wanted.planned(of: picture, options).result(
          by: engine, into: pending.file, isReplacing: true, dropsRest: dropsRest)
      }
      try lock.withLock { _ in
        try files.index.checkWriting()
        let original = try RemovedFile(name, in: folder, limit: files.limits.bytes)
        guard original.stamp == opened.stamp else { throw LibraryError.changed(name: photo.name) }
        try remove(photo, from: folder) { note in
          try exchange(photo, in: folder, original, for: result, by: pending, note)
        }
      }
      return SavedCrop(photo: try files.index.photo(now: photo.id), result: result, isNew: true)
    } catch CropError.outputChanged(let path, let kept) {
      throw LibraryError(inTrash: CropError.outputChanged(path: path, kept: kept), name)
    }
  }

  private func exchange(
    _ photo: Photo, in folder: ConfinedFolder, _ original: RemovedFile,
    for result: CropResult, by pending: PendingSave, _ note: (Removal) throws -> Void
  ) throws {
    var item: Trash.Item?
    do {
      try pending.replaceInput(with: result) { new in
        item = try put(photo, of: folder, .kept, original, for: FileStamp(new), note)
      }
    } catch {
      let isReplaced =
        (error as? CropError)?.code == CropError.notFlushed(path: "", detail: "").code
      if let item, !isReplaced { trash.discard(item, original) }
      throw error
    }
  }

  private func put(
    _ photo: Photo, of folder: ConfinedFolder, _ fate: Trash.Fate, _ original: RemovedFile,
    for new: FileStamp?, _ note: (Removal) throws -> Void
  ) throws -> Trash.Item {
    try trash.put(
      photo.place.name, of: folder, path: files.absolutePath(of: photo), fate, original
    ) { item in
      try note(
        Removal(
          photo: photo.id, place: photo.place, replacement: new, item: item, original: original))
    }
  }

  /// Removes info files in the trash that have no file, left behind by a killed program.
  func removeOrphanedNotes() {
    lock.withLock { _ in
      guard let folder = try? files.root.opened() else { return }
      trash.removeOrphanedNotes(beside: folder, path: files.root.path)
    }
  }

  /// Removes or replaces a photo with `work`, which first records the removed file. If recording or
  /// indexing fails, for example on a full disk, the change is reverted, since it could not be
  /// undone later.
  private func remove(
    _ photo: Photo, from folder: ConfinedFolder, by work: ((Removal) throws -> Void) throws -> Void
  ) throws {
    let earlier = records.removal(of: photo)
    func forget() { try? records.reset(photo.id, to: earlier) }
    var removal: Removal?
    do {
      try work { new in
        try records.note(new, after: earlier)
        removal = new
      }
    } catch CropError.notFlushed(let path, let detail) {
      // The photo is replaced, even though the disk did not confirm it.
      try? files.indexer.refresh([photo.place])
      throw CropError.notFlushed(path: path, detail: detail)
    } catch {
      forget()
      throw error
    }
    do {
      try files.indexer.refresh([photo.place])
    } catch {
      if let removal, (try? trash.restore(removal, to: folder)) != nil { forget() }
      throw error
    }
  }

  /// Restores what was last trashed or replaced. Blocks.
  ///
  /// - Throws: ``LibraryError/nothingToRestore``; ``LibraryError/changed(name:)`` if another
  ///   program has written the file that would be replaced; ``LibraryError/trash(detail:)``, also
  ///   if the trash has a different file under that name; or ``LibraryError/diskFull(place:)``.
  public func restore(_ id: LibraryID) throws -> Photo {
    let photo = try? files.index.photo(now: id)
    return try lock.withLock { _ in
      guard let removal = photo.flatMap(records.removal) ?? records.removal(of: id) else {
        throw LibraryError.nothingToRestore
      }
      let place = removal.place
      // In a library of named files, the records of other files are in the same folder.
      guard files.root.admits(place) else { throw LibraryError.nothingToRestore }
      let folder: ConfinedFolder
      do throws(CropError) {
        folder = try files.root.folder(place.folder)
      } catch {
        throw LibraryError.trash(detail: "its folder no longer exists")
      }
      // Checked first, so that an unwritable index is detected in time.
      try files.index.checkWriting()
      try trash.restore(removal, to: folder)
      records.pop(removal, leaving: folder.stamp(of: place.name))
      try files.indexer.refresh([place])
      if let known = try files.index.known(place), known.id != id {
        try files.index.rename(known.id, to: id)
      }
      guard let known = try files.index.known(place) else {
        throw LibraryError.gone(name: place.name.name)
      }
      if let checksum = removal.original.digest {
        try files.index.link(known.id, checksum: checksum, bytes: Int(known.stamp.size))
      }
      return try files.index.photo(now: known.id)
    }
  }
}

extension PhotoIndex {
  /// - Throws: a `DatabaseError` if the index can't be written now, because another program has
  ///   locked it.
  func checkWriting() throws {
    try database.write { _ in }
  }
}
