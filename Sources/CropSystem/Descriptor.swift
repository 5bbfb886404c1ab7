import CSystemCalls
import Glibc

/// An open file that is closed when nobody holds it any more.
public final class Descriptor: Sendable {
  /// The number; valid while this object lives.
  public let raw: Int32

  /// Takes over an open descriptor.
  public init(adopting raw: Int32) { self.raw = raw }

  /// Opens `path` with `flags` (close-on-exec is added); nil leaves the reason in `errno`.
  convenience init?(opening path: String, flags: Int32, mode: mode_t = 0) {
    let raw = ckc_system_open(path, flags, mode)
    guard raw >= 0 else { return nil }
    self.init(adopting: raw)
  }

  deinit { close(raw) }

  /// What the file system says about the file, nil if it can't be asked.
  var status: stat? {
    var status = stat()
    return ckc_system_status(raw, &status) == 0 ? status : nil
  }

  /// What changes whenever the bytes of a file do: its size and the time of the last write; nil for
  /// what is no file.
  var stamp: String? {
    guard let status, status.kind == S_IFREG else { return nil }
    let numbers = [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    return numbers.map { String($0, radix: 36) }.joined(separator: ".")
  }
}

/// Which file a name leads to, whatever the name.
public struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}

extension stat {
  var kind: mode_t { st_mode & S_IFMT }

  /// Whether both are one file in one state: not written to in between.
  func isSameFile(as other: stat) -> Bool {
    FileIdentity(self) == FileIdentity(other) && st_size == other.st_size
      && st_mtim.tv_sec == other.st_mtim.tv_sec && st_mtim.tv_nsec == other.st_mtim.tv_nsec
  }
}

/// The words for an error number, such as `Permission denied`.
package func words(for error: Int32) -> String {
  switch error {
  // Of numbers that this program did not open itself.
  case EBADF: "it is closed, or open for something else"
  case EMFILE: "too many open files; raise the limit (ulimit -n)"
  case ENFILE: "the system has too many open files; close other programs"
  default: String(cString: strerror(error))
  }
}
