import CSystemCalls
import Glibc

/// A file beside a target that is invisible until it is complete.
///
/// If the file system supports it, the file has no name while it is written, so that nothing is
/// left even if the process is killed. Otherwise it has a random name and is removed with this
/// object. To replace another file it needs a name for a moment: if the process is killed then, the
/// hidden file remains, complete, until a later save that replaces a file in the folder
/// (``StaleFiles``).
final class TemporaryFile {
  private let target: SaveTarget
  private let file: Descriptor
  private var name: String?
  /// The time of the last change that the file gets; nil for the time at which it is written.
  var modified: timespec?

  /// Creates an empty file in the target's folder, with the permissions of the result; it may have
  /// a name only if `mayBeNamed` is true.
  init(for target: SaveTarget, isNamed mayBeNamed: Bool = true) throws(CropError) {
    self.target = target
    // The replacement of a private file must never be readable by others, not even briefly.
    let mode = target.existing?.kind == S_IFREG ? 0o600 : target.newMode
    let folder = target.folder.raw
    let unnamed =
      Self.canBeNamedLater
      ? ckc_system_open_at(folder, ".", O_RDWR | ckc_system_unnamed_flag, mode) : -1
    if unnamed >= 0 {
      file = Descriptor(adopting: unnamed)
    } else if !mayBeNamed {
      throw .outputUncreatable(path: target.path, detail: words(for: errno))
    } else {
      (file, name) = try Self.named(in: target, mode: mode)
    }
    if let existing = target.existing, existing.kind == S_IFREG { try resemble(existing) }
  }

  /// Copies the metadata of the replaced file.
  private func resemble(_ existing: stat) throws(CropError) {
    // First, since attributes can't be set on a read-only file. Attributes are only copied from the
    // same image.
    if let input = target.input?.descriptor {
      guard ckc_system_copy_attributes(input, file.raw, "user.", FileNote.attribute) == 0 else {
        throw .outputUncreatable(
          path: target.path, detail: "its extended attributes: \(words(for: errno))")
      }
    }
    // Only privileged users can keep the owner.
    _ = fchown(file.raw, existing.st_uid, existing.st_gid)
    guard ckc_system_copy_access_list(target.folder.raw, target.name, file.raw) == 0,
      fchmod(file.raw, existing.st_mode & 0o777) == 0
    else { throw .outputUncreatable(path: target.path, detail: words(for: errno)) }
  }

  /// Whether an unnamed file can be named later, which requires a path to it.
  private static var canBeNamedLater: Bool { access("/proc/self/fd", X_OK) == 0 }

  /// How a folder is flushed to the disk: fsync(2); tests have others.
  @TaskLocal static var flush: @Sendable (Int32) -> Int32 = { fsync($0) }

  deinit {
    // Another file may have taken the name in the meantime; it must not be lost.
    guard let name, let own = file.status, let found = target.status(of: name),
      FileIdentity(found) == FileIdentity(own)
    else { return }
    FileReplacement.discard(PathBytes(name).terminated, in: target.folder.raw)
  }

  /// Writes all of `bytes` and `note`, and flushes them to the disk.
  func write(_ bytes: UnsafeRawBufferPointer, note: String?) throws(CropError) {
    try file.writeAll(bytes, path: target.path)
    try flush(note: note)
  }

  /// The same file, for a result that is written while it is encoded.
  private(set) lazy var resultFile = ResultFile(file, path: target.path)

  /// Flushes the written bytes and `note` to the disk.
  func flush(note: String?) throws(CropError) {
    if let modified, let status = file.status {
      guard futimens(file.raw, [status.st_atim, modified]) == 0 else {
        throw .writing(errno, path: target.path)
      }
    }
    // The note states the time of the file.
    if let note { FileNote.write(note, to: file) }
    while fsync(file.raw) != 0 {
      guard errno == EINTR else { throw .writing(errno, path: target.path) }
    }
  }

  /// Gives the file its final name, without replacing a file, and flushes the folder.
  func publishNew() throws(CropError) {
    let folder = target.folder.raw
    let status: Int32
    if let name {
      status = FileReplacement.moveNew(
        PathBytes(name), of: folder, as: target.nameBytes, in: folder)
      if status == 0 { self.name = nil }
    } else {
      status = link(as: target.name)
    }
    guard status == 0 else {
      if errno == EEXIST { throw .outputExists(path: target.path) }
      throw .writing(errno, path: target.path)
    }
    if let error = flushFolder() {
      guard FileReplacement.discard(target.name, in: folder) else {
        throw notFlushed(error)
      }
      throw .writing(error, path: target.path)
    }
  }

