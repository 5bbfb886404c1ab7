import CropImaging
import Glibc

extension Trash {
  /// Restores a file to `folder`, its original place. Only the file that replaced it is
  /// overwritten.
  ///
  /// The file stays in the trash until it is restored.
  ///
  /// - Throws: ``LibraryError/nothingToRestore`` if the trash was emptied,
  ///   ``LibraryError/changed(name:)`` if another program has written the file that would be
  ///   replaced, ``LibraryError/trash(detail:)`` or ``LibraryError/diskFull(place:)``.
  func restore(_ removal: Removal, to folder: ConfinedFolder) throws(LibraryError) {
    let name = removal.place.name
    let fresh = PathBytes(".cropkit-\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp")
    do {
      let item = try verified(removal)
      try duplicate(removal, as: fresh, in: folder)
      do {
        try place(fresh, name, of: folder, removal)
      } catch {
        FileReplacement.discard(fresh.terminated, in: folder.descriptor)
        throw error
      }
      fsync(folder.descriptor)
      var status = stat()
      if lstat(removal.item.path.terminated, &status) == 0, FileStamp(status) == item {
        unlink(removal.item.path.terminated)
      }
      unlink(removal.item.infoPath.terminated)
    } catch {
      throw LibraryError(inTrash: error, name)
    }
  }

  /// The stamp of the file in the trash, if it is the one that was removed.
  private func verified(_ removal: Removal) throws(LibraryError) -> FileStamp {
    var status = stat()
    let path = removal.item.path.terminated
    guard lstat(path, &status) == 0 else {
      throw errno == ENOENT ? .nothingToRestore : Self.failure(errno)
    }
    let stamp = FileStamp(status)
    let file = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    let isSame =
      file >= 0
      ? removal.original.isSame(adopting: file)
      // A file that could not be read when it was removed either.
      : removal.original.digest == nil && stamp == removal.original.stamp
    guard isSame else {
      throw .trash(
        detail: "the trash has a different file with that name; the removed one is gone")
    }
    return stamp
  }

  /// Links the file in the trash to a second name in `folder`, or copies it if it is on another
  /// disk or on one without links.
  private func duplicate(
    _ removal: Removal, as fresh: PathBytes, in folder: ConfinedFolder
  ) throws {
    let path = removal.item.path.terminated
    guard linkat(AT_FDCWD, path, folder.descriptor, fresh.terminated, 0) != 0 else { return }
    guard [EXDEV, EPERM, EMLINK, ENOTSUP, ENOSYS].contains(errno) else {
      throw Self.failure(errno, writing: Self.photoFolder)
    }
    let source = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard source >= 0 else { throw Self.failure(errno) }
    defer { close(source) }
    do throws(CropError) {
      try FileCopy.make(
        of: source, as: fresh, in: folder.descriptor, limit: Int(removal.original.stamp.size))
    } catch {
      // Swift 6.2 crashes if a clause catches only this case.
      guard case .diskFull = error else { throw error }
      throw LibraryError.diskFull(place: Self.photoFolder)
    }
  }

  /// The folder of a restored photo, in words.
  private static let photoFolder = "the photo's folder"

  private func place(
    _ fresh: PathBytes, _ name: PathBytes, of folder: ConfinedFolder, _ removal: Removal
  ) throws {
    if let replacement = removal.replacement, folder.status(of: name) != nil {
      func isExpected(_ found: stat) -> Bool { FileStamp(found) == replacement }
      if try !FileReplacement.exchange(
        fresh, with: name, in: folder.descriptor, isExpected: isExpected)
      {
        try FileReplacement.moveAside(
          fresh, with: name, in: folder.descriptor, isExpected: isExpected)
      }
      return
    }
    guard
      FileReplacement.moveNew(fresh, of: folder.descriptor, as: name, in: folder.descriptor) == 0
    else {
      guard errno == EEXIST else { throw Self.failure(errno, writing: Self.photoFolder) }
      throw LibraryError.trash(detail: "another file has its name now; rename that one first")
    }
  }
}
