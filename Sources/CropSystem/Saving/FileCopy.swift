import CSystemCalls
import Glibc

/// Copies files with their metadata.
public enum FileCopy {
  /// Copies an open file, from its position to its end, to the new file `name` in a folder. The
  /// copy keeps the permissions, times, user extended attributes and, if allowed, the owner. It is
  /// on the disk when this returns.
  ///
  /// `limit` is the most bytes to copy.
  ///
  /// - Throws: ``CropError/outputUncreatable(path:detail:)``,
  ///   ``CropError/writeFailed(path:detail:)``, ``CropError/diskFull(path:)``, or
  ///   ``CropError/limitExceeded(file:limit:actual:allowed:)``. No file is left after an error.
  public static func make(
    of source: Int32, as name: PathBytes, in folder: Int32, limit: Int
  ) throws(CropError) {
    var status = stat()
    guard fstat(source, &status) == 0 else {
      throw .readFailed(file: name.name, detail: words(for: errno))
    }
    let raw = ckc_system_open_at(
      folder, name.terminated, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    guard raw >= 0 else { throw .writing(errno, path: name.name) }
    let copy = Descriptor(adopting: raw)
    do throws(CropError) {
      try fill(copy, from: source, name, limit: limit)
      // Attributes that the other disk does not support are dropped, and only privileged users can
      // keep the owner.
      for kind in ["user.", "system.posix_acl_access"] {
        _ = ckc_system_copy_attributes(source, raw, kind, "")
      }
      _ = fchown(raw, status.st_uid, status.st_gid)
      guard fchmod(raw, status.st_mode & 0o777) == 0,
        futimens(raw, [status.st_atim, status.st_mtim]) == 0, fsync(raw) == 0
      else { throw .writing(errno, path: name.name) }
    } catch {
      FileReplacement.discard(name.terminated, in: folder)
      throw error
    }
  }

  private static func fill(
    _ copy: Descriptor, from source: Int32, _ name: PathBytes, limit: Int
  ) throws(CropError) {
    var done = 0
    while true {
      let count = sendfile(copy.raw, source, nil, 1 << 24)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .writing(errno, path: name.name) }
      if count == 0 { return }
      done += count
      guard done <= limit else {
        throw .limitExceeded(file: name.name, limit: .bytes, actual: done, allowed: limit)
      }
    }
  }
}
