import CropImaging
import FoundationEssentials
import Glibc

/// A user's folders for pictures, data and caches (XDG base directories and user directories).
public struct UserFolders: Sendable {
  /// The folder for data, `~/.local/share`.
  public let data: String
  /// The folder for caches, `~/.cache`.
  public let cache: String
  /// The folder for files that only last as long as the session; nil if the environment does not
  /// set one.
  public let runtime: String?
  private let home: String
  private let configuration: String

  /// The folders that the environment sets.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let home = environment["HOME"] ?? URL.homeDirectory.path
    func place(_ name: String, _ otherwise: String) -> String {
      // The specification: a path that is not absolute is ignored.
      if let path = environment[name], path.hasPrefix("/") { return path }
      return "\(home)/\(otherwise)"
    }
    self.home = home
    data = place("XDG_DATA_HOME", ".local/share")
    cache = place("XDG_CACHE_HOME", ".cache")
    runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    configuration = place("XDG_CONFIG_HOME", ".config")
  }

  /// The folder of the user's pictures; nil if there is none.
  ///
  /// It comes from `user-dirs.dirs`, or else is `~/Pictures`. The home folder there means that
  /// there is no such folder.
  public var pictures: String? {
    let path = picturesSetting(in: "\(configuration)/user-dirs.dirs") ?? "\(home)/Pictures"
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      Self.real(path) != Self.real(home)
    else { return nil }
    return path
  }

  private func picturesSetting(in file: String) -> String? {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2,
        parts[0].trimmed(" \t") == "XDG_PICTURES_DIR"
      else { continue }
      let value = parts[1].trimmed(" \t\"")
      if value.hasPrefix("/") { return value }
      if value == "$HOME" || value == "$HOME/" { return home }
      if value.hasPrefix("$HOME/") { return home + value.dropFirst("$HOME".count) }
    }
    return nil
  }

  /// The path without links and trailing slash; nil if it does not exist.
  static func real(_ path: String) -> PathBytes? { real(PathBytes(path)) }

  /// The same for a path of any bytes.
  static func real(_ path: PathBytes) -> PathBytes? {
    guard let real = realpath(path.terminated, nil) else { return nil }
    defer { free(real) }
    return PathBytes(Array(UnsafeRawBufferPointer(start: real, count: strlen(real))))
  }

  /// The index of the library in the folder at a real path.
  func index(of folder: PathBytes) throws -> String {
    "\(try made("libraries"))/\(Digests.md5(of: folder.bytes)).sqlite"
  }

  /// The index of the library of named files, which is recreated each time.
  func indexOfNamedFiles() throws -> String {
    let path = "\(try made("libraries"))/named.sqlite"
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    return path
  }

  /// The folder for the removal records of that library.
  func removals(of folder: PathBytes) throws -> String {
    try made("removals/\(Digests.md5(of: folder.bytes))")
  }

  /// The folder for the targets of photos, shared by all libraries.
  func targets() throws -> String { try made("targets") }

  /// A folder among CropKit's data that only the user can access.
  private func made(_ name: String) throws -> String {
    let place = "\(data)/cropkit/\(name)"
    try FileManager.default.createDirectory(
      atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return place
  }
}
