import CSystemCalls
import Glibc

extension SaveTarget {
  private func backupName(_ ending: [UInt8]) -> PathBytes { PathBytes(nameBytes.bytes + ending) }

  /// Checks that a backup copy can be made.
  ///
  /// - Throws: `CropError.outputUncreatable` if its name is taken.
  func checkBackup(_ ending: [UInt8]) throws(CropError) {
    var status = stat()
    let name = backupName(ending)
    guard fstatat(folder.raw, name.terminated, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
    throw Self.backupExists(name)
  }

  /// Creates a hard link to the existing file, or a copy if the file system has no hard links.
  ///
  /// - Returns: the name.
  func makeBackup(_ ending: [UInt8]) throws(CropError) -> [CChar] {
    let copy = backupName(ending)
    if linkat(folder.raw, name, folder.raw, copy.terminated, 0) == 0 { return copy.terminated }
    let error = errno
    if error == EEXIST { throw Self.backupExists(copy) }
    // Files of other users may be readable but not linkable (fs.protected_hardlinks).
    guard [EPERM, EACCES, EMLINK, ENOTSUP, ENOSYS, EINVAL].contains(error) else {
      throw .writing(error, path: copy.name)
    }
    let raw = ckc_system_open_at(folder.raw, name, O_RDONLY | O_NOFOLLOW, 0)
    guard raw >= 0 else { throw .readFailed(file: path, detail: words(for: errno)) }
    let source = Descriptor(adopting: raw)
    try FileCopy.make(of: source.raw, as: copy, in: folder.raw, limit: .max)
    return copy.terminated
  }

  private static func backupExists(_ name: PathBytes) -> CropError {
    .outputUncreatable(
      path: name.name,
      detail: "it already exists; choose another suffix for backups, or move it away")
  }
}
