import CropImaging
import Glibc

/// The files and folders directly in a folder, without hidden ones and links.
struct FolderListing {
  private(set) var files: [PathBytes] = []
  private(set) var folders: [PathBytes] = []

  /// Reads the names in `folder`, in no order.
  ///
  /// - Throws: ``CropError/readFailed(file:detail:)`` if reading fails midway.
  init(_ folder: ConfinedFolder) throws(CropError) {
    let copy = try folder.open(PathBytes("."), flags: O_RDONLY | O_DIRECTORY)
    guard let list = fdopendir(copy) else {
      close(copy)
      throw .readFailed(file: folder.name, detail: String(cString: strerror(errno)))
    }
    defer { closedir(list) }
    errno = 0
    while let entry = readdir(list) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        PathBytes(Array(bytes.prefix { $0 != 0 }))
      }
      if !name.isHidden {
        switch Self.kind(of: name, listedType: entry.pointee.d_type, in: folder) {
        case S_IFREG: files.append(name)
        case S_IFDIR: folders.append(name)
        default: break
        }
      }
      errno = 0
    }
    guard errno == 0 else {
      throw .readFailed(file: folder.name, detail: String(cString: strerror(errno)))
    }
  }

  /// The type of a directory entry; some file systems do not list it.
  private static func kind(
    of name: PathBytes, listedType type: UInt8, in folder: ConfinedFolder
  ) -> mode_t {
    switch Int(type) {
    case Int(DT_REG): S_IFREG
    case Int(DT_DIR): S_IFDIR
    case Int(DT_UNKNOWN): folder.status(of: name).map { $0.st_mode & S_IFMT } ?? 0
    default: 0
    }
  }
}

extension ConfinedFolder {
  /// The file system's status of a name directly in the folder, without following a link; nil if it
  /// does not exist.
  func status(of name: PathBytes) -> stat? {
    var status = stat()
    guard fstatat(descriptor, name.terminated, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return nil
    }
    return status
  }

  /// The stamp of the file with this name directly in the folder; nil for anything else.
  func stamp(of name: PathBytes) -> FileStamp? {
    guard let status = status(of: name), status.st_mode & S_IFMT == S_IFREG else { return nil }
    return FileStamp(status)
  }
}