  /// Gives the file the name of an existing file, replacing it, and flushes the folder.
  func publishReplacing() throws(CropError) {
    let folder = target.folder.raw
    guard renameat(folder, try named(), folder, target.name) == 0 else {
      // In a sticky folder, files of other users can't be replaced, even if the folder is writable.
      if errno == EPERM || errno == EACCES {
        throw .outputUncreatable(path: target.path, detail: words(for: errno))
      }
      throw .writing(errno, path: target.path)
    }
    try published()
  }

  /// Gives the file its name by replacing `expected`, but no file that another program saved in the
  /// meantime.
  ///
  /// If the file system can't exchange names, `expected` is moved aside first if `mayMoveAside`;
  /// otherwise a file that another program saves at the very last moment is replaced.
  ///
  /// - Throws: ``CropError/outputChanged(path:kept:)``, or as ``publishReplacing()``.
  func publish(inPlaceOf expected: stat, mayMoveAside: Bool) throws(CropError) {
    let folder = target.folder.raw
    let place = target.nameBytes
    let fresh = PathBytes(try named())
    func isExpected(_ found: stat) -> Bool { found.isSameFile(as: expected) }
    do throws(CropError) {
      if try !FileReplacement.exchange(fresh, with: place, in: folder, isExpected: isExpected) {
        if mayMoveAside {
          try FileReplacement.moveAside(fresh, with: place, in: folder, isExpected: isExpected)
        } else {
          guard let found = target.status(of: target.name), isExpected(found) else {
            throw .outputChanged(path: target.path, kept: nil)
          }
          return try publishReplacing()
        }
      }
    } catch .outputChanged(_, let kept) {
      throw .outputChanged(path: target.path, kept: kept)
    }
    try published()
  }

  /// Records that the file has the target's name and no temporary one.
  private func published() throws(CropError) {
    name = nil
    if let error = flushFolder() { throw notFlushed(error) }
    StaleFiles.remove(in: target.folder)
  }

  /// The file's temporary name beside the target; creates one if it has none.
  private func named() throws(CropError) -> String {
    if let name { return name }
    for _ in 0..<100 {
      let fresh = StaleFiles.randomName()
      if link(as: fresh) == 0 {
        name = fresh
        return fresh
      }
      guard errno == EEXIST else { break }
    }
    throw .writing(errno, path: target.path)
  }

  var status: stat? { file.status }

  private func link(as name: UnsafePointer<CChar>) -> Int32 {
    linkat(AT_FDCWD, "/proc/self/fd/\(file.raw)", target.folder.raw, name, AT_SYMLINK_FOLLOW)
  }

  /// The error for a new file that is in place, but whose name may not be on the disk.
  private func notFlushed(_ error: Int32) -> CropError {
    .notFlushed(path: target.path, detail: words(for: error))
  }

  /// Flushes the folder and returns the error number; nil on success, or if the file system does
  /// not flush folders.
  private func flushFolder() -> Int32? {
    while Self.flush(target.folder.raw) != 0 {
      switch errno {
      case EINTR: continue
      case EINVAL, ENOTSUP, EROFS: return nil
      case let error: return error
      }
    }
    return nil
  }

  private static func named(
    in target: SaveTarget, mode: mode_t
  ) throws(CropError) -> (Descriptor, String) {
    for _ in 0..<100 {
      let name = StaleFiles.randomName()
      let raw = ckc_system_open_at(
        target.folder.raw, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
      if raw >= 0 { return (Descriptor(adopting: raw), name) }
      guard errno == EEXIST else { break }
    }
    switch errno {
    case ENOSPC, EDQUOT: throw .diskFull(path: target.path)
    case let error:
      throw .outputUncreatable(path: target.path, detail: "its folder: \(words(for: error))")
    }
  }
}

extension Descriptor {
  /// Writes all of `bytes` at the file's position.
  func writeAll(_ bytes: UnsafeRawBufferPointer, path: String) throws(CropError) {
    try Self.writeAll(bytes, to: raw, path: path)
  }

  /// Writes all of `bytes` at the position of an open file.
  static func writeAll(
    _ bytes: UnsafeRawBufferPointer, to raw: Int32, path: String
  ) throws(CropError) {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let count = Glibc.write(raw, base, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .writing(count < 0 ? errno : EIO, path: path) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}

extension CropError {
  static func writing(_ error: Int32, path: String) -> Self {
    switch error {
    case ENOSPC, EDQUOT: .diskFull(path: path)
    default: .writeFailed(path: path, detail: words(for: error))
    }
  }
}
