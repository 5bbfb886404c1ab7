import CropImaging
import Glibc

/// A file as it was when it was removed or replaced. Nothing else is brought back in its name.
struct RemovedFile: Codable, Hashable, Sendable {
  /// The disk it was on.
  let device: UInt64
  let stamp: FileStamp
  /// SHA-256 of its bytes; nil for one that could not be read, or has more bytes than are read whole.
  let digest: String?

  /// The file `name` of `folder`, of which at most `limit` bytes are read.
  ///
  /// - Throws: ``LibraryError/gone(name:)`` or, where it is written to meanwhile,
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

  /// Whether a file may be this one, as far as is seen without reading it.
  func resembles(_ status: stat) -> Bool {
    let found = FileStamp(status)
    // Some file systems keep times to two seconds.
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
      let source = try? PictureSource(
        adopting: file, name: "", limits: Limits(bytes: limit))
    else { return nil }
    return try? Digests.sha256(of: source)
  }
}
