import CSystemCalls
import Glibc

/// A file beside a target that nobody sees until it is whole.
///
/// Where the file system allows it has no name at all while it is written, so that nothing is left
/// even if the process is killed; elsewhere it has a random one and is removed with this object. To
/// replace another file it needs a name for a moment: a process killed just then leaves it, whole and
/// hidden, until a later save that replaces a file there (``StaleFiles``).
final class TemporaryFile {
  private let target: SaveTarget
  private let file: Descriptor
  private var name: String?

  /// Makes an empty file in the target's folder, with the permissions the result is to have; one with
  /// a name only if that may be.
  init(for target: SaveTarget, isNamed mayBeNamed: Bool = true) throws(CropError) {
    self.target = target
    // What replaces a private file is never readable by others, not even for a moment.
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

  /// Takes over what belongs to the file that is replaced and not to its bytes.
  private func resemble(_ existing: stat) throws(CropError) {
    // First, as a file that can only be read takes no attributes. What people and programs noted of
    // another picture is not of this one.
    if let input = target.input?.descriptor {
      guard ckc_system_copy_attributes(input, file.raw, "user.", FileNote.attribute) == 0 else {
        throw .outputUncreatable(
          path: target.path, detail: "its extended attributes: \(words(for: errno))")
      }
    }
    // The owner can be kept only by those who may give files away.
    _ = fchown(file.raw, existing.st_uid, existing.st_gid)
    guard ckc_system_copy_access_list(target.folder.raw, target.name, file.raw) == 0,
      fchmod(file.raw, existing.st_mode & 0o777) == 0
    else { throw .outputUncreatable(path: target.path, detail: words(for: errno)) }
  }

  /// Whether a file without a name can be given one, which takes a path to it.
  private static var canBeNamedLater: Bool { access("/proc/self/fd", X_OK) == 0 }

  /// How a folder is flushed to the disk: fsync(2); tests have others.
  @TaskLocal static var flush: @Sendable (Int32) -> Int32 = { fsync($0) }

  deinit {
    // Another file may have taken the name by now; it must not be lost.
    guard let name, let own = file.status, let found = target.status(of: name),
      FileIdentity(found) == FileIdentity(own)
    else { return }
    FileReplacement.discard(PathBytes(name).terminated, in: target.folder.raw)
  }

  /// Writes all of `bytes`, with `note` beside them, and flushes them to the disk.
  func write(_ bytes: UnsafeRawBufferPointer, note: String?) throws(CropError) {
    try file.writeAll(bytes, path: target.path)
    try flush(note: note)
  }

  /// The same file, for what is written to it while it is made.
  private(set) lazy var resultFile = ResultFile(file, path: target.path)

  /// Flushes what was written to the disk, with `note` beside it.
  func flush(note: String?) throws(CropError) {
    if let note { FileNote.write(note, to: file) }
    while fsync(file.raw) != 0 {
      guard errno == EINTR else { throw .writing(errno, path: target.path) }
    }
  }

  /// Gives the file its name, replacing nothing, and flushes the folder.
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

  /// Gives the file its name in place of the file that has it, and flushes the folder.
  func publishReplacing() throws(CropError) {
    let folder = target.folder.raw
    guard renameat(folder, try named(), folder, target.name) == 0 else {
      // What others own in a folder for all can't be replaced, though the folder can be written to.
      if errno == EPERM || errno == EACCES {
        throw .outputUncreatable(path: target.path, detail: words(for: errno))
      }
      throw .writing(errno, path: target.path)
    }
    try published()
  }

  /// Gives the file its name in place of `expected`, and of nothing that another program puts there.
  ///
  /// Where the file system can't exchange names, `expected` is moved aside first if `mayMoveAside`;
  /// else what another program saves in the very last moment is replaced.
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

  /// The file has the target's name: its own is gone.
  private func published() throws(CropError) {
    name = nil
    if let error = flushFolder() { throw notFlushed(error) }
    StaleFiles.remove(in: target.folder)
  }

  /// The file's name beside the target; it gets one where it has none.
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

  /// What the file system says of the file.
  var status: stat? { file.status }

  private func link(as name: UnsafePointer<CChar>) -> Int32 {
    linkat(AT_FDCWD, "/proc/self/fd/\(file.raw)", target.folder.raw, name, AT_SYMLINK_FOLLOW)
  }

  /// The new file has its name, which the disk may not know.
  private func notFlushed(_ error: Int32) -> CropError {
    .notFlushed(path: target.path, detail: words(for: error))
  }

  /// The error number, nil if it went well or the file system flushes no folders.
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
  /// What an error number of a write means.
  static func writing(_ error: Int32, path: String) -> Self {
    switch error {
    case ENOSPC, EDQUOT: .diskFull(path: path)
    default: .writeFailed(path: path, detail: words(for: error))
    }
  }
}
