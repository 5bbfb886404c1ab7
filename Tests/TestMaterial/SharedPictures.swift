import Foundation

/// The test images, and the table that describes them.
public enum SharedPictures {
  /// One row of the table.
  public struct Row: Sendable, CustomStringConvertible {
    /// The name of the file.
    public let file: String
    /// The format.
    public let format: String
    /// The stored size, such as `640x480`.
    public let stored: String
    /// The orientation, 1 to 8.
    public let orientation: String
    /// The displayed size.
    public let shown: String
    /// Further properties.
    public let details: String
    /// `valid`, or what is wrong with the image.
    public let expected: String
    /// The name of the file.
    public var description: String { file }
    /// The path of the file.
    public var path: String { SharedPictures.folder + "/" + file }
  }

  /// The folder of the images.
  public static let folder: String = {
    if let set = ProcessInfo.processInfo.environment["CROPKIT_IMAGES"] { return set }
    return Repository.folder.deletingLastPathComponent().appendingPathComponent("shared/images")
      .path
  }()

  /// The rows of the table; none, with a message, if there is no table. Where this system's libraries
  /// differ, `Tests/Peers/systems.tsv` says what is expected instead.
  public static let rows: [Row] = {
    guard let list = cells(of: folder + "/INDEX.tsv") else {
      print("SKIPPED: no pictures at \(folder); set CROPKIT_IMAGES to test with them")
      return []
    }
    let differing = cells(of: Repository.folder.path + "/Tests/Peers/systems.tsv") ?? []
    let here = differing.filter { $0[1].split(separator: ",").contains(system[...]) }
    let others = Dictionary(uniqueKeysWithValues: here.map { ($0[0], $0[2]) })
    return list.filter { $0.count >= 10 }.map { cells in
      Row(
        file: cells[0], format: cells[2], stored: cells[3], orientation: cells[4],
        shown: cells[5], details: cells[6], expected: others[cells[0]] ?? cells[9])
    }
  }()

  /// The code name of the system, such as `bookworm`.
  private static let system: String = {
    let release = try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)
    let line = release?.split(separator: "\n").first { $0.hasPrefix("VERSION_CODENAME=") }
    return line.map { String($0.dropFirst("VERSION_CODENAME=".count)) } ?? ""
  }()

  /// The cells of a table of tab-separated values, without comments and the row of names.
  private static func cells(of path: String) -> [[String]]? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst().map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
