import CropCore
import FoundationEssentials
import Glibc

/// The last stored targets of a photo.
struct TargetRecord: Sendable, Equatable {
  let document: TargetDocument
  /// The photo's upright size.
  let image: ImageSize
  /// The JPEG that the photo is stored in; nil if it is another format or unknown.
  var jpeg: StoredJPEG?
  /// The photo's file when they were stored, which identifies it without reading it.
  let stamp: FileStamp

  /// The tag of this version of the document.
  var tag: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Numbers that came from JSON can always be encoded as JSON.
    let bytes = (try? encoder.encode(document)) ?? Data()
    return String(Digests.text(Digests.sha256(of: bytes)).prefix(32))
  }

  /// The target whose crop `recipe` makes. If several have the same crop, it is the one whose name
  /// is part of the file's name.
  func target(of recipe: CropRecipe, fileName: String) -> String? {
    let recipe = recipe.normalized()
    let found = document.targets.filter { target in
      // Files from older versions are not on the JPEG's grid.
      [(jpeg, false), (jpeg, true), (nil, false), (nil, true)].contains { jpeg, enlarges in
        let crop = try? document.crop(of: target, on: image, jpeg: jpeg, enlarges: enlarges)
        return crop?.recipe.normalized() == recipe
      }
    }.map(\.name)
    return found.first { fileName.contains($0) } ?? found.first
  }
}

/// The stored form.
extension TargetRecord: Codable {
  private enum Key: CodingKey { case version, document, width, height, stamp, grid }

  private static let version = 1

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    let size = ImageSize(
      width: try fields.decode(Int.self, forKey: .width),
      height: try fields.decode(Int.self, forKey: .height))
    guard try fields.decode(Int.self, forKey: .version) == Self.version, !size.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: fields, debugDescription: "another program wrote this")
    }
    self.init(
      document: try fields.decode(TargetDocument.self, forKey: .document), image: size,
      jpeg: StoredJPEG(try fields.decodeIfPresent([Int].self, forKey: .grid) ?? [], of: size),
      stamp: try fields.decode(FileStamp.self, forKey: .stamp))
  }

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(Self.version, forKey: .version)
    try fields.encode(document, forKey: .document)
    try fields.encode(image.width, forKey: .width)
    try fields.encode(image.height, forKey: .height)
    try fields.encode(stamp, forKey: .stamp)
    try fields.encodeIfPresent(jpeg?.numbers, forKey: .grid)
  }
}

extension StoredJPEG {
  /// The width and height of a cell, and the orientation.
  fileprivate var numbers: [Int] { [grid.cellWidth, grid.cellHeight, orientation.rawValue] }

  /// Parses ``numbers`` for an image of this upright size.
  fileprivate init?(_ numbers: [Int], of image: ImageSize) {
    guard numbers.count == 3, let orientation = Orientation(rawValue: numbers[2]) else {
      return nil
    }
    let stored = OrientationMap<BitmapSpace, ImageSpace>(
      orientation,
      of: BitmapSize(
        width: image.width, height: image.height)
    ).target
    self.init(
      grid: JPEGGrid(
        size: BitmapSize(width: stored.width, height: stored.height), cellWidth: numbers[0],
        cellHeight: numbers[1]), orientation: orientation)
  }
}
