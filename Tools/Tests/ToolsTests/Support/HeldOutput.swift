import Foundation
import Glibc

/// A standard output that accepts a page of text and then blocks until it is read, for as long as a
/// test wants.
struct HeldOutput {
  /// The path of the pipe.
  let path: String
  private let file: FileHandle

  init(in folder: Folder) throws {
    path = folder.path("held")
    guard mkfifo(path, 0o666) == 0 else { throw POSIXError(.EIO) }
    let raw = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    // One page is the minimum.
    guard raw >= 0, fcntl(raw, Self.setPipeSize, 1) > 0, fcntl(raw, F_SETFL, 0) == 0 else {
      throw POSIXError(.EIO)
    }
    chmod(path, 0o666)
    file = FileHandle(fileDescriptor: raw, closeOnDealloc: true)
  }

  /// F_SETPIPE_SZ, which Swift does not see.
  private static let setPipeSize: Int32 = 1031

  /// The number of bytes that wait to be read.
  var byteCount: Int {
    get throws {
      var count: Int32 = 0
      guard ioctl(file.fileDescriptor, UInt(FIONREAD), &count) == 0 else { throw POSIXError(.EIO) }
      return Int(count)
    }
  }

  /// Everything that is written until the writer closes it.
  func release() throws -> String {
    String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
  }
}
