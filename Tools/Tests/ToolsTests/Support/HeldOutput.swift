import Foundation
import Glibc

/// A standard output that takes a page of text and then nothing until it is read: what is written to it
/// goes on for as long as a test holds it.
struct HeldOutput {
  /// The path of the pipe.
  let path: String
  private let file: FileHandle

  init(in folder: Folder) throws {
    path = folder.path("held")
    guard mkfifo(path, 0o666) == 0 else { throw POSIXError(.EIO) }
    let raw = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    // One page is the least.
    guard raw >= 0, fcntl(raw, Self.setPipeSize, 1) > 0, fcntl(raw, F_SETFL, 0) == 0 else {
      throw POSIXError(.EIO)
    }
    chmod(path, 0o666)
    file = FileHandle(fileDescriptor: raw, closeOnDealloc: true)
  }

  /// F_SETPIPE_SZ, which Swift does not see.
  private static let setPipeSize: Int32 = 1031

  /// How many bytes wait to be read.
  var byteCount: Int {
    get throws {
      var count: Int32 = 0
      guard ioctl(file.fileDescriptor, UInt(FIONREAD), &count) == 0 else { throw POSIXError(.EIO) }
      return Int(count)
    }
  }

  /// All that is written until whoever writes ends.
  func release() throws -> String {
    String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
  }
}
