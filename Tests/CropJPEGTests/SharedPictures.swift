import Foundation
import Testing

/// The pictures shared with the project, and what is known of them.
enum SharedPictures {
  /// One row of their list.
  struct Row: Sendable, CustomTestStringConvertible {
    let file: String
    let format: String
    let stored: String
    let orientation: String
    let shown: String
    let details: String
    let expected: String
    var testDescription: String { file }
    var path: String { SharedPictures.folder + "/" + file }
  }

  static let folder: String = {
    if let set = ProcessInfo.processInfo.environment["CROPKIT_IMAGES"] { return set }
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return root.deletingLastPathComponent().appendingPathComponent("shared/images").path
  }()

  static let rows: [Row] = {
    guard let list = try? String(contentsOfFile: folder + "/INDEX.tsv", encoding: .utf8) else {
      print("SKIPPED: no pictures at \(folder); set CROPKIT_IMAGES to test with them")
      return []
    }
    return list.split(separator: "\n").dropFirst(2).compactMap { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells.count >= 10 else { return nil }
      return Row(
        file: cells[0], format: cells[2], stored: cells[3], orientation: cells[4],
        shown: cells[5], details: cells[6], expected: cells[9])
    }
  }()
}
