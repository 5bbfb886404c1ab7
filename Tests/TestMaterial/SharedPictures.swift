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

  /// The rows of the table; none, with a message, if there is no table.
  public static let rows: [Row] = {
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
