import CropImaging
import Glibc

/// The state of a file when it was removed or replaced. No other file is restored under its name.
struct RemovedFile: Codable, Hashable, Sendable {
  /// The disk it was on.
  let device: UInt64
  let stamp: FileStamp
  /// SHA-256 of its bytes; nil if it could not be read, or is too large to be read completely.
  let digest: String?

  /// The file `name` in `folder`; at most `limit` bytes of it are read.
  ///
  /// - Throws: ``LibraryError/gone(name:)`` or, if it changes in the meantime,
  ///   ``LibraryError/changed(name:)``.
  init(_ name: PathBytes, in folder: ConfinedFolder, limit: Int) throws(LibraryError) {
    guard let status = folder.status(of: name), status.st_mode & S_IFMT == S_IFREG else {
      throw .gone(name: name.name)
    }
    device = UInt64(status.st_dev)
    stamp = FileStamp(status)
    digest = (try? folder.open(name)).flatMap { Self.digest(adopting: $0, limit: limit) }
    guard folder.stamp(of: name) == stamp else { throw .changed(name: name.name) }
  }

  /// Whether a file may be this one, without reading it.
  func resembles(_ status: stat) -> Bool {
    let found = FileStamp(status)
    // Some file systems store times with a resolution of two seconds.
    let difference = found.modified.subtractingReportingOverflow(stamp.modified)
    return status.st_mode & S_IFMT == S_IFREG && found.size == stamp.size
      && !difference.overflow && (-2_000_000_000...2_000_000_000).contains(difference.partialValue)
  }

  /// Whether an open file is this one or a copy of it. Reads it; the descriptor is closed.
  func isSame(adopting file: Int32) -> Bool {
    var status = stat()
    guard fstat(file, &status) == 0, Int64(status.st_size) == stamp.size else {
      close(file)
      return false
    }
    guard let digest else {
      close(file)
      return UInt64(status.st_dev) == device && FileStamp(status) == stamp
    }
    return Self.digest(adopting: file, limit: Int(stamp.size)) == digest
  }

  private static func digest(adopting file: Int32, limit: Int) -> String? {
    guard
      let source = try? ImageSource(
        adopting: file, name: "", limits: Limits(bytes: limit))
    else { return nil }
    return try? Digests.sha256(of: source)
  }
}
