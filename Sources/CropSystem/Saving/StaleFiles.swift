import CSystemCalls
import Glibc

/// Temporary files left by a process that was killed between naming a file and moving it into
/// place.
enum StaleFiles {
  /// The age, in seconds, at which a file is stale: no save takes this long. If one did, it would
  /// fail and leave the old file.
  private static let age = 3600
  /// The folders that were searched last, so that the saves of one process don't read a long folder
  /// again.
  private static let seen = Monitor<[Folder]>([])
  private static let mostSeen = 64

  /// A folder, identified so that a new one with a reused inode number is recognized.
  private struct Folder: Equatable {
    let identity: FileIdentity
    let birth: Int64

    init?(_ folder: Descriptor) {
      guard let identity = folder.status.map(FileIdentity.init) else { return nil }
      self.identity = identity
      birth = ckc_system_birth(folder.raw)
    }
  }

  /// Removes stale files of this user in `folder`, once per folder.
  static func remove(in folder: Descriptor) {
    guard let known = Folder(folder) else { return }
    let isNew = seen.change { seen in
      if seen.contains(known) { return false }
      if seen.count == mostSeen { seen.removeFirst() }
      seen.append(known)
      return true
    }
    guard isNew else { return }
    let raw = ckc_system_open_at(folder.raw, ".", O_RDONLY | O_DIRECTORY, 0)
    guard raw >= 0 else { return }
    guard let list = fdopendir(raw) else {
      close(raw)
      return
    }
    defer { closedir(list) }
    while let entry = readdir(list) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        Array(bytes.prefix { $0 != 0 })
      }
      if isTemporary(name), isStale(name, in: folder) {
        FileReplacement.discard(PathBytes(name).terminated, in: folder.raw)
      }
    }
  }

  /// A new name for a temporary file.
  static func randomName() -> String {
    ".cropkit-" + String(UInt64.random(in: .min ... .max), radix: 36) + ".tmp"
  }

  private static func isTemporary(_ name: [UInt8]) -> Bool {
    let prefix = Array(".cropkit-".utf8)
    let suffix = Array(".tmp".utf8)
    guard name.starts(with: prefix), name.reversed().starts(with: suffix.reversed()) else {
      return false
    }
    let middle = name.dropFirst(prefix.count).dropLast(suffix.count)
    return (1...13).contains(middle.count)
      && middle.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }

  private static func isStale(_ name: [UInt8], in folder: Descriptor) -> Bool {
    var status = stat()
    guard
      fstatat(folder.raw, PathBytes(name).terminated, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.kind == S_IFREG, status.st_uid == geteuid()
    else { return false }
    return time(nil) - status.st_mtim.tv_sec > age
  }
}
