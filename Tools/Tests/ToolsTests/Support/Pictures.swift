import TestMaterial
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

  /// The folder of the images.
  static var folder: String { SharedPictures.folder }

  /// All images of the table.
  static let all: [Picture] = SharedPictures.rows.compactMap(Picture.init)

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

  private init?(row: SharedPictures.Row) {
    guard let expectation = Expectation(rawValue: row.expected) else { return nil }
    name = row.file
    format = row.format
    self.expectation = expectation
    let sides = row.shown.split(separator: "x").compactMap { Int($0) }
    shown = sides.count == 2 ? (sides[0], sides[1]) : nil
  }
}
