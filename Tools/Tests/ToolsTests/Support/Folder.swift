import Foundation
import Glibc

/// A temporary folder for a test, removed with the last reference.
final class Folder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/cropkit-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The location of a file in the folder.
  func url(_ name: String) -> URL { URL(fileURLWithPath: path(name)) }

  /// The environment of a user whose home it is.
  var environment: [String: String] {
    ["HOME": path, "XDG_DATA_HOME": path("data"), "XDG_CACHE_HOME": path("cache")]
  }

  /// The names of everything in the folder.
  var names: [String] { Self.names(in: path) }

  /// The names of everything in the folder at a path; none if it does not exist.
  static func names(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Writes a file into the folder and returns its path.
  func write(_ bytes: some Sequence<UInt8>, as name: String) throws -> String {
    try Data(bytes).write(to: url(name))
    return path(name)
  }
}
