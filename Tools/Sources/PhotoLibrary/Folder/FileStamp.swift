import Glibc

/// A value that changes whenever a file is written, replaced or swapped for another.
public struct FileStamp: Hashable, Sendable, Codable {
  /// Its length in bytes.
  public let size: Int64
  /// The last write: nanoseconds since 1970.
  public let modified: Int64
  /// Identifies the file on its disk.
  let inode: Int64

  init(size: Int64, modified: Int64, inode: Int64) {
    self.size = size
    self.modified = modified
    self.inode = inode
  }

  init(_ status: stat) {
    let seconds = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    modified = seconds.overflow ? 0 : seconds.partialValue &+ Int64(status.st_mtim.tv_nsec)
    size = Int64(status.st_size)
    inode = Int64(bitPattern: UInt64(status.st_ino))
  }

  /// The stamp of an open file; nil for anything else, such as a pipe, which could block a reader.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(status)
  }

  /// The stamp as a short text that identifies a version of the file in URLs.
  public var version: String {
    [size, modified, inode].map { String($0, radix: 36) }.joined(separator: ".")
  }
}
