import CropImaging
import Glibc

/// Moves files to the desktop's trash and restores them. It uses the user's own trash if files can
/// be renamed into it, or else the one at the top of their mount. If neither is possible, files are
/// copied.
struct Trash: Sendable {
  /// A file in the trash.
  struct Item: Hashable, Sendable {
    /// The trash's folder, an absolute path.
    let trash: PathBytes
    let name: PathBytes
  }

  private let home: PathBytes
  /// The maximum number of bytes of a file that is copied.
  private let limit: Int
  /// The library's mark in its info files.
  private let library: String

  init(userFolders: UserFolders, limit: Int, library: String) {
    self.library = library
    home = PathBytes("\(userFolders.data)/Trash")
    self.limit = limit
  }

  /// The outcome for a file that is moved to the trash.
  enum Fate {
    case moved
    /// The file also stays in its place.
    case kept
  }

  /// Moves the file `name` of `folder` to the trash.
  ///
  /// - Parameters:
  ///   - path: its absolute path, stored so that other programs can restore it.
  ///   - original: what the file must be.
  ///   - note: called with its place in the trash, before it is moved.
  /// - Throws: ``LibraryError/changed(name:)``, ``LibraryError/trash(detail:)``,
  ///   ``LibraryError/diskFull(place:)``, or what `note` throws; the file then stays in place.
  func put(
    _ name: PathBytes, of folder: ConfinedFolder, path: PathBytes, _ fate: Fate,
    _ original: RemovedFile, note: (Item) throws -> Void
  ) throws -> Item {
    var failure: LibraryError?
    func tried(_ trash: TrashFolder, _ put: (Item) throws -> Bool) throws -> Item? {
      let item: Item
      do throws(LibraryError) {
        item = try trash.reserve(name, path: path, library: library)
      } catch {
        failure = failure ?? error
        return nil
      }
      do {
        try note(item)
        if try put(item) {
          fsync(trash.files)
          return item
        }
      } catch {
        trash.release(item)
        throw error
      }
      trash.release(item)
      return nil
    }

    let own = TrashFolder(home: home)
    let near =
      own?.isOnMount(of: folder) == true ? own : TrashFolder.onMount(of: folder, path: path)
    if near == nil { failure = Self.failure(errno) }
    if let near, let item = try tried(near, { try rename(name, folder, $0, near, fate, original) })
    {
      return item
    }
    for trash in near === own ? [own] : [near, own] {
      guard let trash else { continue }
      let item = try tried(trash) { item in
        do throws(LibraryError) {
          try copy(name, folder, item, trash, fate, original)
          return true
        } catch {
          failure = error
          return false
        }
      }
      if let item { return item }
    }
    throw failure ?? .trash(detail: "no trash can be used")
  }

  /// Renames or links a file into the trash; false if that is not possible.
  private func rename(
    _ name: PathBytes, _ folder: ConfinedFolder, _ item: Item, _ trash: TrashFolder, _ fate: Fate,
    _ original: RemovedFile
  ) throws(LibraryError) -> Bool {
    let target = item.name.terminated
    let status =
      fate == .kept
      ? linkat(folder.descriptor, name.terminated, trash.files, target, 0)
      : renameat(folder.descriptor, name.terminated, trash.files, target)
    guard status == 0 else {
      switch errno {
      case EXDEV: return false
      // A file system without links, as on a camera or USB stick.
      case EPERM, EMLINK, ENOTSUP, ENOSYS: if fate == .kept { return false }
      case ENOENT: throw .gone(name: name.name)
      default: break
      }
      throw Self.failure(errno)
    }
    guard let found = trash.status(of: item), FileStamp(found) == original.stamp else {
      // Another program saved it at the last moment.
      if fate == .kept {
        FileReplacement.discard(target, in: trash.files)
      } else if let kept = FileReplacement.putBack(
        item.name, of: trash.files, as: name, in: folder.descriptor)
      {
        throw .bothKept(name: name.name, kept: kept)
      }
      throw .changed(name: name.name)
    }
    return true
  }

  /// Copies a file into the trash, verifies the copy, and only then removes the original.
  private func copy(
    _ name: PathBytes, _ folder: ConfinedFolder, _ item: Item, _ trash: TrashFolder, _ fate: Fate,
    _ original: RemovedFile
  ) throws(LibraryError) {
    guard original.digest != nil else {
      throw .trash(
        detail: "\(name.name) is on another disk than the trash, and too large to be copied")
    }
    let target = item.name.terminated
    do {
      let source = try folder.open(name)
      defer { close(source) }
      try FileCopy.make(of: source, as: item.name, in: trash.files, limit: limit)
      let copy = openat(trash.files, target, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
      guard copy >= 0, original.isSame(adopting: copy) else {
        throw LibraryError.trash(
          detail: "the copy in the trash differs from the original; try again")
      }
      if fate == .moved {
        try FileReplacement.remove(name, in: folder.descriptor) {
          FileStamp($0) == original.stamp
        }
        fsync(folder.descriptor)
      }
    } catch {
      FileReplacement.discard(target, in: trash.files)
      throw LibraryError(inTrash: error, name)
    }
  }

  /// Removes a file from the trash, if it is still the same.
  func discard(_ item: Item, _ original: RemovedFile) {
    var status = stat()
    guard lstat(item.path.terminated, &status) == 0, original.resembles(status) else { return }
    unlink(item.path.terminated)
    unlink(item.infoPath.terminated)
  }

  /// Removes this library's info files without a file: a program was killed before it moved the
  /// file.
  ///
  /// - Parameters:
  ///   - folder: the library's folder, whose mount may have a trash too.
  ///   - path: its absolute path.
  func removeOrphanedNotes(beside folder: ConfinedFolder, path: PathBytes) {
    let onMount = TrashFolder.pathsOnMount(of: folder, path: path.child(PathBytes("x")))
    for trash in [home] + onMount { TrashFolder.removeOrphanedNotes(in: trash, library: library) }
  }

  /// - Parameter place: what was written to, in words.
  static func failure(_ error: Int32, writing place: String = "the trash") -> LibraryError {
    switch error {
    case ENOSPC, EDQUOT: .diskFull(place: place)
    default: .trash(detail: "the trash can't be used: \(String(cString: strerror(error)))")
    }
  }
}

extension LibraryError {
  /// The library's error for an error while `name` was moved to the trash or restored.
  init(inTrash error: any Error, _ name: PathBytes) {
    switch error {
    case let error as LibraryError: self = error
    case CropError.outputChanged(_, let kept?): self = .bothKept(name: name.name, kept: kept)
    case CropError.outputChanged, CropError.inputMissing: self = .changed(name: name.name)
    case CropError.diskFull: self = .diskFull(place: "the trash")
    case let error as CropError: self = .trash(detail: error.message(for: .http))
    default: self = .trash(detail: "the trash can't be used: \(error)")
    }
  }
}

extension Trash.Item {
  var infoName: PathBytes { PathBytes(name.bytes + Array(".trashinfo".utf8)) }

  var path: PathBytes { trash.child(PathBytes("files")).child(name) }

  var infoPath: PathBytes { trash.child(PathBytes("info")).child(infoName) }

  /// Whether it was removed from the trash: the trash exists, so its disk is mounted, but the file
  /// does not.
  var isGone: Bool {
    var status = stat()
    return stat(trash.child(PathBytes("files")).terminated, &status) == 0
      && lstat(path.terminated, &status) != 0 && errno == ENOENT
  }
}
