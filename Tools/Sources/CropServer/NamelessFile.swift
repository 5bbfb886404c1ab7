import Foundation
import Glibc
import Hummingbird

/// Files without a name among the system's temporary ones, which vanish when closed.
enum NamelessFile {
  /// Opens a new one. The caller closes it.
  ///
  /// - Throws: `Problem` where there is no room for it.
  static func opened() throws(Problem) -> Int32 {
    let named = ProcessInfo.processInfo.environment["TMPDIR"]
    // A relative one would be another folder than the person meant.
    let folder = named.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    let file = open(folder, O_RDWR | nameless | O_CLOEXEC, 0o600)
    if file >= 0 { return file }
    // A file system without nameless files: a name for a moment.
    var template = Array("\(folder)/cropkit-XXXXXX".utf8CString)
    let other = mkstemp(&template)
    guard other >= 0 else { throw problem(errno) }
    _ = fcntl(other, F_SETFD, FD_CLOEXEC)
    unlink(template)
    return other
  }

  /// O_TMPFILE, a macro that Swift does not see: its own bit and O_DIRECTORY.
  private static let nameless: Int32 = 0o20_000_000 | O_DIRECTORY

  /// Writes bytes behind the others.
  ///
  /// - Throws: `Problem` for a full disk and what else may happen to it.
  static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(Problem) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = Glibc.write(file, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw problem(errno) }
      done += count
    }
  }

  /// The same of bytes in memory.
  static func write(_ bytes: Data, to file: Int32) throws(Problem) {
    let result = bytes.withUnsafeBytes { all in
      Result { () throws(Problem) in try write(all, to: file) }
    }
    try result.get()
  }

  /// The bytes of a file, mapped; they stay there when it is closed.
  ///
  /// - Throws: `Problem` where there are no addresses left.
  static func bytes(of file: Int32, count: Int) throws(Problem) -> Data {
    guard count > 0 else { return Data() }
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED else {
      throw problem(errno)
    }
    return Data(bytesNoCopy: start, count: count, deallocator: .custom { munmap($0, $1) })
  }

  private static func problem(_ error: Int32) -> Problem {
    if error == ENOSPC || error == EDQUOT {
      return Problem(.insufficientStorage, code: "disk-full", "the server's disk is full")
    }
    return Problem(
      .internalServerError, code: "write-failed",
      "a temporary file can't be used: \(String(cString: strerror(error)))")
  }
}
