import CSystemCalls
import Glibc

/// An open file that is closed when its last reference is released.
public final class Descriptor: Sendable {
  /// The descriptor's number; valid while this object exists.
  public let raw: Int32

  /// Takes over an open descriptor.
  public init(adopting raw: Int32) { self.raw = raw }

  /// Opens `path` with `flags` and close-on-exec; nil with the reason in `errno` if that fails.
  convenience init?(opening path: String, flags: Int32, mode: mode_t = 0) {
    let raw = ckc_system_open(path, flags, mode)
    guard raw >= 0 else { return nil }
    self.init(adopting: raw)
  }

  deinit { close(raw) }

  /// The file's status; nil if it can't be determined.
  var status: stat? {
    var status = stat()
    return ckc_system_status(raw, &status) == 0 ? status : nil
  }

  /// A value that changes whenever the file's bytes do: its size and modification time; nil for
  /// anything but a file.
  var stamp: String? {
    guard let status, status.kind == S_IFREG else { return nil }
    let numbers = [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    return numbers.map { String($0, radix: 36) }.joined(separator: ".")
  }
}

/// Sockets for streams of bytes.
///
/// The server also imports C libraries that declare sockets; in its optimized builds, the compiler
/// doesn't find `SOCK_STREAM` then.
public enum StreamSocket {
  /// The type of a stream socket, as `getaddrinfo` expects it.
  public static var type: Int32 { Int32(SOCK_STREAM.rawValue) }

  /// Opens a socket with close-on-exec.
  ///
  /// - Parameter family: an address family, such as `AF_INET`.
  /// - Returns: the descriptor, or -1 with the reason in `errno`.
  public static func open(_ family: Int32) -> Int32 {
    socket(family, type | Int32(SOCK_CLOEXEC.rawValue), 0)
  }
}

/// The device and inode of a file: equal for all names of the same file.
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

  /// Whether both are the same file in the same state, without a write in between.
  func isSameFile(as other: stat) -> Bool {
    FileIdentity(self) == FileIdentity(other) && st_size == other.st_size
      && st_mtim.tv_sec == other.st_mtim.tv_sec && st_mtim.tv_nsec == other.st_mtim.tv_nsec
  }
}

/// The description of an error number, such as `Permission denied`.
package func words(for error: Int32) -> String {
  switch error {
  // For descriptors that this program did not open itself.
  case EBADF: "it is closed, or open for something else"
  case EMFILE: "too many open files; raise the limit (ulimit -n)"
  case ENFILE: "the system has too many open files; close other programs"
  case EISDIR: "it is a folder; name a file in it"
  default: String(cString: strerror(error))
  }
}
