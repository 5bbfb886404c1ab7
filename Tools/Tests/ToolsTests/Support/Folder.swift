import Foundation
import Glibc

/// A folder of a test's own.
struct Folder {
  let path: String

  init() throws {
    var template = Array("/tmp/cropkit-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The location of a file in the folder.
  func url(_ name: String) -> URL { URL(fileURLWithPath: path(name)) }

  /// The names of everything in the folder.
  var names: [String] { Self.names(in: path) }

  /// The names of everything in the folder of a path; none where there is no such folder.
  static func names(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Writes a file into the folder and returns its path.
  func write(_ bytes: some Sequence<UInt8>, as name: String) throws -> String {
    try Data(bytes).write(to: url(name))
    return path(name)
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }
}
