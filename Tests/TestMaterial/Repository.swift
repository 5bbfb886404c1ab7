import Foundation

/// The sources of CropKit.
public enum Repository {
  /// The folder with all of them. The tests are compiled through a link to their folder.
  public static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The files of a corpus for fuzzing, including earlier findings, by name.
  public static func corpus(_ name: String) -> [URL] {
    let all = try? FileManager.default.contentsOfDirectory(
      at: folder.appendingPathComponent("Fuzz/Corpora/\(name)"), includingPropertiesForKeys: nil)
    return (all ?? []).sorted { $0.path < $1.path }
  }
}
