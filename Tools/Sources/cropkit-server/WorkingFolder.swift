import CropArguments
import CropImaging
import CropServer
import Glibc

/// The folder that the program was started in. Relative paths start there, even after the program
/// has changed its folder.
struct WorkingFolder {
  private let folder: String?

  init() {
    let path = getcwd(nil, 0)
    defer { free(path) }
    folder = path.map { String(cString: $0) }
  }

  /// The absolute form of a path.
  func path(_ path: String) -> String {
    guard let folder, !path.isEmpty, !path.hasPrefix("/") else { return path }
    return folder == "/" ? "/\(path)" : "\(folder)/\(path)"
  }

  /// The absolute form of a path that may not be UTF-8.
  func path(_ path: PathBytes) -> PathBytes {
    guard let folder, path.bytes.first != UInt8(ascii: "/") else { return path }
    return PathBytes(Array((folder == "/" ? "/" : "\(folder)/").utf8) + path.bytes)
  }

  /// Changes to `/`, since a disk can't be unmounted while it contains a program's working folder.
  static func leave() { _ = chdir("/") }
}

extension GalleryOptions {
  /// The galleries of the options. Reads their secrets. Blocks.
  ///
  /// - Parameter start: the folder that relative paths start from.
  /// - Throws: as `ImmichSettings` and `WebDAVSettings` do.
  func settings(from start: WorkingFolder) throws -> GallerySettings {
    var settings = GallerySettings()
    if let url = immichUrl, let key = immichKeyFile {
      settings.immich = try ImmichSettings(
        url: url, keyFile: start.path(key), authorities: immichCaFile.map(start.path))
    }
    if let url = webdavUrl, let user = webdavUser, let password = webdavPasswordFile {
      settings.webDAV = try WebDAVSettings(
        url: url, user: user, passwordFile: start.path(password),
        authorities: webdavCaFile.map(start.path), keepsVersions: webdavKeepsVersions)
    }
    return settings
  }
}
