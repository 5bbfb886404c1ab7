import Foundation
import Testing

/// The test images, as described in their table.
struct Picture: CustomTestStringConvertible {
  /// The expected outcome for an image.
  enum Expectation: String {
    case valid, soft, corrupt, limit
  }

  let name: String
  let format: String
  /// The upright size; nil if the table has none.
  let shown: (width: Int, height: Int)?
  let expectation: Expectation

  var path: String { "\(Self.folder)/\(name)" }
  var testDescription: String { name }

  /// The folder of the images: `CROPKIT_IMAGES`, by default `../shared/images`.
  static let folder: String = {
    if let folder = ProcessInfo.processInfo.environment["CROPKIT_IMAGES"] { return folder }
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return root.appendingPathComponent("../shared/images").standardizedFileURL.path
  }()

  /// All images of the table; none, with a message, if there is no table.
  static let all: [Picture] = {
    guard let table = try? String(contentsOfFile: "\(folder)/INDEX.tsv", encoding: .utf8) else {
      print("SKIPPED: tests over pictures, for there is no \(folder)/INDEX.tsv")
      return []
    }
    return table.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst().compactMap {
      Picture(row: $0.split(separator: "\t", omittingEmptySubsequences: false))
    }
  }()

  /// Whether there are any images.
  static var areAvailable: Bool { !all.isEmpty }

  /// The images that can be decoded and cropped.
  static var valid: [Picture] { all.filter { $0.expectation == .valid } }

  /// The images that are rejected without `--lenient`, and those that are always rejected.
  static var refused: [Picture] { all.filter { $0.expectation != .valid } }

  /// The image with the given name.
  ///
  /// - Throws: if it does not exist.
  static func named(_ name: String) throws -> Picture {
    try #require(all.first { $0.name == name })
  }

  private init?(row: [Substring]) {
    guard row.count > 9, let expectation = Expectation(rawValue: String(row[9])) else { return nil }
    name = String(row[0])
    format = String(row[2])
    self.expectation = expectation
    let sides = row[5].split(separator: "x").compactMap { Int($0) }
    shown = sides.count == 2 ? (sides[0], sides[1]) : nil
  }
}
