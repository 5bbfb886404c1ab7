import CropCore
import Foundation

/// The targets of a photo as a person left them.
struct TargetRecord: Sendable, Equatable {
  /// The targets.
  let document: TargetDocument
  /// The photo's upright size.
  let image: ImageSize
  /// The photo's file when they were kept, by which it is known again without reading it.
  let stamp: FileStamp

  /// What stands for this version of the document.
  var tag: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Numbers that were read from JSON can be written as JSON.
    let bytes = (try? encoder.encode(document)) ?? Data()
    return String(Digests.text(Digests.sha256(of: bytes)).prefix(32))
  }

  /// The target of whose crop a file was made by `recipe`. Where several have this very crop it is the one
  /// whose name is part of the file's.
  func target(of recipe: CropRecipe, fileName: String) -> String? {
    let recipe = recipe.normalized()
    let found = document.targets.filter { target in
      [false, true].contains { enlarges in
        let crop = try? document.crop(of: target, on: image, enlarges: enlarges)
        return crop?.recipe.normalized() == recipe
      }
    }.map(\.name)
    return found.first { fileName.contains($0) } ?? found.first
  }
}

/// As it is written down.
extension TargetRecord: Codable {
  private enum Key: CodingKey { case version, document, width, height, stamp }

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
      stamp: try fields.decode(FileStamp.self, forKey: .stamp))
  }

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(Self.version, forKey: .version)
    try fields.encode(document, forKey: .document)
    try fields.encode(image.width, forKey: .width)
    try fields.encode(image.height, forKey: .height)
    try fields.encode(stamp, forKey: .stamp)
  }
}
