import FoundationEssentials
import Glibc
import Hummingbird

/// Temporary files without a name, which vanish when closed.
enum AnonymousFile {
  /// Creates one. The caller closes it.
  ///
  /// - Throws: `Problem` if the disk is full.
  static func opened() throws(Problem) -> Int32 {
    let named = ProcessInfo.processInfo.environment["TMPDIR"]
    // A relative path would lead to a different folder than the user meant.
    let folder = named.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    let file = open(folder, O_RDWR | nameless | O_CLOEXEC, 0o600)
    if file >= 0 { return file }
    // The file system has no nameless files: create one and remove its name immediately.
    var template = Array("\(folder)/cropkit-XXXXXX".utf8CString)
    let other = mkstemp(&template)
    guard other >= 0 else { throw problem(errno) }
    _ = fcntl(other, F_SETFD, FD_CLOEXEC)
    unlink(template)
    return other
  }

  /// O_TMPFILE, a macro that Swift can't import: its own bit and O_DIRECTORY.
  private static let nameless: Int32 = 0o20_000_000 | O_DIRECTORY

  /// Appends bytes.
  ///
  /// - Throws: `Problem` for a full disk and other errors of writing.
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

  static func write(_ bytes: Data, to file: Int32) throws(Problem) {
    let result = bytes.withUnsafeBytes { all in
      Result { () throws(Problem) in try write(all, to: file) }
    }
    try result.get()
  }

  /// The bytes of a file, mapped; they stay valid after the file is closed.
  ///
  /// - Throws: `Problem` if there is no address space left.
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
