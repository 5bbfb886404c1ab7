import CropCore
import CropImaging
import FoundationEssentials
import Glibc

extension PhotoLibrary {
  /// Moves a photo's file to the desktop's trash. Blocks.
  ///
  /// - Throws: ``LibraryError/gone(name:)``, ``LibraryError/changed(name:)``,
  ///   ``LibraryError/trash(detail:)`` or ``LibraryError/diskFull(place:)``.
  public func trash(_ photo: Photo) throws {
    let folder = try existingFolder(of: photo)
    try removing.withLock { _ in
      try index.checkWriting()
      let original = try RemovedFile(photo.place.name, in: folder, limit: engine.limits.bytes)
      try remove(photo, from: folder) { note in
        _ = try trash.put(
          photo.place.name, of: folder, path: absolutePath(of: photo.place), .moved, original
        ) { item in
          try note(
            Removal(
              photo: photo.id, place: photo.place, replacement: nil, item: item,
              original: original))
        }
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
  /// - Throws: as ``saveCrop(of:as:options:version:)``, `CropError.wouldLoseData`,
  ///   ``LibraryError/trash(detail:)``, and ``LibraryError/changed(name:)`` or
  ///   ``LibraryError/bothKept(name:kept:)`` if another program saves the file in the meantime; its
  ///   version stays.
  public func replace(
    _ photo: Photo, as wanted: RequestedCrop, options: ResultOptions, version: String? = nil,
    dropsRest: Bool = false
  ) throws -> SavedCrop {
    let opened = try open(photo, version: version)
    let folder = try existingFolder(of: photo)
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
      try removing.withLock { _ in
        try index.checkWriting()
        let original = try RemovedFile(name, in: folder, limit: engine.limits.bytes)
        guard original.stamp == opened.stamp else { throw LibraryError.changed(name: photo.name) }
        try remove(photo, from: folder) { note in
          try exchange(photo, in: folder, original, for: result, by: pending, note)
        }
      }
      return SavedCrop(photo: try self.photo(now: photo.id), result: result, isNew: true)
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
        item = try trash.put(
          photo.place.name, of: folder, path: absolutePath(of: photo.place), .kept, original
        ) { item in
          try note(
            Removal(
              photo: photo.id, place: photo.place, replacement: FileStamp(new), item: item,
              original: original))
        }
      }
    } catch {
      let isReplaced =
        (error as? CropError)?.code == CropError.notFlushed(path: "", detail: "").code
      if let item, !isReplaced { trash.discard(item, original) }
      throw error
    }
  }

  private var trash: Trash {
    Trash(
      userFolders: userFolders, limit: engine.limits.bytes,
      library: Digests.md5(of: root.path.bytes))
  }

  /// Removes info files in the trash that have no file, left behind by a killed program.
  func removeOrphanedNotes() {
    removing.withLock { _ in
      guard let folder = try? root.opened() else { return }
      trash.removeOrphanedNotes(beside: folder, path: root.path)
    }
  }

  /// Removes or replaces a photo with `work`, which first records the removed file. If recording or
  /// indexing fails, for example on a full disk, the change is reverted, since it could not be
  /// undone later.
  private func remove(
    _ photo: Photo, from folder: ConfinedFolder, by work: ((Removal) throws -> Void) throws -> Void
  ) throws {
    let earlier = removals.removal(of: photo)
    func forget() { try? removals.reset(photo.id, to: earlier) }
    var removal: Removal?
    do {
      try work { new in
        try removals.note(new, after: earlier)
        removal = new
      }
    } catch CropError.notFlushed(let path, let detail) {
      // The photo is replaced, even though the disk did not confirm it.
      try? indexer.refresh([photo.place])
      throw CropError.notFlushed(path: path, detail: detail)
    } catch {
      forget()
      throw error
    }
    do {
      try indexer.refresh([photo.place])
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
    let photo = try? self.photo(now: id)
    return try removing.withLock { _ in
      guard let removal = photo.flatMap(removals.removal) ?? removals.removal(of: id) else {
        throw LibraryError.nothingToRestore
      }
      let place = removal.place
      // In a library of named files, the records of other files are in the same folder.
      guard root.admits(place) else { throw LibraryError.nothingToRestore }
      let folder: ConfinedFolder
      do throws(CropError) {
        folder = try root.folder(place.folder)
      } catch {
        throw LibraryError.trash(detail: "its folder no longer exists")
      }
      // Checked first, so that an unwritable index is detected in time.
      try index.checkWriting()
      try trash.restore(removal, to: folder)
      removals.pop(removal, leaving: folder.stamp(of: place.name))
      try indexer.refresh([place])
      if let known = try index.known(place), known.id != id { try index.rename(known.id, to: id) }
      guard let known = try index.known(place) else {
        throw LibraryError.gone(name: place.name.name)
      }
      if let checksum = removal.original.digest {
        try index.link(known.id, checksum: checksum, bytes: Int(known.stamp.size))
      }
      return try self.photo(now: known.id)
    }
  }

  private func existingFolder(of photo: Photo) throws -> ConfinedFolder {
    do throws(CropError) {
      let folder = try root.folder(photo.place.folder)
      if folder.stamp(of: photo.place.name) != nil { return folder }
    } catch {}
    noteLater(photo.place)
    throw LibraryError.gone(name: photo.name)
  }

  func absolutePath(of place: PhotoPlace) -> PathBytes { root.path.child(place.path) }
}

extension PhotoIndex {
  /// - Throws: a `DatabaseError` if the index can't be written now, because another program has
  ///   locked it.
  func checkWriting() throws {
    try database.write { _ in }
  }
}
