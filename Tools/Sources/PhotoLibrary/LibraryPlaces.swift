import CropImaging
import Foundation
import Glibc

/// Where a user's pictures, data and caches are (XDG base directories and user directories).
public struct LibraryPlaces: Sendable {
  /// The folder for data, `~/.local/share`.
  public let data: String
  /// The folder for caches, `~/.cache`.
  public let cache: String
  /// The folder for what ends with the session; nil where the environment names none.
  public let runtime: String?
  private let home: String
  private let configuration: String

  /// The places that the environment names.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let home = environment["HOME"] ?? NSHomeDirectory()
    func place(_ name: String, _ otherwise: String) -> String {
      // The specification: a path that is not absolute counts as none.
      if let path = environment[name], path.hasPrefix("/") { return path }
      return "\(home)/\(otherwise)"
    }
    self.home = home
    data = place("XDG_DATA_HOME", ".local/share")
    cache = place("XDG_CACHE_HOME", ".cache")
    runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    configuration = place("XDG_CONFIG_HOME", ".config")
  }

  /// The folder of the user's pictures; nil where there is none.
  ///
  /// It is what `user-dirs.dirs` says, else `~/Pictures`. The home folder itself, which stands for
  /// "no such folder" there, is none.
  public var pictures: String? {
    let path = told(in: "\(configuration)/user-dirs.dirs") ?? "\(home)/Pictures"
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      Self.real(path) != Self.real(home)
    else { return nil }
    return path
  }

  private func told(in file: String) -> String? {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2,
        parts[0].trimmingCharacters(in: .whitespaces) == "XDG_PICTURES_DIR"
      else { continue }
      let value = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
      if value.hasPrefix("/") { return value }
      if value == "$HOME" || value == "$HOME/" { return home }
      if value.hasPrefix("$HOME/") { return home + value.dropFirst("$HOME".count) }
    }
    return nil
  }

  /// A path without links and without a slash at its end; nil where there is nothing.
  static func real(_ path: String) -> PathBytes? { real(PathBytes(path)) }

  /// The same of a path of any bytes.
  static func real(_ path: PathBytes) -> PathBytes? {
    guard let real = realpath(path.terminated, nil) else { return nil }
    defer { free(real) }
    return PathBytes(Array(UnsafeRawBufferPointer(start: real, count: strlen(real))))
  }

  /// The index of the library in the folder at a real path.
  func index(of folder: PathBytes) throws -> String {
    "\(try made("libraries"))/\(Digests.md5(of: folder.bytes)).sqlite"
  }

  /// The index of the library over files that were named, which begins anew each time.
  func indexOfNamedFiles() throws -> String {
    let path = "\(try made("libraries"))/named.sqlite"
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    return path
  }

  /// The folder of what was removed from that library and can be brought back.
  func removals(of folder: PathBytes) throws -> String {
    try made("removals/\(Digests.md5(of: folder.bytes))")
  }

  /// The folder of the targets of photos, whatever library they are in.
  func targets() throws -> String { try made("targets") }

  /// A folder among CropKit's data that nobody else can look into.
  private func made(_ name: String) throws -> String {
    let place = "\(data)/cropkit/\(name)"
    try FileManager.default.createDirectory(
      atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return place
  }
}
